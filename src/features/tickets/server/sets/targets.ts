import type { Target } from '#domain/tickets/commands.ts'
import { takenOn } from '#features/ledger/server/commands/index.ts'
import { contactBook } from '#features/ledger/server/ports/index.ts'
import { findConnection, type TicketRecord } from '#features/ledger/server/rows/index.ts'
import { fail, required } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { mayUseConnection } from '#server/actors.ts'
import type { UserCtx } from '#server/bulk/kind.ts'
import type { Ctx } from '#server/context.ts'

type Connection = { readonly id: number; readonly type: string }

/** Returns a connection that the user may use, of the given channel if any; throws 404 ERR_NO_WAPP_FOUND otherwise. */
export async function requireConnection(ctx: UserCtx, id: number, channel?: string): Promise<Connection> {
  const connection = required(await findConnection(ctx.db, id), 'ERR_NO_WAPP_FOUND')
  const isMeant = channel === undefined || connection.type === channel
  return isMeant && mayUseConnection(ctx.user, ctx.settings, id) ? connection : fail('ERR_NO_WAPP_FOUND')
}

/**
 * Returns where each ticket's conversation would continue on a connection, by ticket id; those without an address there are
 * missing.
 */
export async function targetsOn(
  ctx: Pick<Ctx, 'db'>,
  { id: connectionId, type: channel }: Connection,
  tickets: readonly Pick<TicketRecord, 'id' | 'contact_id'>[],
): Promise<Map<number, Target>> {
  const mayBegin = capabilitiesOf(channel).begins === 'anyone'
  const contacts = [...new Set(tickets.map((ticket) => ticket.contact_id))]
  const addresses = await contactBook().addressesOf(ctx.db, contacts, { channel, mayBegin })
  const taken = await takenOn(ctx.db, connectionId, [...addresses.values()])
  return new Map(
    tickets.flatMap(({ id, contact_id }) => {
      const conversationKey = addresses.get(contact_id)
      if (conversationKey === undefined) return []
      return [[id, { connectionId, conversationKey, channel, isTaken: taken.has(conversationKey) }] as const]
    }),
  )
}

/**
 * Returns where one ticket's conversation would continue on a connection; null if the connection does not exist or the
 * contact has no address there.
 */
export async function findTarget(
  ctx: Pick<Ctx, 'db'>,
  ticket: Pick<TicketRecord, 'id' | 'contact_id'>,
  connectionId: number,
): Promise<Target | null> {
  const connection = await findConnection(ctx.db, connectionId)
  return connection ? ((await targetsOn(ctx, connection, [ticket])).get(ticket.id) ?? null) : null
}
