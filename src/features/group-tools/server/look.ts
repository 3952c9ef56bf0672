import { z } from 'zod'
import { receive } from '#features/ledger/server/ingest/index.ts'
import type { ProviderEvent } from '#providers/channels/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { groupToolEvents } from '../contract.ts'
import { askGroups } from './ask.ts'
import { forgetGroups, saveGroups } from './queries.ts'

/** Audience of events about groups. */
export const AUDIENCE = { kind: 'permission', permission: 'groups:write' } as const

/** Delay in which several events of a group are collected. */
const SOON_MS = 1500

/** Asks a channel how one of its groups is now. */
export const lookJob = job({
  name: 'group-tools:look',
  schema: z.object({ connectionId: z.number(), key: z.string() }),
  run: (platform, { tenantId, connectionId, key }) => look(platform, { tenantId, connectionId, key }),
})

/** Enqueues a refresh of a group, once for all events until then. */
export function enqueueLook(ctx: Pick<Ctx, 'enqueue' | 'tenantId' | 'now'>, connectionId: number, key: string): void {
  const name = `group-look:${ctx.tenantId}:${connectionId}:${key}`
  ctx.enqueue(lookJob, { connectionId, key }, { key: name, runAt: new Date(ctx.now.getTime() + SOON_MS) })
}

type Group = { readonly tenantId: number; readonly connectionId: number; readonly key: string }

/** Reads a group from its channel and stores it, together with the members that conversations show. */
async function look(platform: Platform, of: Group): Promise<void> {
  const { tenantId, connectionId, key } = of
  const found = await askGroups(platform, 'group', of)
  const now = await unit(platform, { tenantId, user: null }, async (ctx) => {
    if (found) await saveGroups(ctx.db, connectionId, [found], ctx.now)
    else await forgetGroups(ctx.db, connectionId, key, ctx.now)
    ctx.emit(groupToolEvents.changed, { what: 'groups' }, AUDIENCE)
    return ctx.now.getTime()
  })
  if (!found) return
  const about = { conversationKey: key, timestamp: now }
  const members = found.members.flatMap(({ identity, name, number, role }) =>
    identity === '' ? [] : [{ identity, name, number, isAdmin: role !== 'member' }],
  )
  const events: ProviderEvent[] = [
    { ...about, dedupeKey: `look ${key} ${now} profile`, type: 'profile', name: found.name },
    { ...about, dedupeKey: `look ${key} ${now}`, type: 'participants', change: 'all', members },
  ]
  await receive(platform, { tenantId, connectionId }, events)
}

/** Reads all groups of a channel and stores them; returns their number. */
export async function refreshGroups(
  platform: Platform,
  of: { readonly tenantId: number; readonly connectionId: number },
): Promise<number> {
  const began = platform.now()
  const groups = await askGroups(platform, 'groupList', of)
  await unit(platform, { tenantId: of.tenantId, user: null }, async (ctx) => {
    await saveGroups(ctx.db, of.connectionId, groups, ctx.now)
    await forgetGroups(ctx.db, of.connectionId, null, began)
    ctx.emit(groupToolEvents.changed, { what: 'groups' }, AUDIENCE)
  })
  return groups.length
}
