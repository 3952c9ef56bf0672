import { createHmac } from 'node:crypto'
import { AppError, fail } from '#kit/errors.ts'
import { outboundFetch } from '#server/outbound.ts'
import type { Platform } from '#server/platform.ts'
import type { NoticeText } from './news.ts'

/**
 * Payload for the service worker: a notification to show, or that the one with the `tag` was read. `tag` is a path, with one
 * notification each.
 */
export type Pushed = ({ kind: 'notice'; tag: string; seq: number } & NoticeText) | { kind: 'read'; tag: string }

/** Subscription of a browser, with the origin of its company's product. */
export type StoredSubscription = {
  endpoint: string
  keys: { p256dh: string; auth: string }
  origin: string
}

const TIMEOUT_MS = 10_000
/** Maximum time for which the push service stores a message; a device off for longer learns it from the product. */
const TTL_S = 12 * 3600

/** Encryption contexts of a company's private key and of a session's subscription. */
export const boundToKey = (tenantId: number) => `${tenantId}/push_senders`
export const boundToSession = (tenantId: number, sessionId: string) => `${tenantId}/push_subscriptions/${sessionId}`

/**
 * Sends an encrypted payload to a device by its push service (RFC 8291); replaces a waiting one of the same conversation.
 * Returns whether it was accepted, or the device is gone; throws if it should be retried.
 */
export async function pushTo(
  platform: Platform,
  to: {
    tenantId: number
    sessionId: string
    subscription: string
    sender: { public_key: string; private_key: string }
  },
  pushed: Pushed,
): Promise<'taken' | 'gone'> {
  const { tenantId, sessionId, sender } = to
  const { secrets, env } = platform
  const { endpoint, keys, origin } = JSON.parse(
    secrets.decrypt(to.subscription, boundToSession(tenantId, sessionId)),
  ) as StoredSubscription
  // An iPhone would ring for it: there it is taken away when the product opens.
  if (pushed.kind === 'read' && new URL(endpoint).hostname.endsWith('.push.apple.com')) return 'taken'
  const { default: webPush } = await import('web-push')
  const topic = createHmac('sha256', secrets.derive('push-topic'))
    .update(`${tenantId} ${pushed.tag}`)
    .digest('base64url')
  const request = webPush.generateRequestDetails({ endpoint, keys }, JSON.stringify(pushed), {
    TTL: TTL_S,
    urgency: pushed.kind === 'notice' ? 'high' : 'normal',
    topic: topic.slice(0, 32),
    contentEncoding: 'aes128gcm',
    vapidDetails: {
      subject: origin.startsWith('https:') ? origin : 'mailto:avisos@guiche.invalid',
      publicKey: sender.public_key,
      privateKey: secrets.decrypt(sender.private_key, boundToKey(tenantId)),
    },
  })
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const call = { method: 'POST', headers, body: request.body, answerMs: TIMEOUT_MS, maxBytes: 64 * 1024 }
  const { status } = await outboundFetch({ allow: env.OUTBOUND_ALLOW }, endpoint, call).catch((error: unknown) => {
    // An address that may not be called is not a push service.
    if (error instanceof AppError && error.code === 'ERR_ADDRESS_REFUSED') return { status: 410 }
    throw error
  })
  if (status >= 200 && status < 300) return 'taken'
  // Rate limits and server errors are retried; other refusals are final.
  return status === 429 || status >= 500 ? fail('ERR_OUTSIDE_CALL', { reason: `status ${status}` }) : 'gone'
}
