import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Where tickets are talked in. */
export const conversationsOfTickets = (db: Queryable, ticketIds: readonly number[]) =>
  db
    .selectFrom('tickets')
    .select(['id as ticketId', 'channel', 'conversation_key as conversationKey', 'connection_id as connectionId'])
    .where('id', 'in', ticketIds)
    .execute()

/** Whether somebody wants nothing automatic by a kind of channel; `phone` as `phoneKey` writes it. */
export const hasOptedOut = async (db: Queryable, channel: string, phone: string): Promise<boolean> =>
  (await db
    .selectFrom('opt_outs')
    .select('phone')
    .where('channel', '=', channel)
    .where('phone', '=', phone)
    .executeTakeFirst()) !== undefined

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
