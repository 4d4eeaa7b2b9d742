// A date alone means the whole UTC day: as a beginning its first instant, as an end its last.

import { z } from 'zod'

const DATE = z.iso.date()
const TIMESTAMP = z.iso.datetime({ offset: true })
const OFFSET = /(?:Z|[+-]\d\d:?\d\d)$/i
const MINUTE = /T\d\d:\d\d(?=$|[Z+-])/i

/** What ISO 8601 lets people leave out: the seconds, and where, which is UTC like everything here. */
function withOffset(text: string): string {
  const exact = text.replace(MINUTE, '$&:00')
  return OFFSET.test(exact) || DATE.safeParse(exact).success ? exact : `${exact}Z`
}

const instantWith = (time: string) =>
  z
    .string()
    .trim()
    .transform((text) => withOffset(DATE.safeParse(text).success ? `${text}T${time}` : text))
    .refine((text) => TIMESTAMP.safeParse(text).success, {
      error: 'give an ISO 8601 date or timestamp, 2030-12-31 for example',
      abort: true,
    })
    .transform((text) => Date.parse(text))

export const Beginning = instantWith('00:00:00.000Z')
export const End = instantWith('23:59:59.999Z')
