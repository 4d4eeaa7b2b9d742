import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('an empty environment gives the documented defaults', () => {
  const config = readConfig({})

  expect(config.http).toMatchObject({ host: '127.0.0.1', port: 3_000, ratePerMinute: 1_200 })
  expect(config.database.url).toBeUndefined()
  expect(config.database.path).toBe(`${process.cwd()}/data/earshot.db`)
  expect(config.production).toBe(false)
})

test('an empty variable counts as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' }).http.port).toBe(3_000)
})

test('every mistake is reported at once, with the name and what is accepted', () => {
  const read = () => readConfig({ PORT: '70000', LOG_LEVEL: 'loud', EARSHOT_PUBLIC_URL: 'x' })

  expect(read).toThrow(/PORT cannot be "70000": it takes a port from 0 to 65535/)
  expect(read).toThrow(/LOG_LEVEL cannot be "loud": it takes `trace`/)
  expect(read).toThrow(/EARSHOT_PUBLIC_URL cannot be "x": it takes an http or https URL/)
})

test.each([' ', '-1', '1e3', '3000.5', '0x10', 'abc', '65536'])('PORT refuses %j', (port) => {
  expect(() => readConfig({ PORT: port })).toThrow(/PORT cannot be/)
})

test('a secret is never printed, not even when it is wrong', () => {
  const read = () => readConfig({ EARSHOT_SECRET: 'hunter2', DATABASE_URL: 'mysql://u:hunter2@h' })

  expect(read).toThrow(/EARSHOT_SECRET cannot be what was given: it takes at least 32 characters/)
  expect(read).not.toThrow(/hunter2/)
})

test('production with PostgreSQL wants a secret of its own', () => {
  const production = { NODE_ENV: 'production', DATABASE_URL: 'postgres://u@h/d' }

  expect(() => readConfig(production)).toThrow(/EARSHOT_SECRET is required in production/)
  expect(readConfig({ ...production, EARSHOT_SECRET: 's'.repeat(32) }).production).toBe(true)
  expect(readConfig({ NODE_ENV: 'production' }).secret).toBeUndefined()
})

test('settings nobody knows are named, so that a misspelt one is noticed', () => {
  const { unknownSettings } = readConfig({ EARSHOT_SECERT: 'x', EARSHOT_DATA_DIR: '/d', FOO: '1' })

  expect(unknownSettings).toEqual(['EARSHOT_SECERT'])
})
