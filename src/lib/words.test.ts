import { describe, expect, test } from 'vitest'
import { wordPartsOf, wordsOf } from './words.ts'

describe('words', () => {
  test('stand between spaces, control characters and the border, with all their signs', () => {
    const text = 'a\tb\n\nc\u001f(d) e-f,\u007f\u0000g'
    expect(wordsOf(text)).toEqual(['a', 'b', 'c', '(d)', 'e-f,', 'g'])
  })

  test('are not parted by spaces of other scripts, which the index does not know either', () => {
    expect(wordsOf('十 二\u00a0三\u3000四')).toEqual(['十', '二\u00a0三\u3000四'])
  })

  test('of nothing but spaces there are none', () => {
    expect(wordsOf(' \n ')).toEqual([])
  })
})

describe('the parts of a term', () => {
  test('one word may be anywhere in a word', () => {
    expect(wordPartsOf('c++')).toEqual(['c++'])
  })

  test('of several words the first ends, the last begins, and the others do both', () => {
    expect(wordPartsOf('a red ca')).toEqual(['a ', ' red ', ' ca'])
  })

  test('a space at the edge of a term is an edge of a word', () => {
    expect(wordPartsOf(' red')).toEqual([' red'])
    expect(wordPartsOf('red\n')).toEqual(['red '])
  })

  test('of nothing but spaces there are none', () => {
    expect(wordPartsOf(' \t')).toEqual([])
  })
})
