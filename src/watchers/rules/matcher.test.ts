import { describe, expect, test } from 'vitest'
import { Rule } from '../../contract/watcher.ts'
import { compileMatcher, type Matchable } from './matcher.ts'

type Written = Parameters<typeof Rule.parse>[0] & object

function aPost(given: Partial<Matchable> = {}): Matchable {
  return {
    title: '',
    body: '',
    author: 'ann',
    url: null,
    score: null,
    numComments: null,
    ...given,
  }
}

function matcherOf(...rules: Written[]) {
  const parsed = rules.map((rule) => Rule.parse(rule))
  return compileMatcher([{ organizationId: 'org_1', watcherId: 'wat_1', rules: parsed }])
}

function positionIn(title: string, rule: Written): number | null | undefined {
  return matcherOf(rule).match(aPost({ title }))[0]?.position
}

describe('what a rule asks for', () => {
  const post = aPost({ title: 'Red apple', body: 'green pear', score: 5, numComments: 2 })

  test.each<[string, Written, boolean]>([
    ['one of any', { any: ['plum', 'pear'] }, true],
    ['none of any', { any: ['plum', 'fig'] }, false],
    ['all in different fields', { all: ['apple', 'pear'] }, true],
    ['not all', { all: ['apple', 'fig'] }, false],
    ['any and all', { any: ['fig', 'red'], all: ['pear'] }, true],
    ['all, but none of any', { any: ['fig'], all: ['pear'] }, false],
    ['a term of none', { any: ['apple'], none: ['green'] }, false],
    ['no term of none', { any: ['apple'], none: ['fig'] }, true],
    ['only none, absent', { none: ['fig'] }, true],
    ['only none, present', { none: ['apple'] }, false],
    [
      'none in a field that is not asked',
      { any: ['apple'], none: ['pear'], fields: ['title'] },
      true,
    ],
    ['a score that is enough', { minScore: 5 }, true],
    ['a score that is not', { any: ['apple'], minScore: 6 }, false],
    ['comments that are enough', { minComments: 2 }, true],
    ['comments that are not', { minComments: 3 }, false],
    ['the author in other case', { authors: ['bob', 'ANN'] }, true],
    ['another author', { authors: ['bob'] }, false],
    ['the author and a term', { authors: ['ann'], any: ['apple'] }, true],
    ['a term of another author', { authors: ['bob'], any: ['apple'] }, false],
    ['a link', { hasLink: true }, false],
    ['no link', { hasLink: false }, true],
    ['a term across fields', { any: ['apple green', 'applegreen'] }, false],
    ['the author as a field', { any: ['nn'], fields: ['author'] }, true],
    ['a link that is not there', { any: ['http'], fields: ['link'] }, false],
  ])('%s', (_name, rule, isMatch) => {
    expect(matcherOf(rule).match(post)).toHaveLength(isMatch ? 1 : 0)
  })

  test('no score and no comments count as 0', () => {
    const unknown = aPost()

    expect(matcherOf({ minScore: 0, minComments: 0 }).match(unknown)).toHaveLength(1)
    expect(matcherOf({ minScore: 1 }).match(unknown)).toEqual([])
  })

  test('the link is a field of its own', () => {
    const linked = aPost({ url: 'https://example.com/Apple' })

    expect(matcherOf({ any: ['/apple'], fields: ['link'] }).match(linked)).toMatchObject([
      { field: 'link', position: 19 },
    ])
    expect(matcherOf({ any: ['/apple'] }).match(linked)).toEqual([])
  })
})

describe('substring', () => {
  test.each([
    ['100%_*.?\\"', '%_*.?\\"', 3],
    ['CAFÉ', 'café', 0],
    ['le café', 'CAFÉ', 3],
    ['cafe\u0301', 'café', undefined],
    ['Straße', 'STRASSE', undefined],
    ['STRAẞE', 'straße', 0],
    ['İstanbul', 'stanbul', 1],
    ['xİİ istanbul', 'istanbul', 4],
    ['İ', '\u0307', 0],
    ['ΟΔΟΣ', 'οδος', 0],
    ['a 😀 b', '😀', 2],
    ['😀😀 b', 'B', 5],
    ['\u212aelvin', 'kelvin', 0],
    ['ſ', 's', undefined],
    ['new york', 'new york', 0],
    ['new  york', 'new york', undefined],
    ['new\nyork new york', 'new york', 9],
    ['new york', 'new  york', undefined],
    ['aaaa', 'aaa', 0],
    ['she', 'he', 1],
  ])('%j and %j', (title, term, position) => {
    expect(positionIn(title, { any: [term] })).toBe(position)
  })
})

describe('word', () => {
  test.each([
    ['Let it Go!', 'go', 7],
    ['Google', 'go', undefined],
    ['ergo', 'go', undefined],
    ['go_on', 'go', undefined],
    ['go2', 'go', undefined],
    ['Google go', 'go', 7],
    ['C++ is', 'c++', 0],
    ['xc++', 'c++', undefined],
    ['c++11', 'c++', undefined],
    ['(c++)', 'c++', 1],
    ['égo', 'go', undefined],
    ['go漢', 'go', undefined],
    ['𐐀go', 'go', undefined],
    ['go𐐀', 'go', undefined],
    ['😀go😀', 'go', 2],
    ['cafe\u0301', 'cafe', 0],
    ['new \n\t york', 'new york', 0],
    ['new york', 'new   york', 0],
    ['newyork', 'new york', undefined],
    ['knew york, new\u00a0york', 'new york', 11],
    ['new yorker', 'new york', undefined],
    ['İ go', 'go', 2],
  ])('%j and %j', (title, term, position) => {
    expect(positionIn(title, { any: [term], kind: 'word' })).toBe(position)
  })
})

describe('regex', () => {
  test.each([
    ['Colour', 'colou?r', 0],
    ['a color', 'colou?r', 2],
    ['colr', 'colou?r', undefined],
    ['xbarz', '(foo|bar)z', 1],
    ['b', 'abc|b', 0],
    ['\u212aelvin', 'kelvin', 0],
    ['claſs', 'class', 0],
    ['ΟΔΟΣ', 'οδοσ', 0],
    ['οδος', 'ΟΔΟΣ', 0],
    ['STRAẞE', 'straße', 0],
    ['5 µm', String.raw`\d μm`, 0],
    ['ﬆ', 'ﬅ', 0],
    ['looking \n for', String.raw`looking\s+for`, 0],
    ['😀 v1.2', String.raw`v\d+\.\d+`, 3],
    ['first\nsecond', '^second', undefined],
    ['first\nsecond', '(?m)^second', 6],
    ['ABC', '(?-i)abc', undefined],
    ['İx', 'i', undefined],
    ['xx', 'x{2,3}', 0],
    ['12', String.raw`^\d+$`, 0],
  ])('%j and %j', (title, term, position) => {
    expect(positionIn(title, { any: [term], kind: 'regex' })).toBe(position)
  })
})

describe('what is told of a match', () => {
  test('the earliest-listed field, then the smallest position, then the first term', () => {
    const post = aPost({ title: 'x abc', body: 'abc' })
    const told = (rule: Written) => matcherOf(rule).match(post)[0]

    expect(told({ any: ['abc'], fields: ['body', 'title'] })).toMatchObject({
      field: 'body',
      position: 0,
    })
    expect(told({ any: ['c', 'bc', 'b'] })).toMatchObject({
      term: 'bc',
      field: 'title',
      position: 3,
    })
    expect(told({ any: ['BC'], all: ['A', 'ab'] })).toMatchObject({ term: 'A', position: 2 })
    expect(told({ none: ['z'] })).toMatchObject({ term: null, field: null, position: null })
  })

  test('the first rule that matches, and the tags of all that do, once each', () => {
    const matcher = matcherOf(
      { any: ['fig'], tags: ['no'] },
      { any: ['pear'], tags: ['b', 'a'] },
      { any: ['apple'], tags: ['a', 'c'] },
    )

    const matches = matcher.match(aPost({ title: 'apple', body: 'pear' }))

    expect(matches).toEqual([
      {
        organizationId: 'org_1',
        watcherId: 'wat_1',
        ruleIndex: 1,
        term: 'pear',
        field: 'body',
        position: 0,
        tags: ['b', 'a', 'c'],
      },
    ])
  })

  test('one match for each watcher, in the order they were given', () => {
    const rules = (term: string) => [Rule.parse({ any: [term] }), Rule.parse({ minScore: 0 })]
    const matcher = compileMatcher([
      { organizationId: 'org_2', watcherId: 'wat_z', rules: rules('apple') },
      { organizationId: 'org_1', watcherId: 'wat_a', rules: rules('fig') },
      { organizationId: 'org_1', watcherId: 'wat_b', rules: [Rule.parse({ any: ['fig'] })] },
      { organizationId: 'org_1', watcherId: 'wat_c', rules: [] },
    ])

    const matches = matcher.match(aPost({ title: 'apple' }))

    expect(matches.map(({ watcherId, ruleIndex }) => [watcherId, ruleIndex])).toEqual([
      ['wat_z', 0],
      ['wat_a', 1],
    ])
  })

  test('nothing of one post is left for the next', () => {
    const matcher = matcherOf({ all: ['apple', 'pear'], none: ['fig'] })

    const lengths = ['apple', 'pear', 'apple pear fig', 'apple pear', ''].map(
      (title) => matcher.match(aPost({ title })).length,
    )

    expect(lengths).toEqual([0, 0, 0, 1, 0])
  })
})
