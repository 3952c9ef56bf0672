import { createHmac } from 'node:crypto'
import { AppError, fail } from '#kit/errors.ts'
import { outboundFetch } from '#server/outbound.ts'
import type { Platform } from '#server/platform.ts'
import type { NoticeText } from './news.ts'

/** What the service worker receives: something to show, or that what it shows under the tag was read. */
export type Pushed = ({ kind: 'notice'; tag: string; seq: number } & NoticeText) | { kind: 'read'; tag: string }

/** Where a browser is reached, with the address under which its company's product was open. */
export type StoredSubscription = {
  endpoint: string
  keys: { p256dh: string; auth: string }
  origin: string
}

const TIMEOUT_MS = 10_000
/** A device that is off for longer learns of it from the product itself. */
const TTL_S = 12 * 3600

/** What a company's private key, and a session's subscription, are encrypted for. */
export const boundToKey = (tenantId: number) => `${tenantId}/push_senders`
export const boundToSession = (tenantId: number, sessionId: string) => `${tenantId}/push_subscriptions/${sessionId}`

/**
 * Has a push service bring something to a device, encrypted for it (RFC 8291); what waits there for the same conversation is
 * replaced. Answers whether it took it, or the device is gone; throws when it should be tried again.
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
    // No push service stands where we may not call.
    if (error instanceof AppError && error.code === 'ERR_ADDRESS_REFUSED') return { status: 410 }
    throw error
  })
  if (status >= 200 && status < 300) return 'taken'
  // Too many at once, or out of order: later. Whatever else is refused is refused for good.
  return status === 429 || status >= 500 ? fail('ERR_OUTSIDE_CALL', { reason: `status ${status}` }) : 'gone'
}
