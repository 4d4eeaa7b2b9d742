// A line that says how far something long has come. Only in a terminal: a log file or a pipe gets
// the result alone.

const BAR_WIDTH = 24
const DRAW_EVERY_MS = 100

export class ProgressLine implements Disposable {
  readonly #out = process.stderr
  #drawnAt = 0

  /** `share` is from 0 to 1; null when the end is not known. */
  show(share: number | null, text: string): void {
    const now = performance.now()
    if (!this.#out.isTTY || now - this.#drawnAt < DRAW_EVERY_MS) return
    this.#drawnAt = now
    this.#out.write(`\r\u001b[K${share === null ? '' : `${barOf(share)} `}${text}`)
  }

  /** For a line that stays. */
  say(text: string): void {
    this.#clear()
    this.#out.write(`${text}\n`)
  }

  [Symbol.dispose](): void {
    this.#clear()
  }

  #clear(): void {
    if (this.#out.isTTY) this.#out.write('\r\u001b[K')
  }
}

function barOf(share: number): string {
  const full = Math.round(Math.min(1, share) * BAR_WIDTH)
  const percent = String(Math.floor(Math.min(1, share) * 100)).padStart(3)
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${percent} %`
}
