import { z } from 'zod'

/** Schema of a text or id that some systems write as a number; parses to a text. */
export const textOrNumber = z.union([z.string(), z.number().transform(String)])

const digits = z
  .string()
  .regex(/^-?\d{1,20}(\.\d{1,20})?$/)
  .transform(Number)
/** Schema of a 64-bit number as Protocol Buffers libraries write it. */
const halves = z
  .looseObject({ low: z.number(), high: z.number().optional() })
  .transform(({ low, high = 0 }) => high * 2 ** 32 + (low >>> 0))

/** Schema of a number, also as text or in two halves; parses to a finite number. */
export const numberOrText = z.union([z.number(), digits, halves])

/** Schema of a boolean that some systems write as a text or a number; parses to a boolean. */
export const flag = z.union([
  z.boolean(),
  z.enum(['true', 'false', '1', '0', '']).transform((word) => word === 'true' || word === '1'),
  z.union([z.literal(0), z.literal(1)]).transform(Boolean),
])

/** Returns the schema of a list that some systems write as its only item; parses to a list. */
export const listOrOne = <S extends z.ZodType>(one: S) =>
  z.preprocess((given) => (given === undefined || Array.isArray(given) ? given : [given]), z.array(one))

/** Returns the schema of an object with only optional fields; unknown fields are preserved. */
export const record = <T extends z.ZodRawShape>(shape: T) => z.looseObject(shape).partial()
