// The parts of an OpenAPI document that the page shows.

export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
  default?: unknown
}

interface Parameter {
  name: string
  required: boolean
  description?: string
  schema: Schema
}

export interface Described {
  tags: string[]
  summary: string
  operationId: string
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { description: string; content: Record<string, { schema: Schema }> }>
}

export interface DescribedEvent {
  tags: string[]
  summary: string
  parameters: Parameter[]
  requestBody: { content: { 'application/json': { schema: Schema; example: unknown } } }
  responses: Record<string, { description: string }>
}

export interface ApiDocument {
  info: { title: string; version: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Described>>
  /** By the kind of event. */
  webhooks: Record<string, { post: DescribedEvent }>
  components: { schemas: Record<string, Schema> }
}

/** A schema itself, or the one it refers to. */
export function resolve(schema: Schema, { components }: ApiDocument): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (components.schemas[name] ?? schema)
}
