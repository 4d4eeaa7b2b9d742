import type { Command } from 'commander'
import { withConfig } from './command.ts'
import { diagnose, type Finding } from './diagnose.ts'

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check settings, data directory, database and versions, and say what to fix')
    .action(
      withConfig(async (config) => {
        const checks = await diagnose(config)
        const ok = checks.every((check) => check.ok)
        return { report: { ok, checks }, text: textOf(checks), exitCode: ok ? 0 : 1 }
      }),
    )
}

function textOf(checks: readonly Finding[]): string {
  return checks
    .map(({ ok, name, detail, fix }) => {
      const line = `${ok ? '✓' : '✗'} ${name}: ${detail}`
      return fix === undefined ? line : `${line}\n    → ${fix}`
    })
    .join('\n')
}
