const IMAGE_FILE = /\.(?:jpe?g|png|gif|gifv|webp|avif|bmp|svg|tiff?|heic)$/i

const IMAGE_HOSTS = new Set([
  'i.redd.it',
  'preview.redd.it',
  'i.imgur.com',
  'imgur.com',
  'i.postimg.cc',
  'i.ibb.co',
  'pbs.twimg.com',
  'live.staticflickr.com',
  'giphy.com',
  'media.giphy.com',
  'i.gyazo.com',
])

/** A guess from the address alone: its file's ending, or a host that shows pictures. */
export function isImageLink(url: string | null): boolean {
  if (url === null || !URL.canParse(url)) return false
  const { hostname, pathname } = new URL(url)
  return IMAGE_FILE.test(pathname) || IMAGE_HOSTS.has(hostname.replace(/^www\./, ''))
}
