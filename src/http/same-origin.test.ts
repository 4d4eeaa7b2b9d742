import { expect, test } from 'vitest'
import { isSameOrigin } from './same-origin.ts'

const here = { protocol: 'http', host: '127.0.0.1:3000', publicUrl: 'https://ear.example/app' }

test.each([
  { origin: 'http://127.0.0.1:3000', same: true },
  { origin: 'https://ear.example', same: true },
  { origin: 'http://ear.example', same: false },
  { origin: 'https://ear.example.evil', same: false },
  { origin: 'http://127.0.0.1:3001', same: false },
  { origin: 'null', same: false },
  { origin: undefined, same: false },
])('$origin is ours: $same', ({ origin, same }) => {
  expect(isSameOrigin({ ...here, origin })).toBe(same)
})
