import { describe, expect, test } from 'vitest'
import { signsOf, wordPartsOf, wordsOf } from './words.ts'

describe('words', () => {
  test('are runs of letters and digits, whatever stands between them', () => {
    const text = 'a\tb\n\nc\u001f(d2) e-f,\u007f\u0000g'
    expect(wordsOf(text)).toEqual(['a', 'b', 'c', 'd2', 'e', 'f', 'g'])
  })

  test('everything beyond ASCII is part of a word: the index knows no other scripts', () => {
    expect(wordsOf('it’s 十。二\u00a0三 🚀')).toEqual(['it’s', '十。二\u00a0三', '🚀'])
  })

  test('of nothing but spaces and signs there are none', () => {
    expect(wordsOf(' \n (-)')).toEqual([])
  })
})

describe('the parts of a term', () => {
  test('one word may be anywhere in a word', () => {
    expect(wordPartsOf('red')).toEqual(['red'])
  })

  test('of several words the first ends, the last begins, and the others do both', () => {
    expect(wordPartsOf('a red-ca')).toEqual(['a ', ' red ', ' ca'])
  })

  test('a sign or a space at the edge of a term is an edge of a word', () => {
    expect(wordPartsOf('.net')).toEqual([' net'])
    expect(wordPartsOf('c++')).toEqual(['c '])
  })

  test('of nothing but signs there are none', () => {
    expect(wordPartsOf('}}')).toEqual([])
  })
})

describe('signs', () => {
  test('are told alone and with the character before and behind', () => {
    expect(signsOf('c++').toSorted()).toEqual(['+', '++', 'c+'])
    expect(signsOf('a, b').toSorted()).toEqual([',', 'a,'])
  })

  test('each is told once', () => {
    expect(signsOf('---')).toEqual(['-', '--'])
  })

  test('a neighbour beyond the first plane is one character', () => {
    expect(signsOf('🚀!🚀').toSorted()).toEqual(['!', '!🚀', '🚀!'].toSorted())
  })

  test('letters and spaces have none', () => {
    expect(signsOf('one two\nthree 四')).toEqual([])
  })
})
