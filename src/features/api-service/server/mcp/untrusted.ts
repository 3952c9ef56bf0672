import type { z } from 'zod'

type Definition = {
  type: string
  format?: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  items?: readonly z.ZodType[]
  rest?: z.ZodType | null
  innerType?: z.ZodType
  valueType?: z.ZodType
  out?: z.ZodType
  left?: z.ZodType
  right?: z.ZodType
  options?: readonly z.ZodType[]
  getter?: () => z.ZodType
}

const MOST_DEEP = 12
const known = new WeakMap<z.ZodType, readonly string[]>()

/**
 * Returns JSON pointers to the values of a schema that may contain free text: strings without a format (such as time or id),
 * and values that the schema does not describe; `*` is any index or key.
 */
export function freeTexts(schema: z.ZodType): readonly string[] {
  const before = known.get(schema)
  if (before) return before
  const found = [...new Set(within(schema, MOST_DEEP))]
  known.set(schema, found)
  return found
}

function within(schema: z.ZodType, deep: number): string[] {
  const definition: Definition = schema.def
  const { type, format, shape, element, items, rest, innerType, valueType, out, left, right, options, getter } =
    definition
  if (deep === 0) return ['']
  const inside = (part: z.ZodType, name = '') => within(part, deep - 1).map((path) => `${name}${path}`)
  if (type === 'string') return format ? [] : ['']
  if (type === 'unknown' || type === 'any' || type === 'custom' || type === 'transform') return ['']
  if (shape) return Object.entries(shape).flatMap(([name, part]) => inside(part, `/${escaped(name)}`))
  if (element) return inside(element, '/*')
  if (items) return [...items, ...(rest ? [rest] : [])].flatMap((part) => inside(part, '/*'))
  if (type === 'record' && valueType) return inside(valueType, '/*')
  if (type === 'lazy' && getter) return inside(getter())
  if (innerType) return inside(innerType)
  if (out) return inside(out)
  if (left && right) return [...inside(left), ...inside(right)]
  return (options ?? []).flatMap((part) => inside(part))
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
