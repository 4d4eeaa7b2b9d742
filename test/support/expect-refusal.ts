import { expect } from 'vitest'
import type { Outcome } from './program.ts'

/** Ended with 1, said why in words on stderr and nothing on stdout; no stack. */
export function expectRefusal({ code, stdout, stderr }: Outcome, reason: string | RegExp): void {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(reason)
  expect(stderr).not.toMatch(/unexpected|^ +at /m)
}
