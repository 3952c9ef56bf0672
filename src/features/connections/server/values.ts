import { z } from 'zod'
import * as provider from '#kit/provider.ts'
import { readInput } from '#server/http/answer-error.ts'
import type { Platform } from '#server/platform.ts'

/** Whose secret it is: it cannot be read for another connection. */
export type Of = { readonly tenantId: number; readonly id: number }

const boundTo = ({ tenantId, id }: Of): string => `${tenantId}/connections/${id}`

/** Encrypts a secret of a connection (decision B13). */
export const encrypt = ({ secrets }: Platform, of: Of, plain: string): string => secrets.encrypt(plain, boundTo(of))

/** A secret of a connection in the clear. */
export const decrypt = ({ secrets }: Platform, of: Of, encrypted: string): string =>
  secrets.decrypt(encrypted, boundTo(of))

/** What was filled in, as the adapter needs it: secrets in the clear. */
export const plainValues = (platform: Platform, of: Of, stored: provider.StoredValues): provider.ProviderValues =>
  provider.plainValues(stored, (encrypted) => decrypt(platform, of, encrypted))

/** What is to be kept of a form, its fields named as they stand in it; fails with a sentence for each wrong one. */
export function mergeValues(
  platform: Platform,
  of: Of,
  fields: provider.ProviderFields,
  given: unknown,
  before = provider.NO_VALUES,
): { config: provider.ProviderValues; secrets: provider.StoredSecrets } {
  const { config } = readInput(z.object({ config: provider.valuesSchema(fields) }), { config: given })
  return provider.mergeValues(fields, config, before, {
    encrypt: (plain) => encrypt(platform, of, plain),
    prefix: 'config.',
  })
}
