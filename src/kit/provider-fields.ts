import { z } from 'zod'
import { color, email } from './fields.ts'

/** What a person fills in for somebody else's system, as data: forms, validation and masking are drawn from it. */
export type ProviderField = {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'longtext' | 'number' | 'boolean' | 'choice' | 'url' | 'secret' | 'email' | 'phone' | 'color'
  readonly help?: string
  /** Whether it may not stay empty. */
  readonly isRequired?: boolean
  /** Whether secrets are told to whoever answers there: when it changes, they are asked for again. `url` always is. */
  readonly isAddress?: boolean
  /** Whether it is the provider's name of the account: its calls speak of the connection by it. */
  readonly isAccount?: boolean
  /** Least and most of a number, or of a text's characters. */
  readonly min?: number
  readonly max?: number
  /** What a choice offers, the first by default. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
}

/** What was filled in, by the names of the fields. */
export type ProviderValues = Readonly<Record<string, string | number | boolean>>

const LONGEST: Readonly<Record<string, number>> = { text: 300, longtext: 5000, secret: 5000, url: 2000, phone: 30 }

/** The schema of what a form of these fields sends; what is left out gets the empty value of its kind. */
export const valuesSchema = (fields: readonly ProviderField[]): z.ZodType<ProviderValues> =>
  z.strictObject(Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])))

function schemaOf(field: ProviderField): z.ZodType<string | number | boolean> {
  const { kind, isRequired, choices = [], min, max } = field
  if (kind === 'boolean') return z.boolean().default(false)
  if (kind === 'number') {
    const number = z
      .number()
      .min(min ?? Number.MIN_SAFE_INTEGER)
      .max(max ?? Number.MAX_SAFE_INTEGER)
    return isRequired ? number : number.default(min ?? 0)
  }
  if (kind === 'choice') {
    const values = choices.map(({ value }) => value)
    const choice = z.enum(values, { error: 'Escolha uma das opções.' })
    return isRequired ? choice : choice.default(values[0] ?? '')
  }
  const text = textOf(kind, max ?? LONGEST[kind] ?? 300, isRequired ? Math.max(1, min ?? 1) : (min ?? 0))
  return isRequired ? text : z.union([z.literal(''), text], { error: errorOf(text) }).default('')
}

const errorOf = (schema: z.ZodType) => (issue: { input?: unknown }) =>
  schema.safeParse(issue.input).error?.issues[0]?.message

function textOf(kind: ProviderField['kind'], max: number, min: number): z.ZodType<string> {
  if (kind === 'email') return email
  if (kind === 'color') return color
  const text = z
    .string({ error: 'Preencha este campo.' })
    .trim()
    .min(min, min === 1 ? 'Preencha este campo.' : `Use ao menos ${min} caracteres.`)
    .max(max, `Use no máximo ${max} caracteres.`)
  if (kind === 'url')
    return text.pipe(z.url({ protocol: /^https?$/, error: 'Informe um endereço com http:// ou https://.' }))
  if (kind === 'phone') return text.regex(/^\+?[\d\s().-]{8,30}$/, 'Informe um telefone com DDD.')
  return text
}
