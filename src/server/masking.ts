import type { z } from 'zod'
import { maskOf } from '#kit/hidden.ts'

type Masking = (value: unknown) => unknown

/** Returns a parsed value as this person may read it: restricted users get customers' data masked. */
export function shownTo<T>(person: { readonly restrictedUser: boolean }, schema: z.ZodType, value: T): T {
  const masking = person.restrictedUser ? maskingOf(schema) : null
  return masking ? (masking(value) as T) : value
}

const known = new WeakMap<z.ZodType, { masking: Masking | null }>()

/** Returns the masking of a schema's values; null where nothing in it is hidden. Cached per schema. */
export function maskingOf(schema: z.ZodType): Masking | null {
  const before = known.get(schema)
  if (before) return before.masking
  const masking = maskOf(schema) ?? inside(schema)
  known.set(schema, { masking })
  return masking
}

type Definition = {
  type: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  innerType?: z.ZodType
  valueType?: z.ZodType
  out?: z.ZodType
  options?: readonly z.ZodType[]
}

function inside(schema: z.ZodType): Masking | null {
  const { type, shape, element, innerType, valueType, out, options }: Definition = schema.def
  if (shape) return ofObject(shape)
  if (element) return over(maskingOf(element), (one, value) => (Array.isArray(value) ? value.map(one) : []))
  if (innerType) return over(maskingOf(innerType), (one, value) => (value == null ? value : one(value)))
  if (type === 'record' && valueType) return over(maskingOf(valueType), ofRecord)
  if (out) return maskingOf(out)
  if (options?.some(maskingOf)) throw new Error('hidden data in a union: mark the union itself')
  return null
}

function ofObject(shape: Record<string, z.ZodType>): Masking | null {
  const parts = Object.entries(shape).flatMap(([key, part]) => {
    const masking = maskingOf(part)
    return masking ? [[key, masking] as const] : []
  })
  if (parts.length === 0) return null
  return (value) => {
    const masked: Record<string, unknown> = { ...(typeof value === 'object' ? value : null) }
    for (const [key, masking] of parts) if (key in masked) masked[key] = masking(masked[key])
    return masked
  }
}

const ofRecord = (one: Masking, value: unknown) =>
  Object.fromEntries(Object.entries(value ?? {}).map(([key, part]) => [key, one(part)]))

const over = (one: Masking | null, apply: (one: Masking, value: unknown) => unknown): Masking | null =>
  one && ((value) => apply(one, value))
