import { sql } from 'kysely'
import { isOptOut } from '#domain/messages/sms.ts'
import { phoneKey } from '#domain/phone/brazil.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import type { ChannelConversation } from '../channels.ts'
import type { Hook } from '../hooks.ts'

/** How what confirms it is sent, which alone goes to whoever wants nothing. */
const CONFIRMATION = 'opt-out'
const CONFIRMED = 'Pronto: você não receberá mais mensagens automáticas deste número.'

/**
 * Who answers with one of the words for it gets nothing more that nobody wrote: no flow attends them, nothing is said of
 * absence, and what would leave by itself is stopped on its way out. It is confirmed once; a person may still answer.
 */
export const endAutomatic: Hook<'onMessageSent'> = {
  name: 'opt-out',
  run: async (ctx, batch) => {
    const asking = batch.filter(({ fromMe, isNote, isGroup, text }) => !fromMe && !isNote && !isGroup && isOptOut(text))
    if (asking.length === 0) return {}
    const lines = (await linesOf(ctx.db, [...new Set(asking.map(({ ticketId }) => ticketId))])).filter(
      ({ channel }) => capabilitiesOf(channel).optOut,
    )
    const first = await addOptOuts(ctx.db, lines)
    return {
      attends: new Set(lines.map(({ ticketId }) => ticketId)),
      messages: lines
        .filter(({ channel, line }) => first.has(`${channel}|${line}`))
        .map(({ ticketId }) => ({ ticketId, text: CONFIRMED, sendType: CONFIRMATION })),
    }
  },
}

/** Whether something that nobody wrote has to stay here, because whom it is for wants nothing of the kind. */
export async function isUnwantedBy(
  db: Queryable,
  channel: string,
  { conversationKey }: ChannelConversation,
  { isAutomatic, sendType }: { readonly isAutomatic: boolean; readonly sendType: string },
): Promise<boolean> {
  if (!capabilitiesOf(channel).optOut || !isAutomatic || sendType === CONFIRMATION) return false
  const found = await db
    .selectFrom('opt_outs')
    .select('line')
    .where('channel', '=', channel)
    .where('line', '=', phoneKey(conversationKey))
    .executeTakeFirst()
  return found !== undefined
}

type Line = {
  readonly ticketId: number
  readonly channel: string
  readonly line: string
  readonly connectionId: number
}

async function linesOf(db: Queryable, ticketIds: readonly number[]): Promise<Line[]> {
  const rows = await db
    .selectFrom('tickets')
    .select(['id', 'channel', 'conversation_key', 'connection_id'])
    .where('id', 'in', ticketIds)
    .execute()
  return rows.map(({ id: ticketId, channel, conversation_key, connection_id: connectionId }) => ({
    ...{ ticketId, channel, connectionId: connectionId!, line: phoneKey(conversation_key) },
  }))
}

/** Writes those that are not there; answers which (`channel|line`). */
async function addOptOuts(db: Tx, lines: readonly Line[]): Promise<ReadonlySet<string>> {
  if (lines.length === 0) return new Set()
  const added = await db
    .insertInto('opt_outs')
    .values(
      lines.map(({ channel, line, connectionId }) => ({
        ...{ tenant_id: sql<number>`app.tenant()`, channel, line, connection_id: connectionId },
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['channel', 'line'])
    .execute()
  return new Set(added.map(({ channel, line }) => `${channel}|${line}`))
}
