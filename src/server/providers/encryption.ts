import { present } from '#domain/present.ts'
import { fail } from '#kit/errors.ts'
import * as provider from '#kit/provider.ts'
import type { Platform } from '../platform.ts'

/** Encrypts and reads the secrets of what `boundTo` names (`tenant/table/row`, decision B13): for one, and for no other. */
export function encryptionAt({ secrets }: Pick<Platform, 'secrets'>, boundTo: string) {
  const encrypt = (plain: string): string => secrets.encrypt(plain, boundTo)
  const decrypt = (encrypted: string): string => secrets.decrypt(encrypted, boundTo)
  return {
    encrypt,
    decrypt,
    /** Returns the values for an adapter: secrets decrypted. */
    plain: (stored: provider.StoredValues): provider.ProviderValues => provider.plainValues(stored, decrypt),
    /**
     * Merges a form into the stored values; fails with a sentence for each secret that must be entered again and, with
     * `isActive`, for each required value that is missing.
     */
    merge: (
      fields: provider.ProviderFields,
      values: provider.ProviderValues,
      before: provider.StoredValues = provider.NO_VALUES,
      { prefix = '', isActive = false } = {},
    ) => {
      const missing = isActive ? Object.entries(provider.missingOf(fields, values)) : []
      if (missing.length > 0)
        fail('ERR_VALIDATION', Object.fromEntries(missing.map(([name, sentence]) => [`${prefix}${name}`, sentence])))
      return provider.mergeValues(fields, values, before, { encrypt, prefix })
    },
  }
}

type Encryption = ReturnType<typeof encryptionAt>

/** Secret of settings that have only one, stored beside their values: encrypted, and its visible end. */
export type EncryptedSecret = { readonly sealed: string | null; readonly hint?: string | null }

/** Reads and changes settings of these fields whose only secret, the field `secret`, is stored in this way. */
export function settingsWithSecret(fields: provider.ProviderFields, secret: string) {
  const valuesOf = ({ sealed, hint, ...config }: EncryptedSecret): provider.StoredValues => ({
    config,
    secrets: sealed ? { [secret]: { encrypted: sealed, hint: hint ?? '' } } : {},
  })
  return {
    /** Returns the values for an adapter: the secret decrypted. */
    plain: ({ plain }: Encryption, stored: EncryptedSecret): provider.ProviderValues => plain(valuesOf(stored)),
    /** Returns the secret after a form (`merge`); `entered`: the secret in it, undefined where it stays. */
    merge(
      { merge }: Encryption,
      before: EncryptedSecret | null,
      values: provider.ProviderValues,
      { entered, isActive = false }: { entered: string | undefined; isActive?: boolean },
    ): Required<EncryptedSecret> {
      const stored = before ? valuesOf(before) : provider.NO_VALUES
      const remaining = entered ?? present(provider.shownValues(fields, stored)[secret])
      const { secrets } = merge(fields, { ...values, [secret]: remaining }, stored, { isActive })
      return { sealed: secrets[secret]?.encrypted ?? null, hint: secrets[secret]?.hint ?? null }
    },
  }
}
