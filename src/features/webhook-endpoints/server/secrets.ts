import type { Platform } from '#server/platform.ts'
import { encryptionAt } from '#server/providers/encryption.ts'

/** Encrypts and reads what a company keeps secret of its endpoints. */
export const endpointEncryption = (platform: Platform, tenantId: number) =>
  encryptionAt(platform, `${tenantId}/webhook_endpoints`)
