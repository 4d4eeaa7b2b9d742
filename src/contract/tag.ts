import { z } from 'zod'

const TAG_MAX = 50

export const Tag = z
  .string()
  .trim()
  .min(1, 'a tag cannot be empty')
  .max(TAG_MAX, `a tag has at most ${TAG_MAX} characters`)
  // Lists of tags are given comma-separated in the query string.
  .refine((tag) => !tag.includes('\0') && !tag.includes(','), 'a tag cannot hold a comma')
  .transform((tag) => tag.toWellFormed())
