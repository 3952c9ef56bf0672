import { z } from 'zod'
import { memberOf } from '#domain/present.ts'
import * as provider from '#kit/provider.ts'
import { readInput } from '#server/http/answer-error.ts'
import type { Platform } from '#server/platform.ts'
import { encryptionAt } from '#server/providers/encryption.ts'

/**
 * Whose secret it is: a connection's, a proxy's, an app's, or of what is set once for a provider by a company or by the installation. It
 * cannot be read for another.
 */
export type Of =
  | { readonly tenantId: number; readonly id: number }
  | { readonly tenantId: number; readonly proxyId: number }
  | { readonly appId: number }
  | ProviderOwner

/** Who filled in what is set once for a provider: a company, or (without one) the installation. */
export type ProviderOwner = { readonly tenantId?: number; readonly provider: string }

function boundTo(of: Of): string {
  if ('appId' in of) return `provider_apps/${of.appId}`
  if ('proxyId' in of) return `${of.tenantId}/proxies/${of.proxyId}`
  if ('provider' in of) return `${of.tenantId ?? 'installation'}/providers/${of.provider}`
  return `${of.tenantId}/connections/${of.id}`
}

const encryption = (platform: Platform, of: Of) => encryptionAt(platform, boundTo(of))

/** Encrypts a secret (decision B13). */
export const encrypt = (platform: Platform, of: Of, plain: string): string => encryption(platform, of).encrypt(plain)

/** Such a secret in the clear. */
export const decrypt = (platform: Platform, of: Of, encrypted: string): string =>
  encryption(platform, of).decrypt(encrypted)

/** What was filled in, as the adapter needs it: secrets in the clear. */
export const plainValues = (platform: Platform, of: Of, stored: provider.StoredValues): provider.ProviderValues =>
  encryption(platform, of).plain(stored)

/** What is to be kept of a form, whose values are called `name` in it; fails with a sentence for each wrong field. */
export function mergeValues(
  platform: Platform,
  of: Of,
  fields: provider.ProviderFields,
  [name, given]: readonly [name: string, given: unknown],
  before = provider.NO_VALUES,
): { config: provider.ProviderValues; secrets: provider.StoredSecrets } {
  const read = readInput(z.object({ [name]: provider.valuesSchema(fields) }), { [name]: given })
  return encryption(platform, of).merge(fields, memberOf(read, name), before, `${name}.`)
}
