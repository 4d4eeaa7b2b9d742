// The certificates of the fixtures: whom the tests trust, and what receivers show.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from './receiver.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/tls')

/** The authority that signed all of them but the self-signed one. */
export const CA = read('ca.pem')

/** What the certificates are for, unless they are for another host. */
export const HOST = 'hooks.example.com'

export type CertificateName = 'valid' | 'expired' | 'other-host' | 'self-signed'

export function certificate(name: CertificateName): Certificate {
  return { key: read(`${name}.key.pem`), cert: read(`${name}.pem`) }
}

function read(file: string): string {
  return readFileSync(join(FOLDER, file), 'utf8')
}
