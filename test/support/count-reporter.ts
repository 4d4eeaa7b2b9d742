import type { Reporter, TestModule } from 'vitest/node'

/** Ends every run with one plain line of counts, for people and for whatever reads the log. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    for (const module of modules) {
      if (!module.ok() && module.errors().length > 0) counts.failed += 1
      for (const test of module.children.allTests()) counts[test.result().state] += 1
    }
    const skipped = counts.skipped + counts.pending
    process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${skipped} skipped\n`)
  }
}
