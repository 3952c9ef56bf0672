import { z } from 'zod'
import { memberOf } from '#domain/present.ts'
import * as provider from '#kit/provider.ts'
import { readInput } from '#server/http/answer-error.ts'
import type { Platform } from '#server/platform.ts'
import { encryptionAt } from '#server/providers/encryption.ts'

/**
 * Owner of a secret: a connection, a proxy, an app, or provider settings of a company or the installation. Secrets are bound
 * to it and cannot be decrypted for another.
 */
export type Of =
  | { readonly tenantId: number; readonly id: number }
  | { readonly tenantId: number; readonly proxyId: number }
  | { readonly appId: number }
  | ProviderOwner

/** Owner of provider settings: a company, or (without `tenantId`) the installation. */
export type ProviderOwner = { readonly tenantId?: number; readonly provider: string }

function boundTo(of: Of): string {
  if ('appId' in of) return `provider_apps/${of.appId}`
  if ('proxyId' in of) return `${of.tenantId}/proxies/${of.proxyId}`
  if ('provider' in of) return `${of.tenantId ?? 'installation'}/providers/${of.provider}`
  return `${of.tenantId}/connections/${of.id}`
}

/** Encrypts, merges and reads the secrets of an owner. */
export const encryptionOf = (platform: Platform, of: Of) => encryptionAt(platform, boundTo(of))

/** Encrypts a secret (decision B13). */
export const encrypt = (platform: Platform, of: Of, plain: string): string => encryptionOf(platform, of).encrypt(plain)

/** Decrypts a secret of `encrypt`. */
export const decrypt = (platform: Platform, of: Of, encrypted: string): string =>
  encryptionOf(platform, of).decrypt(encrypted)

/**
 * Validates form values and merges them with the stored ones; fails with a sentence per wrong field, whose keys begin with
 * `name`.
 */
export function mergeValues(
  platform: Platform,
  of: Of,
  fields: provider.ProviderFields,
  [name, given]: readonly [name: string, given: unknown],
  before = provider.NO_VALUES,
): { config: provider.ProviderValues; secrets: provider.StoredSecrets } {
  const read = readInput(z.object({ [name]: provider.valuesSchema(fields) }), { [name]: given })
  return encryptionOf(platform, of).merge(fields, memberOf(read, name), before, { prefix: `${name}.` })
}
