import { revokeSessions } from '#features/users/server/index.ts'
import { cursorParts, encodeCursor } from '#kit/cursor.ts'
import { fail } from '#kit/errors.ts'
import type { Feature } from '#server/feature.ts'
import { verifyAccessToken } from '#server/http/access-token.ts'
import { implement, type RequestInfo } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import { devices } from '../contract.ts'
import { errors } from '../errors.ts'
import { deviceName } from './device-name.ts'
import { listSessions } from './queries.ts'

const PAGE = 20

/** Returns the id of the requesting session. */
async function current({ platform }: { platform: Platform }, { bearer }: RequestInfo): Promise<string> {
  const claims = bearer === null ? null : await verifyAccessToken(platform, bearer)
  return claims?.sessionId ?? fail('ERR_SESSION_EXPIRED')
}

const routes = implement(devices, {
  list: async (ctx, { query, request }) => {
    const own = await current(ctx, request)
    const after = query.cursor ? cursorParts(query.cursor, ['string', 'string']) : null
    const rows = await listSessions(ctx.db, { userId: ctx.user.id, now: ctx.now, after, limit: PAGE + 1 })
    const page = rows.slice(0, PAGE)
    const hasMore = rows.length > PAGE
    const last = page.at(-1)
    return {
      sessions: page.map((row) => ({
        id: row.id,
        name: deviceName(row.user_agent),
        ip: row.ip,
        method: row.method,
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
        isCurrent: row.id === own,
      })),
      count: page.length,
      countIsCapped: hasMore,
      hasMore,
      nextCursor: hasMore && last ? encodeCursor([last.last_used_at.toISOString(), last.id]) : null,
    }
  },
  revoke: async (ctx, { params }) => {
    const ended = await revokeSessions(ctx, ctx.user.id, { only: params.id }, 'revoked')
    return ended > 0 ? { ended } : fail('ERR_NO_SESSION_FOUND')
  },
  revokeOthers: async (ctx, { request }) => ({
    ended: await revokeSessions(ctx, ctx.user.id, { but: await current(ctx, request) }, 'revoked'),
  }),
  revokeAll: async (ctx, { request }) => {
    const own = await current(ctx, request)
    const others = await revokeSessions(ctx, ctx.user.id, { but: own }, 'revoked')
    return { ended: others + (await revokeSessions(ctx, ctx.user.id, { only: own }, 'left')) }
  },
})

/** Server part of the feature `devices`: devices with a login session. */
export const devicesFeature: Feature = { name: 'devices', titles: { devices: 'Meus dispositivos' }, errors, routes }
