// Fields that several operations share.

import { z } from 'zod'

export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email().max(254))
  .describe('An e-mail address; upper and lower case are the same.')

const PASSWORD_MIN = 8
const PASSWORD_MAX = 256

export const Password = z
  .string()
  .min(PASSWORD_MIN, `Use at least ${PASSWORD_MIN} characters.`)
  .max(PASSWORD_MAX, `Use at most ${PASSWORD_MAX} characters.`)

const NAME_MAX = 100

export const Name = z.string().trim().min(1).max(NAME_MAX)

export const Instant = z.iso.datetime().describe('ISO 8601, in UTC.')

/** A whole number as it is written in a query string or on the command line. */
export const wholeNumberText = (min: number, max: number) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,6}$/, `Give a whole number from ${min} to ${max}.`)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
