import { expect, test } from 'vitest'
import { aPost, NOON } from '#test/simulate/a-post.ts'
import { days, hours } from '../lib/duration.ts'
import { figuresAt } from './growth.ts'

test('figures grow with age, up to what the post will get', () => {
  const post = aPost({ score: 101, numComments: 50 }, { grows: true })

  const scores = [0, hours(1), hours(6), days(7)].map((age) => figuresAt(post, NOON + age).score)

  expect(scores).toEqual([1, 16, 64, 101])
  expect(figuresAt(post, NOON + days(7)).numComments).toBe(50)
})

test('a post that does not grow has its figures at once', () => {
  const post = aPost({ score: 101, numComments: 50 })

  expect(figuresAt(post, NOON)).toEqual({ score: 101, numComments: 50 })
})
