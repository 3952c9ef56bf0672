import { z } from 'zod'
import { fail } from '#kit/errors.ts'
import { hintOf, maskOf } from '#kit/fields/secret.ts'
import { type ProviderField, type ProviderValues, valuesSchema } from '#kit/provider-fields.ts'
import { readInput } from '#server/http/answer-error.ts'
import type { Platform } from '#server/platform.ts'

/** Secrets as they are stored, by the names of their fields; `hint` is the end by which people know them again. */
export type StoredSecrets = Readonly<Record<string, { readonly encrypted: string; readonly hint: string }>>

/** Whose secret it is, a connection's or an app's: it cannot be read for another. */
export type Of = { readonly tenantId: number; readonly id: number } | { readonly appId: number }

const boundTo = (of: Of): string =>
  'appId' in of ? `provider_apps/${of.appId}` : `${of.tenantId}/connections/${of.id}`

/** Encrypts a secret of a connection or an app (decision B13). */
export const encrypt = ({ secrets }: Platform, of: Of, plain: string): string => secrets.encrypt(plain, boundTo(of))

/** Such a secret in the clear. */
export const decrypt = ({ secrets }: Platform, of: Of, encrypted: string): string =>
  secrets.decrypt(encrypted, boundTo(of))

const isSecret = ({ kind }: ProviderField): boolean => kind === 'secret'

/** What was filled in, as it may be shown. */
export function shownValues(
  fields: readonly ProviderField[],
  config: Readonly<Record<string, unknown>>,
  secrets: StoredSecrets,
): ProviderValues {
  const shown = (field: ProviderField) => {
    if (!isSecret(field)) return config[field.name]
    const stored = secrets[field.name]
    return stored ? maskOf(stored.hint) : ''
  }
  const all = fields.map((field) => [field.name, shown(field)] as const)
  return Object.fromEntries(all.filter((pair): pair is [string, string | number | boolean] => pair[1] !== undefined))
}

/** What was filled in, as the adapter needs it: secrets in the clear. */
export const plainValues = (
  platform: Platform,
  of: Of,
  { config, secrets }: { config: object; secrets: StoredSecrets },
): ProviderValues => ({
  ...(config as ProviderValues),
  ...Object.fromEntries(
    Object.entries(secrets).map(([name, { encrypted }]) => [name, decrypt(platform, of, encrypted)]),
  ),
})

/**
 * What is to be kept of a form. A secret that comes back as it was shown stays, unless it would be told to somebody else
 * from now on: whoever changes an address has to know what is sent there. Fails with a sentence for each wrong field.
 */
export function mergeValues(
  platform: Platform,
  of: Of,
  fields: readonly ProviderField[],
  given: ProviderValues,
  before: { config: Readonly<Record<string, unknown>>; secrets: StoredSecrets } = { config: {}, secrets: {} },
): { config: ProviderValues; secrets: StoredSecrets } {
  const shown = shownValues(fields, before.config, before.secrets)
  const isKept = (field: ProviderField) =>
    isSecret(field) && before.secrets[field.name] !== undefined && given[field.name] === shown[field.name]
  const values = readValues(fields, given)
  const isElsewhere = fields.some(
    ({ name, kind, isAddress }) =>
      (kind === 'url' || isAddress) && name in before.config && values[name] !== before.config[name],
  )
  const refused = fields.filter((field) =>
    isKept(field) ? isElsewhere : isSecret(field) && String(values[field.name]).startsWith(maskOf('')),
  )
  if (refused.length > 0)
    fail(
      'ERR_VALIDATION',
      Object.fromEntries(refused.map(({ name }) => [`values.${name}`, 'Informe o segredo de novo.'])),
    )
  const secrets = fields.filter(isSecret).flatMap((field) => {
    const plain = String(values[field.name])
    if (isKept(field)) return [[field.name, before.secrets[field.name]!] as const]
    return plain ? [[field.name, { encrypted: encrypt(platform, of, plain), hint: hintOf(plain) }] as const] : []
  })
  const config = fields.filter((field) => !isSecret(field)).map(({ name }) => [name, values[name]!] as const)
  return { config: Object.fromEntries(config), secrets: Object.fromEntries(secrets) }
}

// A field is named as it stands in the form.
function readValues(fields: readonly ProviderField[], values: ProviderValues): ProviderValues {
  return readInput(z.object({ values: valuesSchema(fields) }), { values }).values
}
