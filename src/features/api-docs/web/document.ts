import { present } from '#domain/present.ts'
import { folded } from '#web/fold.ts'
import { t } from '#web/t.ts'

/** Subset of JSON Schema that the product's OpenAPI document uses. */
export type Schema = {
  type?: string
  format?: string
  pattern?: string
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  nullable?: boolean
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

type Content = Readonly<Record<string, { schema: Schema }>>

/** Operation of `/api/openapi.json`, with its method and path. */
export type Operation = {
  method: string
  path: string
  operationId: string
  summary: string
  description?: string
  tags: readonly string[]
  security?: unknown
  parameters: readonly { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }[]
  requestBody?: { content: Content }
  responses: Readonly<Record<string, { description: string; content?: Content }>>
}

type Paths = Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'method' | 'path'>>>>>

/** Returns all operations of the document. */
export const operationsOf = ({ paths }: { paths: Paths }): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, rest]) => ({ method: method.toUpperCase(), path, ...rest })),
  )

/** Families of operations with descriptions, in display order. */
export type Subjects = readonly { name: string; description: string }[]

/** Groups operations by family, in the order of `subjects`; omits families without a search result. */
export function groupsOf(
  all: readonly Operation[],
  subjects: Subjects,
  search: string,
): { family: string; title: string; all: Operation[] }[] {
  const words = folded(search).split(/\s+/).filter(Boolean)
  const titles = new Map(subjects.map(({ name, description }) => [name, description]))
  const titleOf = (family: string) => titles.get(family) ?? family
  const fits = (one: Operation) => {
    const text = folded([one.method, one.path, one.summary, one.operationId, titleOf(one.tags[0] ?? '')].join(' '))
    return words.every((word) => text.includes(word))
  }
  const byFamily = Map.groupBy(all.filter(fits), ({ tags }) => tags[0] ?? '')
  const order = [...titles.keys()]
  const rank = (family: string) => (order.includes(family) ? order.indexOf(family) : order.length)
  return [...byFamily]
    .map(([family, found]) => ({ family, title: titleOf(family), all: found }))
    .sort((a, b) => rank(a.family) - rank(b.family))
}

const types: Readonly<Record<string, string>> = {
  string: 'texto',
  integer: 'inteiro',
  number: t('número'),
  boolean: t('sim ou não'),
  object: 'objeto',
  null: 'nulo',
}
const formats: Readonly<Record<string, string>> = {
  'date-time': t('data e hora (ISO)'),
  date: 'data (AAAA-MM-DD)',
  uuid: 'UUID',
  uri: t('endereço'),
  email: 'e-mail',
  binary: 'arquivo',
}

const choicesOf = ({ anyOf, oneOf }: Schema): readonly Schema[] => anyOf ?? oneOf ?? []

/** Describes a schema's type in words: “lista de inteiro”, “texto ou nulo”, “a, b ou c”. */
export function typeText(schema: Schema): string {
  const choices = choicesOf(schema)
  const text = schema.enum
    ? schema.enum.map(String).join(', ')
    : schema.const !== undefined
      ? String(schema.const)
      : choices.length > 0
        ? [...new Set(choices.map(typeText))].join(' ou ')
        : schema.type === 'array'
          ? t('lista de {items}', { items: typeText(schema.items ?? {}) })
          : (formats[schema.format ?? ''] ?? types[schema.type ?? ''] ?? t('qualquer valor'))
  return schema.nullable ? t('{text} ou nulo', { text }) : text
}

/** Describes a schema's constraints: lengths, bounds, default. */
export function boundsText(schema: Schema): string {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, default: usual } = schema
  const range = (least: number | undefined, most: number | undefined, unit: string) => {
    const from = least !== undefined && Math.abs(least) < Number.MAX_SAFE_INTEGER ? least : undefined
    const to = most !== undefined && Math.abs(most) < Number.MAX_SAFE_INTEGER ? most : undefined
    if (from !== undefined && to !== undefined) return t('de {from} a {to}{unit}', { from, to, unit })
    return from !== undefined
      ? t('ao menos {from}{unit}', { from, unit })
      : to !== undefined
        ? t('até {to}{unit}', { to, unit })
        : ''
  }
  return [
    range(minLength, maxLength, ' caracteres'),
    range(minItems, maxItems, ' itens'),
    range(minimum, maximum, ''),
    usual === undefined ? '' : t('sem valor: {usual}', { usual: JSON.stringify(usual) }),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Row of a schema's table: depth, name and type of a field. */
export type SchemaRow = { depth: number; name: string; type: string; bounds: string; isRequired: boolean }

const DEEPEST = 5

/** Returns the fields of a schema as rows, nested ones below their parent. */
export function schemaRows(schema: Schema, depth = 0): SchemaRow[] {
  const inner = withFields(schema)
  if (!inner?.properties || depth > DEEPEST) return []
  return Object.entries(inner.properties).flatMap(([name, one]) => [
    { depth, name, type: typeText(one), bounds: boundsText(one), isRequired: inner.required?.includes(name) ?? false },
    ...schemaRows(one, depth + 1),
  ])
}

// Returns the part of a schema with fields: itself, its items, one of its choices, or all its parts merged.
function withFields(schema: Schema): Schema | undefined {
  if (schema.properties) return schema
  if (schema.items) return withFields(schema.items)
  if (schema.allOf) {
    const parts = schema.allOf.map(withFields).filter((part) => part !== undefined)
    return {
      properties: Object.assign({}, ...parts.map((part) => part.properties)),
      required: parts.flatMap((part) => part.required ?? []),
    }
  }
  return choicesOf(schema).map(withFields).find(Boolean)
}

const samples: Readonly<Record<string, unknown>> = { string: '', integer: 0, number: 0, boolean: false }

/** Returns a sample value of a schema: required fields, or all if none is required. */
export function sampleOf(schema: Schema, depth = 0): unknown {
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [choice] = choicesOf(schema)
  if (choice) return sampleOf(choice, depth)
  if (schema.type === 'array') return schema.items && depth < DEEPEST ? [sampleOf(schema.items, depth + 1)] : []
  const fields = withFields(schema)
  if (!fields?.properties || depth > DEEPEST)
    return samples[schema.type ?? ''] ?? (schema.type === 'object' ? {} : null)
  const wanted = fields.required?.length ? fields.required : Object.keys(fields.properties)
  return Object.fromEntries(wanted.map((name) => [name, sampleOf(present(fields.properties)[name] ?? {}, depth + 1)]))
}

/** Returns the path with its parameters filled in, and the query of the given values. */
export function addressOf(operation: Operation, values: Readonly<Record<string, string>>): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ''))
  const query = new URLSearchParams()
  for (const { name, in: location } of operation.parameters)
    if (location === 'query' && values[name]) query.append(name, values[name])
  return query.size > 0 ? `${path}?${query}` : path
}

/** Returns the request as a curl command; with a placeholder for the token. */
export function curlOf(origin: string, method: string, address: string, body: string | null): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  return [
    `curl -X ${method} ${quoted(origin + address)}`,
    `-H ${quoted('Authorization: Bearer SEU_TOKEN')}`,
    ...(body === null ? [] : [`-H ${quoted('Content-Type: application/json')}`, `-d ${quoted(body)}`]),
  ].join(' \\\n  ')
}
