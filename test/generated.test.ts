import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generatedFiles, pathOf } from '../scripts/generated.ts'

test.each(generatedFiles())('$name is up to date (npm run generate)', ({ name, content }) => {
  expect(readFileSync(pathOf(name), 'utf8')).toBe(content)
})
