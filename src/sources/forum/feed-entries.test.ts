import { expect, test } from 'vitest'
import { entriesOf } from './feed-entries.ts'

const ENTRY =
  '<entry><author><name>/u/x</name><uri>u</uri></author><category term="c"/><category term="d"/>' +
  '<content type="html">&lt;p&gt;a &amp;amp; b&lt;/p&gt;</content><id>t3_1</id>' +
  '<link rel="self" href="no"/><link href="yes"/><updated>u</updated><published>p</published>' +
  '<title><![CDATA[<t>]]> &amp; more</title><media:title>no</media:title></entry>'

test('an entry is read field by field, entities decoded once', () => {
  expect(entriesOf(`<feed><title>no</title><id>no</id>${ENTRY}</feed>`)).toEqual([
    {
      id: 't3_1',
      title: '<t> & more',
      published: 'p',
      updated: 'u',
      author: '/u/x',
      content: '<p>a &amp; b</p>',
      link: 'yes',
      category: 'c',
    },
  ])
})

test('a feed may be empty', () => {
  expect(entriesOf('<?xml version="1.0"?><feed></feed>')).toEqual([])
})

test.each(['', 'text', '<html><entry/></html>', '{"a": 1}'])('%s is no feed', (xml) => {
  expect(() => entriesOf(xml)).toThrow('something else than a feed')
})

test.each([`<feed>${ENTRY}`, `<feed>${ENTRY}<entry><id>t3_2`, '<feed><title>'])(
  '%s is cut off',
  (xml) => {
    expect(() => entriesOf(xml)).toThrow('cut off')
  },
)
