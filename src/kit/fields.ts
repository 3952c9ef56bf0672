import { z } from 'zod'
import { issueText } from './issue-text.ts'

// Default messages of schemas, on the server and in forms.
z.config({ customError: issueText })

/** Schema of an entity's id, a positive whole number (decision B1); texts from addresses are accepted. */
export const id = z.coerce.number<number | string>().int().positive('Escolha um da lista.').max(Number.MAX_SAFE_INTEGER)

/** Returns the schema of an id chosen in a form, with the error text for none. */
export const chosenId = (nothing: string) =>
  z.coerce.number<number | string>({ error: nothing }).int(nothing).positive(nothing).max(Number.MAX_SAFE_INTEGER)

/** Schema of a UUID: messages, journal entries, uploads, sessions. */
export const uuid = z.uuid()

/** Returns a schema of an ISO time in UTC that also accepts a Date, whatever its input type says. */
export const timeFrom = <I>(error?: string): z.ZodType<string, I> =>
  z.preprocess<unknown, z.ZodISODateTime, I>((v: I) => (v instanceof Date ? v.toISOString() : v), z.iso.datetime(error))

/** Schema of an ISO time in UTC; handlers may return a Date. */
export const isoTime = timeFrom<Date | string>()

/** Schema of an ISO time in responses that are typed as text; stored rows may hold a Date. */
export const rowTime = timeFrom<string>()

/** Schema of a timestamp in milliseconds since 1970; handlers may return a Date. */
export const epochMs: z.ZodType<number, Date | number> = z.preprocess(
  (v: Date | number) => (v instanceof Date ? v.getTime() : v),
  z.number().int(),
)

const LAST_MOMENT = Date.UTC(9999, 11, 31)

/**
 * Schema of a moment given by a caller, in milliseconds since 1970; up to the year 9999, as far as clocks and databases
 * agree.
 */
export const moment = z.coerce.number<number | string>().int().min(0).max(LAST_MOMENT)

/** Schema of a duration in milliseconds; at most a day. */
export const duration = z.coerce.number<number | string>().int().min(0).max(86_400_000)

/** Schema of a day (AAAA-MM-DD) given by a caller, of this century or its neighbours. */
export const day = z.iso
  .date('Informe o dia (AAAA-MM-DD).')
  .refine((value) => value > '1899' && value < '2200', 'Informe um dia entre 1900 e 2199.')

/** Schema of a switch on the wire: 'enabled' or 'disabled'. */
export const onOff = z.enum(['enabled', 'disabled'])

/** Returns the schema of a repeated query parameter: none → undefined, one value → array of one (decision B5). */
export const many = <T extends z.ZodType>(one: T) =>
  z.preprocess(
    (v: z.input<T> | z.input<T>[] | undefined) => (v === undefined ? undefined : Array.isArray(v) ? v : [v]),
    z.array(one).max(500).optional(),
  )

/** Schema of a switch in an address: 'true', '1', 'enabled' are on. */
export const flag = z.preprocess(
  (v: boolean | string | undefined) => (typeof v === 'string' ? ['true', '1', 'enabled'].includes(v) : v),
  z.boolean().optional(),
)

/** Schema of a switch in a body that may be a form: accepts 'true' and 'false' as texts; omitted: off. */
export const formFlag: z.ZodType<boolean, boolean | string | undefined> = z.preprocess(
  (v: boolean | string | undefined) => (v === 'true' ? true : v === 'false' ? false : v),
  z.boolean().default(false),
)

/** Wraps a schema for forms, where everything is text: parses a text as JSON first. */
export const inForm = <T extends z.ZodType>(schema: T) =>
  z.preprocess((given: z.input<T> | string) => (typeof given === 'string' ? parsed(given) : given), schema)

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

/** Returns the schema of a trimmed text with Portuguese errors; `min` 1 makes it required. */
export const text = (max: number, min = 0) => {
  const base = z.string({ error: 'Preencha este campo.' }).trim().max(max, `Use no máximo ${max} caracteres.`)
  return min > 0 ? base.min(min, min === 1 ? 'Preencha este campo.' : `Use ao menos ${min} caracteres.`) : base
}

/** Schema of an e-mail address, trimmed and in lower case. */
export const email = z
  .string({ error: 'Informe o e-mail.' })
  .trim()
  .toLowerCase()
  .max(254, 'Use no máximo 254 caracteres.')
  .pipe(z.email('Informe um e-mail válido.'))

/** Schema of a colour, `#RRGGBB`. */
export const color = z.string({ error: 'Escolha uma cor.' }).regex(/^#[0-9a-fA-F]{6}$/, 'Escolha uma cor.')

/** Schema of every list's query: a page number up to 50, or the `nextCursor` of the previous answer (decision B3). */
export const pageQuery = z.object({
  pageNumber: z.coerce.number<number | string>().int().min(1).default(1),
  cursor: z.string().max(500).optional(),
  searchParam: z.string().trim().max(200).optional(),
})

/** Schema fields of every list's answer, beside its rows. */
export const pageAnswer = {
  count: z.number().int(),
  countIsCapped: z.boolean().optional(),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
}

/** Schema of an answer without a result. */
export const done = z.object({ message: z.string() })
