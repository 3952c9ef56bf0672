import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Where tickets are talked in, and to whom they go by their connection. */
export const conversationsOfTickets = (db: Queryable, ticketIds: readonly number[]) =>
  db
    .selectFrom('tickets as t')
    .innerJoin('connections as c', (join) =>
      join.onRef('c.tenant_id', '=', 't.tenant_id').onRef('c.id', '=', 't.connection_id'),
    )
    .select([
      't.id as ticketId',
      't.channel',
      't.conversation_key as conversationKey',
      't.connection_id as connectionId',
    ])
    .select(['c.queue_id as queueId', 'c.user_id as userId'])
    .where('t.id', 'in', ticketIds)
    .execute()

/** Whether somebody wants nothing automatic by a kind of channel; `phone` as `phoneKey` writes it. */
export const hasOptedOut = async (db: Queryable, channel: string, phone: string): Promise<boolean> =>
  (await db
    .selectFrom('opt_outs')
    .select('phone')
    .where('channel', '=', channel)
    .where('phone', '=', phone)
    .executeTakeFirst()) !== undefined

/** Those of some conversations in which nothing automatic is wanted. */
export async function findOptedOut<T extends { readonly channel: string; readonly phone: string }>(
  db: Queryable,
  all: readonly T[],
): Promise<T[]> {
  if (all.length === 0) return []
  const rows = await db
    .selectFrom('opt_outs')
    .select(['channel', 'phone'])
    .where(
      'phone',
      'in',
      all.map(({ phone }) => phone),
    )
    .execute()
  const known = new Set(rows.map(({ channel, phone }) => `${channel}|${phone}`))
  return all.filter(({ channel, phone }) => known.has(`${channel}|${phone}`))
}

/** Writes those that are not there; answers which (`channel|phone`). */
export async function addOptOuts(
  db: Tx,
  optOuts: readonly { readonly channel: string; readonly phone: string; readonly connectionId: number | null }[],
): Promise<ReadonlySet<string>> {
  if (optOuts.length === 0) return new Set()
  const added = await db
    .insertInto('opt_outs')
    .values(
      optOuts.map(({ channel, phone, connectionId }) => ({
        ...{ tenant_id: sql<number>`app.tenant()`, channel, phone, connection_id: connectionId },
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['channel', 'phone'])
    .execute()
  return new Set(added.map(({ channel, phone }) => `${channel}|${phone}`))
}
