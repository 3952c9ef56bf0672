import { z } from 'zod'
import { memberOf, present } from '#domain/present.ts'
import { fail } from './errors.ts'
import { type Field, type FieldValue, kindOf, schemaOf, startOf } from './fields/kinds.ts'
import { hintOf, maskOf } from './fields/secret.ts'

type PlainField = Extract<
  Field,
  { kind: 'text' | 'longtext' | 'number' | 'boolean' | 'choice' | 'color' | 'phone' | 'email' | 'url' | 'secret' }
>

/** Field of a provider's form: a field of a kind, with its meaning to the provider. */
export type ProviderField = PlainField & {
  /** Error text where a required value is missing when a form that may be saved as a draft is switched on. */
  readonly missing?: string
  /**
   * Whether secrets must be entered again when it changes (or, with values given, becomes one of them), because they
   * would be sent elsewhere. A `url` always requires it.
   */
  readonly asksAgain?: true | readonly string[]
  /** Hint of a secret that must be entered again. */
  readonly again?: string
  /** Whether it is the provider's name of the account: its calls speak of the connection by it. */
  readonly isAccount?: true
  /** Default by another field's value; follows that field until edited. */
  readonly usual?: { readonly of: string; readonly is: Readonly<Record<string, string | number>> }
  /** The provider no longer supports it: drawn, with its replacement, only while it has a value. */
  readonly isOld?: true
  /** Values of another field for which this field applies; with others it is not drawn. */
  readonly onlyFor?: { readonly of: string; readonly is: readonly string[] }
}

/** Fields of a provider's form by name, in display order. */
export type ProviderFields = Readonly<Record<string, ProviderField>>

/** Specification of a provider, readable by the browser: `fields` define its form, its validation and its secrets. */
export type ProviderConfig = { readonly id: string; readonly name: string; readonly fields: ProviderFields }

/** Entered values by field name. */
export type ProviderValues = Readonly<Record<string, string | number | boolean | null>>

/** Returns the schemas of the fields' values; in a draft, required fields may be empty. */
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

/** Returns the schema of a form of these fields; values that are left out, or not drawn, get the form's initial values. */
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
  // A field that is drawn only beside another field's value is required only there.
  const checked = values.superRefine((given, { addIssue }) => {
    const missing = missingOf(shownFields(fields, given), given)
    for (const [name, message] of Object.entries(missing))
      if (memberOf(fields, name).onlyFor) addIssue({ code: 'custom', path: [name], message })
  })
  return checked as unknown as z.ZodType<ProviderValues, ProviderValues>
}

/** Returns the initial values of a form of these fields. */
export function startValues<const F extends ProviderFields>(fields: F): { -readonly [K in keyof F]: FieldValue<F[K]> }
export function startValues(fields: ProviderFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, startOf(field)]))
}

/** Returns error texts for the required fields that are empty, by name. */
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

/** Entered values as stored, with secrets apart. */
export type StoredValues = { readonly config: Readonly<Record<string, unknown>>; readonly secrets: StoredSecrets }

/** Returns those values that are texts. */
export const textValues = (values: ProviderValues): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  )

/** Values of an empty form. */
export const NO_VALUES: StoredValues = { config: {}, secrets: {} }

const isSecret = ({ kind }: ProviderField): boolean => kind === 'secret'

/** Returns entered values for display: a secret is `••••` and its end, '' without one. */
export function shownValues(fields: ProviderFields, { config, secrets }: StoredValues): ProviderValues {
  const shown = (name: string, field: ProviderField) =>
    isSecret(field) ? (secrets[name] ? maskOf(secrets[name].hint) : '') : config[name]
  const all = Object.entries(fields).map(([name, field]) => [name, shown(name, field)] as const)
  return Object.fromEntries(all.filter(([, value]) => value !== undefined)) as ProviderValues
}

/** Returns entered values for an adapter: secrets decrypted. */
export const plainValues = (
  { config, secrets }: StoredValues,
  decrypt: (encrypted: string) => string,
): ProviderValues => ({
  ...(config as ProviderValues),
  ...Object.fromEntries(Object.entries(secrets).map(([name, { encrypted }]) => [name, decrypt(encrypted)])),
})

/**
 * Merges a form into stored values. A secret that is sent back masked stays stored, unless a URL or an `asksAgain` field
 * changed. Throws a sentence for each such field, named after `prefix`.
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

/** Returns the names of the fields that apply to these values. */
export const shownFields = (fields: ProviderFields, values: Readonly<Record<string, unknown>>): ProviderFields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, { onlyFor, isOld }]) =>
        (!onlyFor || onlyFor.is.includes(String(values[onlyFor.of]))) && !(isOld && !values[name]),
    ),
  )

/** Returns the account id at the provider that the values contain; null without one. */
export function accountOf(fields: ProviderFields, values: ProviderValues): string | null {
  const name = Object.keys(fields).find((key) => memberOf(fields, key).isAccount)
  return (name && String(values[name] ?? '')) || null
}

/** Returns the values after a change of one: defaults that depend on it follow. */
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
