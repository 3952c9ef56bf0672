import * as provider from '#kit/provider.ts'
import type { Platform } from '../platform.ts'

/** Encrypts and reads the secrets of what `boundTo` names (`tenant/table/row`, decision B13): for one, and for no other. */
export function encryptionAt({ secrets }: Platform, boundTo: string) {
  const encrypt = (plain: string): string => secrets.encrypt(plain, boundTo)
  const decrypt = (encrypted: string): string => secrets.decrypt(encrypted, boundTo)
  return {
    encrypt,
    decrypt,
    /** Returns the values for an adapter: secrets decrypted. */
    plain: (stored: provider.StoredValues): provider.ProviderValues => provider.plainValues(stored, decrypt),
    /** Merges a form into the stored values; fails with a sentence for each secret that must be entered again. */
    merge: (
      fields: provider.ProviderFields,
      values: provider.ProviderValues,
      before: provider.StoredValues = provider.NO_VALUES,
      prefix = '',
    ) => provider.mergeValues(fields, values, before, { encrypt, prefix }),
  }
}
