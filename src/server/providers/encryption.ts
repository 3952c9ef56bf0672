import * as provider from '#kit/provider.ts'
import type { Platform } from '../platform.ts'

/** Encrypts and reads the secrets of one account (decision B13): what is encrypted at its place is read at no other. */
export type Encryption = ReturnType<typeof encryptionAt>

/** The secrets of what stands at a place: `tenant/table/row`. */
export function encryptionAt({ secrets }: Platform, place: string) {
  const encrypt = (plain: string): string => secrets.encrypt(plain, place)
  const decrypt = (encrypted: string): string => secrets.decrypt(encrypted, place)
  return {
    encrypt,
    decrypt,
    /** What was filled in, as an adapter needs it: secrets in the clear. */
    plain: (stored: provider.StoredValues): provider.ProviderValues => provider.plainValues(stored, decrypt),
    /** What is to be kept of a form; fails with a sentence for each secret that has to be given again. */
    merge: (
      fields: provider.ProviderFields,
      values: provider.ProviderValues,
      before: provider.StoredValues = provider.NO_VALUES,
      prefix = '',
    ) => provider.mergeValues(fields, values, before, { encrypt, prefix }),
  }
}
