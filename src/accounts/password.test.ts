import { expect, test } from 'vitest'
import { hashOfPassword, isPassword } from './password.ts'

test('a password is recognised, another is not', async () => {
  const stored = await hashOfPassword('correct horse')

  expect(await isPassword('correct horse', stored)).toBe(true)
  expect(await isPassword('correct horse ', stored)).toBe(false)
})

test('the hash is argon2id with a salt of its own', async () => {
  const [first, second] = [await hashOfPassword('same'), await hashOfPassword('same')]

  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22}\$[^$]{43}$/)
  expect(first).not.toBe(second)
})

test('the same letters typed as composed or decomposed are the same password', async () => {
  expect(await isPassword('cafe\u0301', await hashOfPassword('caf\u00e9'))).toBe(true)
})

test('a hash of another program verifies', async () => {
  // RFC 9106 has no vector without secret and data; this one is from the argon2 reference tool.
  const stored =
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'

  expect(await isPassword('password', stored)).toBe(true)
})

test.each(['', 'plain', '$argon2id$v=19$m=1$x$y'])('%j is nobody’s hash', async (stored) => {
  expect(await isPassword('', stored)).toBe(false)
})
