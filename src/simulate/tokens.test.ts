import { expect, test } from 'vitest'
import { Tokens } from './tokens.ts'

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`

test.each([
  { authorization: basic('id:secret'), granted: true },
  { authorization: basic('id:se:cret'), granted: true },
  { authorization: basic('id:'), granted: false },
  { authorization: basic(':secret'), granted: false },
  { authorization: 'Bearer x', granted: false },
  { authorization: '', granted: false },
])('with $authorization a token is granted: $granted', ({ authorization, granted }) => {
  expect(new Tokens({}).grant(authorization, 0) !== null).toBe(granted)
})

test('with credentials set, only these are accepted', () => {
  const tokens = new Tokens({ credentials: { id: 'id', secret: 'right' } })

  expect(tokens.grant(basic('id:wrong'), 0)).toBeNull()
  expect(tokens.grant(basic('id:right'), 0)).not.toBeNull()
})

test('a token names its client until it ends', () => {
  const tokens = new Tokens({ lifetimeSeconds: 10 })
  const token = tokens.grant(basic('me:secret'), 0)

  expect(tokens.clientOf(`Bearer ${token}`, 9_999)).toBe('me')
  expect(tokens.clientOf(`Bearer ${token}`, 10_000)).toBeNull()
  expect(tokens.clientOf('Bearer other', 0)).toBeNull()
})
