import { createECDH, ECDH } from 'node:crypto'
import { fail } from '#kit/errors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { verifyAccessToken } from '#server/http/access-token.ts'
import { implement, type RequestInfo } from '#server/http/route.ts'
import { sha256 } from '#server/secrets.ts'
import { push } from '../contract.ts'
import { errors } from '../errors.ts'
import { followFeed } from './feed.ts'
import { noticeJob } from './notice.ts'
import { privateNoticeJob } from './private-notice.ts'
import {
  findMethod,
  findSender,
  findSubscription,
  keysOfPush,
  removeSubscription,
  saveSender,
  saveSubscription,
} from './queries.ts'
import { boundToKey, boundToSession, type StoredSubscription } from './send.ts'
import { taskNoticeJob } from './task-notice.ts'

const MOST_DEVICES = 20
const END = 12

/** Returns the id of the requesting session. */
async function current({ platform }: ReadCtx | Ctx, { bearer }: RequestInfo): Promise<string> {
  const claims = bearer === null ? null : await verifyAccessToken(platform, bearer)
  return claims?.sessionId ?? fail('ERR_SESSION_EXPIRED')
}

/** Returns the company's public key; creates the key pair on first use. */
async function publicKey(ctx: Ctx): Promise<string> {
  const known = await findSender(ctx.db)
  if (known) return known.public_key
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const secret = pair.getPrivateKey()
  const whole = Buffer.concat([Buffer.alloc(32 - secret.length), secret]).toString('base64url')
  const privateKey = ctx.platform.secrets.encrypt(whole, boundToKey(ctx.tenantId))
  return saveSender(ctx.db, { publicKey: pair.getPublicKey().toString('base64url'), privateKey, now: ctx.now })
}

/** Whether something can be encrypted for this key: it is a point of the curve. */
function isKey(p256dh: string): boolean {
  try {
    return ECDH.convertKey(Buffer.from(p256dh, 'base64url'), 'prime256v1').length > 0
  } catch {
    return false
  }
}

const routes = implement(push, {
  key: async (ctx, { params }) => {
    if (params.tenantId !== ctx.tenantId) return fail('ERR_NO_PUSH_FOUND')
    return { publicKey: await publicKey(ctx) }
  },
  get: async (ctx, { request }) => {
    const sessionId = await current(ctx, request)
    const row = await findSubscription(ctx.db, sessionId)
    if (!row) return { isSubscribed: false, endpointEnd: null }
    const { endpoint } = JSON.parse(
      ctx.platform.secrets.decrypt(row.subscription, boundToSession(ctx.tenantId, sessionId)),
    ) as StoredSubscription
    return { isSubscribed: true, endpointEnd: endpoint.slice(-END) }
  },
  subscribe: async (ctx, { body, request }) => {
    const sessionId = await current(ctx, request)
    const session = await findMethod(ctx.db, sessionId)
    if (!session) return fail('ERR_SESSION_EXPIRED')
    if (session.method === 'masterkey') return fail('ERR_PUSH_SUPPORT')
    const { endpoint, keys } = body.subscription
    if (!isKey(keys.p256dh)) return fail('ERR_PUSH_KEYS')
    await publicKey(ctx)
    const { platform, tenantId, user, now } = ctx
    const stored: StoredSubscription = { endpoint, keys, origin: platform.env.PUBLIC_URL ?? request.origin }
    await saveSubscription(
      ctx.db,
      {
        sessionId,
        userId: user.id,
        endpointHash: sha256(endpoint),
        subscription: platform.secrets.encrypt(JSON.stringify(stored), boundToSession(tenantId, sessionId)),
        timeZone: body.deviceInfo?.timeZone ?? ctx.settings.timezone,
        now,
      },
      MOST_DEVICES,
    )
    ctx.stale(`push ${tenantId}`)
    return { isSubscribed: true, endpointEnd: endpoint.slice(-END) }
  },
  unsubscribe: async (ctx, { request }) => {
    await removeSubscription(ctx.db, await current(ctx, request))
    return { isSubscribed: false, endpointEnd: null }
  },
})

/** Server part of the feature `push`: push notifications to devices on which the product is closed (decision 0043). */
export const pushFeature: Feature = {
  name: 'push',
  titles: { push: 'Avisos nos dispositivos' },
  errors,
  routes,
  jobs: [noticeJob, privateNoticeJob, taskNoticeJob],
  encryptedWith: keysOfPush,
  start: (platform) => (plays(platform.env, 'worker') ? followFeed(platform) : async () => {}),
}
