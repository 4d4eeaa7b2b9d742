import type { Client } from '../http/client.ts'

/** Where the newsboard is reached: its items API and its search API, each at its own address. */
export interface NewsboardSettings {
  itemsUrl: string
  searchUrl: string
}

export interface Board extends NewsboardSettings {
  client: Client
}
