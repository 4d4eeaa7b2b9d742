import { text } from 'node:stream/consumers'

/** Read from stdin, up to the first line's end; typed in a terminal it is not shown. */
export async function askPassword(): Promise<string> {
  const { stdin } = process
  if (!stdin.isTTY) return firstLine(await text(stdin))

  process.stderr.write('Password: ')
  stdin.setRawMode(true)
  try {
    return await typed()
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    process.stderr.write('\n')
  }
}

async function typed(): Promise<string> {
  let password = ''
  for await (const chunk of process.stdin.iterator({ destroyOnReturn: false })) {
    for (const character of String(chunk)) {
      if (character === '\r' || character === '\n') return password
      if (character === '\u0003') return '' // Ctrl+C
      password = character === '\u007f' ? password.slice(0, -1) : password + character
    }
  }
  return password
}

function firstLine(input: string): string {
  return input.split(/\r?\n/, 1)[0] ?? ''
}
