import type { Platform } from '#server/platform.ts'
import { encryptionAt } from '#server/providers/encryption.ts'

/** Encrypts and decrypts the secrets of a company's endpoints. */
export const endpointEncryption = (platform: Platform, tenantId: number) =>
  encryptionAt(platform, `${tenantId}/webhook_endpoints`)
