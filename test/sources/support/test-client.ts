import type { Client } from '#src/sources/http/client.ts'
import { openClient, type ClientOptions } from '#src/sources/http/polite-client.ts'

/** The real client, in a hurry: it retries at once and its pace holds up no test. */
export function testClient(options: Partial<ClientOptions> = {}): Client {
  return openClient({
    name: 'forum',
    userAgent: 'Earshot/test',
    perMinute: 100_000,
    burst: 1_000,
    concurrency: 2,
    random: () => 0,
    ...options,
  })
}
