// `npm ci` refuses a lockfile in which an optional package of another platform is missing, and npm
// leaves such a package out when it cannot be had on the day the lockfile is made.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface Locked {
  resolved?: string
  optionalDependencies?: Record<string, string>
}

const lockfile: { packages: Record<string, Locked> } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8'),
)

test('the lockfile names every optional package, for every platform', () => {
  const missing = Object.entries(lockfile.packages).flatMap(([place, locked]) =>
    Object.keys(locked.optionalDependencies ?? {}).filter(
      (name) =>
        !Object.hasOwn(lockfile.packages, `node_modules/${name}`) &&
        !Object.hasOwn(lockfile.packages, `${place}/node_modules/${name}`),
    ),
  )
  expect(missing).toEqual([])
})

test('the lockfile names no registry', () => {
  const resolved = Object.values(lockfile.packages).filter((locked) => locked.resolved)
  expect(resolved).toEqual([])
})
