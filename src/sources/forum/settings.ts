export interface ForumSettings {
  apiUrl: string
  webUrl: string
  /** Null: the forum is read through its public feeds. */
  credentials: Credentials | null
}

export interface Credentials {
  id: string
  secret: string
}
