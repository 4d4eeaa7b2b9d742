import type { Dispatcher } from 'undici'
import { AddressRules } from './address-rules.ts'
import { admitsHost, receiverAgent, type ReceiverTerms } from './connect.ts'

/** The connections to receivers, kept open between deliveries. */
export interface Receivers extends AsyncDisposable {
  dispatcher: Dispatcher
  /** Whether it leads to where may be sent to, as far as it is known now. */
  admits(hostname: string): Promise<boolean>
}

export interface ReceiversConfig {
  production: boolean
  webhooks: { openRanges: readonly string[] }
}

/** In the tests: other roots than those of the system, and names that no server knows. */
export type ReceiversWorld = Pick<ReceiverTerms, 'ca' | 'resolve'>

export function openReceivers(
  { production, webhooks }: ReceiversConfig,
  world: ReceiversWorld = {},
): Receivers {
  const rules = new AddressRules({ onlyPublic: production, open: webhooks.openRanges })
  const terms = { ...world, rules, verifyCertificates: production }
  const dispatcher = receiverAgent(terms)
  return {
    dispatcher,
    admits: async (hostname) => !production || admitsHost(terms, hostname),
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
  }
}
