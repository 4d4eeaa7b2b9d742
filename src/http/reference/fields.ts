import { type ApiDocument, resolve, type Schema } from './document.ts'
import { escape, prose } from './html.ts'

interface Field {
  name: string
  schema: Schema
  isRequired: boolean
}

export const FIELD_HEAD = ['Field', 'Type', 'Meaning']

/** Name, type and meaning of every field of an object, the inner ones too. */
export function fieldRows(
  schema: Schema,
  document: ApiDocument,
  marksRequired: boolean,
): string[][] {
  return fieldsOf(schema, document, '').map((field) => fieldRow(field, document, marksRequired))
}

export function fieldRow(
  { name, schema, isRequired }: Field,
  document: ApiDocument,
  marksRequired: boolean,
): string[] {
  const mark = marksRequired && isRequired ? ' <span class="required">required</span>' : ''
  const meaning = schema.description ?? resolve(schema, document).description ?? ''
  const fallback =
    schema.default === undefined ? '' : ` Default: \`${JSON.stringify(schema.default)}\`.`
  return [
    `<code>${escape(name)}</code>${mark}`,
    `<code>${escape(typeOf(schema, document))}</code>`,
    prose(meaning + fallback),
  ]
}

function fieldsOf(schema: Schema, document: ApiDocument, prefix: string): Field[] {
  const { properties = {}, required = [] } = resolve(schema, document)
  return Object.entries(properties).flatMap(([name, property]) => {
    const field = { name: prefix + name, schema: property, isRequired: required.includes(name) }
    const inside = property.items ?? property
    const path = property.items === undefined ? `${field.name}.` : `${field.name}[].`
    return [field, ...fieldsOf(inside, document, path)]
  })
}

function typeOf(given: Schema, document: ApiDocument): string {
  const schema = resolve(given, document)
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((one) => typeOf(one, document)).join(' | ')
  }
  if (schema.items === undefined) return [schema.type ?? 'any'].flat().join(' | ')
  const inner = typeOf(schema.items, document)
  return inner.includes('|') ? `(${inner})[]` : `${inner}[]`
}
