import { featureOf, includes } from '#domain/access/plan.ts'
import { lookUp } from '#domain/present.ts'
import { openTicketsByConnection } from '#features/ledger/server/rows/index.ts'
import type { Returned } from '#kit/contract.ts'
import { channelTypes } from '#providers/channels/configs.ts'
import { type Actor, may, mayUseConnection } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import { isInstalled } from '#server/packages.ts'
import type { connections } from '../contract.ts'
import { readHealth } from './outages.ts'
import { listConnections, maxConnections } from './queries.ts'
import { shownRow } from './rows.ts'

type UserCtx = ReadCtx & { user: Actor }

/**
 * Returns all connections; with `details`, permitted users also get open conversations per connection and the plan's
 * limit.
 */
export async function readConnections(
  ctx: UserCtx,
  details: boolean | undefined,
): Promise<Returned<typeof connections.list>> {
  const { db, user, settings } = ctx
  const stored = await listConnections(db)
  const rows = stored.map((row) => ({
    ...shownRow(row),
    isAllowed: mayUseConnection(user, settings, row.id),
  }))
  if (!details || !may(user, settings, 'connections:list')) return { connections: rows }
  const open = await openTicketsByConnection(db)
  const health = await readHealth(ctx, stored)
  const types = channelTypes().filter(({ type }) => includes(settings.plan, featureOf(type)))
  return {
    connections: rows.map((row) => ({ ...row, openTickets: open.get(row.id) ?? 0, health: lookUp(health, row.id) })),
    types: types.map(({ type }) => type),
    missing: types.flatMap(({ type, config: { needs } }) => (needs && !isInstalled(needs) ? [type] : [])),
    maxConnections: await maxConnections(db),
  }
}
