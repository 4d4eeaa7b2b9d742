import { Parser } from 'htmlparser2'
import { SourceError } from '../source.ts'

/** An entry of an Atom feed as it is written. */
export interface Entry {
  id: string
  title: string
  published: string
  updated: string
  author: string
  content: string
  link: string
  category: string
}

type Field = 'id' | 'title' | 'published' | 'updated' | 'author' | 'content'

/** By where they are within an entry. */
const FIELDS: Record<string, Field> = {
  id: 'id',
  title: 'title',
  published: 'published',
  updated: 'updated',
  content: 'content',
  'author/name': 'author',
}

/** What is no feed, or only the beginning of one, is a SourceError `unreadable`. */
export function entriesOf(xml: string): Entry[] {
  const reader = new FeedReader()
  const parser = new Parser(
    {
      onopentag: (name, attributes) => reader.open(name, attributes),
      ontext: (text) => reader.text(text),
      onclosetag: (name, isImplied) => reader.close(name, isImplied),
    },
    { xmlMode: true },
  )
  parser.end(xml)
  if (!reader.isFeed) {
    throw new SourceError('unreadable', 'The forum answered with something else than a feed.')
  }
  if (!reader.isWhole) throw new SourceError('unreadable', 'The forum’s feed is cut off.')
  return reader.entries
}

class FeedReader {
  readonly entries: Entry[] = []
  isFeed = false
  isWhole = false
  #entry: Entry | null = null
  readonly #path: string[] = []

  open(name: string, attributes: Record<string, string>): void {
    if (name === 'feed') this.isFeed = true
    if (this.#entry !== null) this.#openWithin(this.#entry, name, attributes)
    else if (name === 'entry' && this.isFeed) this.#entry = emptyEntry()
  }

  text(text: string): void {
    const field = FIELDS[this.#path.join('/')]
    if (this.#entry !== null && field !== undefined) this.#entry[field] += text
  }

  close(name: string, isImplied: boolean): void {
    if (this.#path.length > 0) {
      this.#path.pop()
    } else if (name === 'entry' && this.#entry !== null) {
      if (!isImplied) this.entries.push(this.#entry)
      this.#entry = null
    } else if (name === 'feed') {
      this.isWhole = !isImplied
    }
  }

  #openWithin(entry: Entry, name: string, attributes: Record<string, string>): void {
    this.#path.push(name)
    const { rel = 'alternate', href = '', term = '' } = attributes
    if (name === 'link' && rel === 'alternate') entry.link ||= href
    if (name === 'category') entry.category ||= term
  }
}

function emptyEntry(): Entry {
  const none = { id: '', title: '', published: '', updated: '' }
  return { ...none, author: '', content: '', link: '', category: '' }
}
