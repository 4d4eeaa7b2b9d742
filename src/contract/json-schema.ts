import { z } from 'zod'

export type Json = Record<string, unknown>

/** Schemas that have an id are put beside the operations and referred to. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const made = z.toJSONSchema(schema, { io, target: 'draft-2020-12' }) as Json
  const { $schema: _dialect, $defs, id: _id, ...rest } = withReferences(made)
  for (const [name, definition] of Object.entries(($defs as Json | undefined) ?? {})) {
    const { id: _own, ...plain } = definition as Json
    schemas[name] = plain
  }
  return rest
}

function withReferences(schema: Json): Json {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')
  return JSON.parse(text)
}
