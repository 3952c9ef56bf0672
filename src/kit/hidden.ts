import type { z } from 'zod'

/** Returns the masked value that a restricted user receives. */
type Mask = { mask(value: unknown): unknown }

const marks = new WeakMap<object, Mask>()

/**
 * Marks a part of an answer or event as a customer's data: restricted users get what the mask leaves (product facts 6.4).
 * The server applies it wherever the schema is used; a new operation is covered by using the schema.
 */
export function hidden<T extends z.ZodType>(schema: T, mask: (value: z.output<T>) => z.output<T>): T {
  marks.set(schema, { mask })
  return schema
}

/** Returns the mask that a schema was marked with; undefined without one. */
export const maskOf = (schema: object): Mask['mask'] | undefined => marks.get(schema)?.mask
