import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test.each([
  { cells: ['a', 1, true, null], line: 'a,1,true,\r\n' },
  { cells: ['a,b', 'say "hi"', 'two\nlines'], line: '"a,b","say ""hi""","two\nlines"\r\n' },
  { cells: [['x', 'y'], []], line: 'x y,\r\n' },
  { cells: ['=1+1', '@cmd', -5], line: "'=1+1,'@cmd,-5\r\n" },
])('$line', ({ cells, line }) => {
  expect(csvLine(cells)).toBe(line)
})
