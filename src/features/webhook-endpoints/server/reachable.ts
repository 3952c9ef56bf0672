import { fail } from '#kit/errors.ts'
import { addressOf } from '#server/outbound.ts'
import type { Platform } from '#server/platform.ts'

/** Throws for a URL that may not be called, or whose host name does not resolve. */
export async function requireReachable(platform: Platform, url: string): Promise<void> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  await addressOf({ allow: platform.env.OUTBOUND_ALLOW }, host).catch((error: { code?: string }) => {
    if (error.code === 'ERR_ADDRESS_REFUSED') throw error
    fail('ERR_VALIDATION', { url: 'Este nome não existe. Confira o endereço.' })
  })
}
