import { expect, test } from 'vitest'
import { isImageLink } from './image-link.ts'

test.each([
  { url: 'https://example.com/a/cat.PNG?width=3', image: true },
  { url: 'https://example.com/cat.jpeg', image: true },
  { url: 'https://i.redd.it/abc', image: true },
  { url: 'https://www.imgur.com/gallery/x', image: true },
  { url: 'https://example.com/cat.png/comments', image: false },
  { url: 'https://example.com/?file=cat.png', image: false },
  { url: 'https://noti.redd.it.example.com/x', image: false },
  { url: 'not an address', image: false },
  { url: null, image: false },
])('$url: $image', ({ url, image }) => {
  expect(isImageLink(url)).toBe(image)
})
