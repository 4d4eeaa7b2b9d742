import { expect, test } from 'vitest'
import { OperatorError } from '../errors.ts'
import { dueMigrations, readMigrations } from './migrations.ts'

const known = [1, 2, 3].map((version) => ({ version, name: `step-${version}`, script: '' }))

test.each([
  { applied: 0, due: [1, 2, 3] },
  { applied: 2, due: [3] },
  { applied: 3, due: [] },
])('at version $applied, $due are due', ({ applied, due }) => {
  expect(dueMigrations(known, applied).map(({ version }) => version)).toEqual(due)
})

test('a newer database is refused with what to do', () => {
  expect(() => dueMigrations(known, 4)).toThrow(OperatorError)
  expect(() => dueMigrations(known, 4)).toThrow(/version 4, but this program knows only up to 3/)
})

test('both engines have the same migrations, numbered from 1 without a gap', async () => {
  const sqlite = await readMigrations('sqlite')
  const postgres = await readMigrations('postgres')

  const names = sqlite.map(({ version, name }) => `${version} ${name}`)
  expect(postgres.map(({ version, name }) => `${version} ${name}`)).toEqual(names)
  expect(sqlite.map(({ version }) => version)).toEqual(sqlite.map((_, index) => index + 1))
})
