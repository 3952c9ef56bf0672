import { z } from 'zod'
import { memberOf, present } from '#domain/present.ts'
import { fail } from './errors.ts'
import { type Field, type FieldValue, kindOf, schemaOf, startOf } from './fields/kinds.ts'
import { hintOf, maskOf } from './fields/secret.ts'

type PlainField = Extract<
  Field,
  { kind: 'text' | 'longtext' | 'number' | 'boolean' | 'choice' | 'color' | 'phone' | 'email' | 'url' | 'secret' }
>

/** A field of a provider's form: a field of a kind, with its meaning to the provider. */
export type ProviderField = PlainField & {
  /** What is said where it is required and a form that may be saved as a draft is switched on without it. */
  readonly missing?: string
  /**
   * Whether secrets must be entered again when it changes (or, with values given, becomes one of them), because they
   * would be sent elsewhere. A `url` always requires it.
   */
  readonly asksAgain?: true | readonly string[]
  /** For a secret: the hint shown when it must be entered again. */
  readonly again?: string
  /** Whether it is the provider's name of the account: its calls speak of the connection by it. */
  readonly isAccount?: true
  /** Default by another field's value; follows that field until edited. */
  readonly usual?: { readonly of: string; readonly is: Readonly<Record<string, string | number>> }
  /** What its provider has ended: it is drawn, with what replaces it, only while something stands in it. */
  readonly isOld?: true
  /** The values of another field with which it means something; with others it is not drawn. */
  readonly onlyFor?: { readonly of: string; readonly is: readonly string[] }
}

/** The fields of a provider's form by their names, in the order in which they are drawn. */
export type ProviderFields = Readonly<Record<string, ProviderField>>

/** A kind of provider, as data that the browser may read: `fields` draw its form, check it and keep its secrets. */
export type ProviderConfig = { readonly id: string; readonly name: string; readonly fields: ProviderFields }

/** What was filled in, by the names of the fields. */
export type ProviderValues = Readonly<Record<string, string | number | boolean | null>>

/** What a value of each field has to be; a draft may leave empty what is required. */
export function shapeOf<const F extends ProviderFields>(
  fields: F,
  options?: { isDraft?: boolean },
): { -readonly [K in keyof F]: z.ZodType<FieldValue<F[K]>, FieldValue<F[K]>> }
export function shapeOf(fields: ProviderFields, { isDraft = false } = {}): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, schemaOf(isDraft ? draftOf(field) : field)]),
  )
}

const draftOf = (field: ProviderField): Field => (kindOf(field).empty === '' ? { ...field, required: false } : field)

/** The schema of what a form of these fields sends; what may be left out, or is not drawn, gets what a form starts with. */
export const valuesSchema = (fields: ProviderFields): z.ZodType<ProviderValues, ProviderValues> => {
  const shape: Record<string, z.ZodType> = shapeOf(fields)
  const drafts: Record<string, z.ZodType> = shapeOf(fields, { isDraft: true })
  const schemaFor = ([name, field]: [string, ProviderField]) => {
    if (field.onlyFor) return memberOf(drafts, name).default(startOf(field))
    return field.required && field.default === undefined
      ? memberOf(shape, name)
      : memberOf(shape, name).default(startOf(field))
  }
  const values = z.strictObject(Object.fromEntries(Object.entries(fields).map((entry) => [entry[0], schemaFor(entry)])))
  // What is drawn only beside a value of another field is missed only there.
  const checked = values.superRefine((given, { addIssue }) => {
    const missing = missingOf(shownFields(fields, given), given)
    for (const [name, message] of Object.entries(missing))
      if (memberOf(fields, name).onlyFor) addIssue({ code: 'custom', path: [name], message })
  })
  return checked as unknown as z.ZodType<ProviderValues, ProviderValues>
}

/** What a form of these fields starts with. */
export function startValues<const F extends ProviderFields>(fields: F): { -readonly [K in keyof F]: FieldValue<F[K]> }
export function startValues(fields: ProviderFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, startOf(field)]))
}

/** Sentences for the required fields that are empty, by their names. */
export const missingOf = (fields: ProviderFields, values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.required && (values[name] ?? kindOf(field).empty) === kindOf(field).empty
        ? [[name, field.missing ?? 'Preencha este campo.']]
        : [],
    ),
  )

/**
 * Encrypted secrets by field name; `hint` is the visible end. For expiring ones: expiry and last renewal attempt (epoch
 * ms).
 */
export type StoredSecrets = Readonly<
  Record<
    string,
    { readonly encrypted: string; readonly hint: string; readonly until?: number; readonly triedAt?: number }
  >
>

/** What was filled in, as it is stored: secrets apart. */
export type StoredValues = { readonly config: Readonly<Record<string, unknown>>; readonly secrets: StoredSecrets }

/** Returns those values that are texts. */
export const textValues = (values: ProviderValues): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  )

/** Nothing filled in yet. */
export const NO_VALUES: StoredValues = { config: {}, secrets: {} }

const isSecret = ({ kind }: ProviderField): boolean => kind === 'secret'

/** What was filled in, as it may be shown: a secret is `••••` and its end, '' where there is none. */
export function shownValues(fields: ProviderFields, { config, secrets }: StoredValues): ProviderValues {
  const shown = (name: string, field: ProviderField) =>
    isSecret(field) ? (secrets[name] ? maskOf(secrets[name].hint) : '') : config[name]
  const all = Object.entries(fields).map(([name, field]) => [name, shown(name, field)] as const)
  return Object.fromEntries(all.filter(([, value]) => value !== undefined)) as ProviderValues
}

/** What was filled in, as an adapter needs it: secrets in the clear. */
export const plainValues = (
  { config, secrets }: StoredValues,
  decrypt: (encrypted: string) => string,
): ProviderValues => ({
  ...(config as ProviderValues),
  ...Object.fromEntries(Object.entries(secrets).map(([name, { encrypted }]) => [name, decrypt(encrypted)])),
})

/**
 * Returns the values of a form to store. A secret that comes back masked is kept, unless an address or an `asksAgain`
 * field changed. Throws a sentence for each such field, named after `prefix`.
 */
export function mergeValues(
  fields: ProviderFields,
  values: ProviderValues,
  before: StoredValues,
  { encrypt, prefix = '' }: { encrypt: (plain: string) => string; prefix?: string },
): { config: ProviderValues; secrets: StoredSecrets } {
  const shown = shownValues(fields, before)
  const secrets = Object.entries(fields).filter(([, field]) => isSecret(field))
  const isUnchanged = (name: string) => before.secrets[name] !== undefined && values[name] === shown[name]
  const isElsewhere = Object.entries(fields).some(
    ([name, field]) => name in before.config && values[name] !== before.config[name] && asksAgain(field, values[name]),
  )
  const refused = secrets.filter(([name]) =>
    isUnchanged(name) ? isElsewhere : String(values[name]).startsWith(maskOf('')),
  )
  if (refused.length > 0)
    fail(
      'ERR_VALIDATION',
      Object.fromEntries(
        refused.map(([name, { again = 'Informe o segredo de novo.' }]) => [`${prefix}${name}`, again]),
      ),
    )
  const stored = secrets.flatMap(([name]) => {
    const plain = String(values[name] ?? '')
    if (isUnchanged(name)) return [[name, memberOf(before.secrets, name)] as const]
    return plain ? [[name, { encrypted: encrypt(plain), hint: hintOf(plain) }] as const] : []
  })
  const open = Object.entries(fields).filter(([, field]) => !isSecret(field))
  return {
    config: Object.fromEntries(open.map(([name]) => [name, values[name] ?? null])),
    secrets: Object.fromEntries(stored),
  }
}

const asksAgain = ({ kind, asksAgain: when }: ProviderField, value: unknown): boolean =>
  kind === 'url' || (Array.isArray(when) ? when.includes(value) : when === true)

/** The fields that mean something beside these values, by their names. */
export const shownFields = (fields: ProviderFields, values: Readonly<Record<string, unknown>>): ProviderFields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, { onlyFor, isOld }]) =>
        (!onlyFor || onlyFor.is.includes(String(values[onlyFor.of]))) && !(isOld && !values[name]),
    ),
  )

/** The account that values speak of, as the provider names it; null where it names none. */
export function accountOf(fields: ProviderFields, values: ProviderValues): string | null {
  const name = Object.keys(fields).find((key) => memberOf(fields, key).isAccount)
  return (name && String(values[name] ?? '')) || null
}

/** The values after one was changed: what usually goes with it follows. */
export function withUsual(
  fields: ProviderFields,
  values: ProviderValues,
  name: string,
  value: unknown,
): ProviderValues {
  const following = Object.entries(fields).filter(
    ([key, { usual }]) => usual?.of === name && values[key] === usual.is[String(values[name])],
  )
  return {
    ...values,
    [name]: value as ProviderValues[string],
    ...Object.fromEntries(
      following.map(([key, { usual }]) => [key, present(usual).is[String(value)] ?? memberOf(values, key)]),
    ),
  }
}
