import { z } from 'zod'

/** Text or id that some systems write as a number; read as a text. */
export const textOrNumber = z.union([z.string(), z.number().transform(String)])

const digits = z
  .string()
  .regex(/^-?\d{1,20}(\.\d{1,20})?$/)
  .transform(Number)
/** Number of 64 bits as Protocol Buffers libraries write it. */
const halves = z
  .looseObject({ low: z.number(), high: z.number().optional() })
  .transform(({ low, high = 0 }) => high * 2 ** 32 + (low >>> 0))

/** Number, also as text or in its two halves; read as a finite number. */
export const numberOrText = z.union([z.number(), digits, halves])

/** Boolean that some systems write as a text or a number; read as a boolean. */
export const flag = z.union([
  z.boolean(),
  z.enum(['true', 'false', '1', '0', '']).transform((word) => word === 'true' || word === '1'),
  z.union([z.literal(0), z.literal(1)]).transform(Boolean),
])

/** List that some systems write as its only item; read as a list. */
export const listOrOne = <S extends z.ZodType>(one: S) =>
  z.preprocess((given) => (given === undefined || Array.isArray(given) ? given : [given]), z.array(one))

/** An object with only optional fields; unknown fields are kept. */
export const record = <T extends z.ZodRawShape>(shape: T) => z.looseObject(shape).partial()
