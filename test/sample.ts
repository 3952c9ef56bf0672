import { z } from 'zod'

type Schema = {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: unknown
  items?: Schema
  minItems?: number
  minLength?: number
  format?: string
  pattern?: string
  minimum?: number
  default?: unknown
  examples?: unknown[]
}

const schemas = new WeakMap<z.ZodType, Schema>()

/** Returns the JSON schema of a caller's input. */
export function inputSchema(type: z.ZodType): Schema {
  const known = schemas.get(type)
  if (known) return known
  const made = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Schema
  schemas.set(type, made)
  return made
}

/** Texts that patterns of contracts are tried on. */
const texts = [
  'Texto de teste',
  'texto-de-teste-com-tamanho',
  '#1C5D99',
  '12.50',
  'loja.com.br',
  '1968-03-14',
  '5511987654321',
  '482913',
]

const formats: Readonly<Record<string, string>> = {
  uuid: '01940000-0000-7000-8000-000000000000',
  email: 'pessoa@teste.dev',
  date: '1968-03-14',
  'date-time': '2026-11-20T12:00:00Z',
}

/** Returns a value that is valid for the schema, with the required fields only; fields have their own samples. */
export function sample(schema: Schema): unknown {
  if (schema.examples?.length) return schema.examples[0]
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.oneOf) return sample(schema.oneOf[0] ?? {})
  if (schema.anyOf) return sample(schema.anyOf.find((one) => one.type !== 'null') ?? {})
  switch (schema.type) {
    case 'object': {
      const { properties = {}, required = [] } = schema
      return Object.fromEntries(required.map((key) => [key, sample(properties[key] ?? {})]))
    }
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}))
    case 'number':
    case 'integer':
      return Math.max(1, schema.minimum ?? 1)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return textOf(schema)
  }
}

function textOf({ format, pattern, minLength = 1 }: Schema): string {
  const known = format && formats[format]
  if (known) return known
  const fits = texts.find((text) => text.length >= minLength && (!pattern || new RegExp(pattern).test(text)))
  if (!fits) throw new Error(`no sample for ${pattern ?? minLength}: add one to test/sample.ts`)
  return fits
}
