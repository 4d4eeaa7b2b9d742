// Connections to receivers. The address is looked at when a connection is made, and it is the one that is
// connected to: a name that means something else a moment later does not matter.

import { lookup as resolve, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import type { AddressRules } from './address-rules.ts'

export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError'
}

export interface ReceiverTerms {
  rules: AddressRules
  /** Whether a certificate must be one that everybody trusts. */
  verifyCertificates: boolean
  /** Other roots than those of the system. */
  ca?: string
  /** Who knows names; the system does by default. */
  resolve?: typeof resolve
}

const CONNECT_TIMEOUT_MS = 15_000
const KEEP_ALIVE_MS = 10_000

export function receiverAgent(terms: ReceiverTerms): Agent {
  const connect = buildConnector({
    lookup: checkedLookup(terms),
    rejectUnauthorized: terms.verifyCertificates,
    timeout: CONNECT_TIMEOUT_MS,
    ...(terms.ca === undefined ? {} : { ca: terms.ca }),
  })
  return new Agent({
    // An address that is written as a number is never looked up.
    connect: (options, done) => {
      const host = bare(options.hostname)
      if (isIP(host) !== 0 && !terms.rules.admits(host))
        return done(new RefusedAddressError(), null)
      return connect(options, done)
    },
    // The deadline of an attempt is the sender's own.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  })
}

/** Whether a host may be sent to, as far as it is known now; one that is not known will be found out. */
export async function admitsHost(
  { rules, resolve: ask = resolve }: ReceiverTerms,
  hostname: string,
): Promise<boolean> {
  const host = bare(hostname)
  if (isIP(host) !== 0) return rules.admits(host)
  const { promise, resolve: found } = Promise.withResolvers<boolean>()
  ask(host, { all: true }, (error, addresses) =>
    found(error !== null || addresses.every(({ address }) => rules.admits(address))),
  )
  return promise
}

/** An IPv6 address has brackets in a URL, and nowhere else. */
function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/** One that may not be connected to is enough to refuse the name: it is not an honest one. */
function checkedLookup({ rules, resolve: ask = resolve }: ReceiverTerms): LookupFunction {
  return (hostname, options, done) => {
    ask(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, [])
      const addresses: LookupAddress[] = found
      if (!addresses.every(({ address }) => rules.admits(address))) {
        return done(new RefusedAddressError(), [])
      }
      if (options.all === true) return done(null, addresses)
      const [first] = addresses
      return done(null, first?.address ?? '', first?.family)
    })
  }
}
