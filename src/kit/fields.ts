import { z } from 'zod'
import { issueText } from './issue-text.ts'

// What a schema has no sentence of its own for is said in this way, by the server and by forms.
z.config({ customError: issueText })

/** A positive whole number as the API uses it for entities (decision B1); text from addresses is accepted. */
export const id = z.coerce.number<number | string>().int().positive('Escolha um da lista.').max(Number.MAX_SAFE_INTEGER)

/** Id chosen in a form, with the error text for none. */
export const chosenId = (nothing: string) =>
  z.coerce.number<number | string>({ error: nothing }).int(nothing).positive(nothing).max(Number.MAX_SAFE_INTEGER)

/** A UUID: messages, journal entries, uploads, sessions. */
export const uuid = z.uuid()

/** An ISO time in UTC on the wire; handlers may return a Date. */
export const isoTime = z.preprocess((v) => (v instanceof Date ? v.toISOString() : v), z.iso.datetime()) as z.ZodType<
  string,
  Date | string
>

/** Milliseconds since 1970, where the specification says timestamp; handlers may return a Date. */
export const epochMs = z.preprocess((v) => (v instanceof Date ? v.getTime() : v), z.number().int()) as z.ZodType<
  number,
  Date | number
>

const LAST_MOMENT = Date.UTC(9999, 11, 31)

/** Moment given by a caller, in milliseconds since 1970; up to the year 9999, as far as clocks and databases agree. */
export const moment = z.coerce.number<number | string>().int().min(0).max(LAST_MOMENT)

/** Duration in milliseconds; at most a day. */
export const duration = z.coerce.number<number | string>().int().min(0).max(86_400_000)

/** Day (AAAA-MM-DD) given by a caller, of this century or its neighbours. */
export const day = z.iso
  .date('Informe o dia (AAAA-MM-DD).')
  .refine((value) => value > '1899' && value < '2200', 'Informe um dia entre 1900 e 2199.')

/** 'enabled' or 'disabled': the wire's form of almost every switch. */
export const onOff = z.enum(['enabled', 'disabled'])

/** A repeated query parameter: none → undefined, one value → array of one (decision B5). */
export const many = <T extends z.ZodType>(one: T) =>
  z.preprocess(
    (v) => (v === undefined ? undefined : Array.isArray(v) ? v : [v]),
    z.array(one).max(500).optional(),
  ) as unknown as z.ZodOptional<z.ZodType<z.output<T>[], z.input<T> | z.input<T>[]>>

/** A switch in an address: 'true', '1', 'enabled' are on. */
export const flag = z.preprocess(
  (v) => (typeof v === 'string' ? ['true', '1', 'enabled'].includes(v) : v),
  z.boolean().optional(),
) as unknown as z.ZodOptional<z.ZodType<boolean, boolean | string>>

/** Switch in a body that may be a form: 'true' and 'false' are accepted as texts too; left out it is off. */
export const formFlag = z.preprocess(
  (v) => (v === 'true' ? true : v === 'false' ? false : v),
  z.boolean().default(false),
) as z.ZodType<boolean, boolean | string | undefined>

/** Wraps a schema for forms, where everything is text: parses a text as JSON first. */
export const inForm = <T extends z.ZodType>(schema: T) =>
  z.preprocess((given) => (typeof given === 'string' ? parsed(given) : given), schema) as unknown as z.ZodType<
    z.output<T>,
    z.input<T> | string
  >

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

/** Trimmed text with Portuguese limits; `min` 1 makes it required. */
export const text = (max: number, min = 0) => {
  const base = z.string({ error: 'Preencha este campo.' }).trim().max(max, `Use no máximo ${max} caracteres.`)
  return min > 0 ? base.min(min, min === 1 ? 'Preencha este campo.' : `Use ao menos ${min} caracteres.`) : base
}

/** An e-mail, trimmed and in lower case, as it is stored. */
export const email = z
  .string({ error: 'Informe o e-mail.' })
  .trim()
  .toLowerCase()
  .max(254, 'Use no máximo 254 caracteres.')
  .pipe(z.email('Informe um e-mail válido.'))

/** `#RRGGBB`. */
export const color = z.string({ error: 'Escolha uma cor.' }).regex(/^#[0-9a-fA-F]{6}$/, 'Escolha uma cor.')

/** Query of every list: a page number up to 50, or the `nextCursor` of the previous answer (decision B3). */
export const pageQuery = z.object({
  pageNumber: z.coerce.number<number | string>().int().min(1).default(1),
  cursor: z.string().max(500).optional(),
  searchParam: z.string().trim().max(200).optional(),
})

/** Fields of every list's answer, beside its rows. */
export const pageAnswer = {
  count: z.number().int(),
  countIsCapped: z.boolean().optional(),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
}

/** Answer of an operation without a result. */
export const done = z.object({ message: z.string() })
