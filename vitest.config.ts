import { defineConfig } from 'vitest/config'

/** One for each core: most tests wait for a program, a database or a clock. */
const WORKERS = '100%'

export default defineConfig({
  test: {
    maxWorkers: WORKERS,
    reporters: ['default', './test/support/count-reporter.ts'],
    projects: [
      {
        test: { name: 'unit', include: ['src/**/*.test.ts'], testTimeout: 10_000 },
      },
      {
        test: {
          name: 'integration',
          include: ['test/**/*.test.ts'],
          globalSetup: ['test/support/postgres-server.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
