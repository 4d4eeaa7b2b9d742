// What a source may ask of the network. There is one implementation, `polite-client.ts`.

import type { z } from 'zod'

/** What an answer said about itself, to be sent back with the next request for the same address. */
export interface Validators {
  etag?: string | undefined
  lastModified?: string | undefined
}

export interface RequestTerms {
  signal: AbortSignal
  headers?: Record<string, string>
  /** Makes the request conditional. */
  validators?: Validators | null
  /** Whether a redirect to this place means that what was asked for does not exist. */
  isGone?: (target: URL) => boolean
}

/** A 2xx or 304. Every other answer, and none, is thrown as a SourceError. */
export interface Answer {
  /** Nothing has changed since the validators were given; the body is empty. */
  notModified: boolean
  headers: Record<string, string>
  body: string
  validators: Validators
}

export interface Client extends AsyncDisposable {
  /** Paced, with retries, a deadline and a size cap. */
  get(url: URL, terms: RequestTerms): Promise<Answer>
  post(url: URL, terms: RequestTerms & { form: Record<string, string> }): Promise<Answer>
}

/** Reads JSON by a schema. What is no JSON, or another shape, is a SourceError `unreadable`. */
export type ReadJson = <Schema extends z.ZodType>(
  answer: Answer,
  schema: Schema,
) => z.output<Schema>
