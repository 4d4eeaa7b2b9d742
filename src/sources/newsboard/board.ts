import type { Client } from '../http/client.ts'

/** Where the newsboard is reached: its items API and its search API, each at its own address. */
export interface NewsboardSettings {
  itemsUrl: string
  searchUrl: string
}

export interface Board extends NewsboardSettings {
  client: Client
}

/** A base address may have a path of its own, with or without a slash at its end. */
export function addressUnder(baseUrl: string, path: string): URL {
  const address = new URL(baseUrl)
  address.pathname = address.pathname.replace(/\/+$/, '') + path
  return address
}
