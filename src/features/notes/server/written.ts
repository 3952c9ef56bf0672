import { offsetMinutes } from '#domain/calendar/local-time.ts'
import { protocolOf, ticketOfProtocol } from '#domain/tickets/protocol.ts'
import { sendWithin } from '#features/messages/server/send/index.ts'
import { requireVisible, visibleSql } from '#features/visibility/server/index.ts'
import type { Input } from '#kit/contract.ts'
import { type Actor, may } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { implement } from '#server/http/route.ts'
import { COUNTED, countOf, exactPageStartOf, pageOf } from '#server/paging.ts'
import { ticketNotes, ticketProtocols } from '../contract.ts'
import { countWritten, KINDS, type Kind, listWritten, type WrittenFilter, type WrittenRecord } from './queries.ts'
import { findFew } from './queries-few.ts'

type UserCtx = ReadCtx & { user: Actor }
type Query = Input<typeof ticketNotes.list>['query']

/** Routes of the lists of notes and protocols. */
export const writtenRoutes = [
  ...implement(ticketNotes, {
    list: async (ctx, { query }) => {
      const { rows, ...page } = await list(ctx, 'note', query)
      const isLead = may(ctx.user, ctx.settings, 'tickets:all')
      return {
        ticketNotes: rows.map((row) => ({
          ...shown(row),
          notes: row.body,
          isEdited: row.is_edited,
          mayChange: isLead || row.user_id === ctx.user.id,
        })),
        ...page,
      }
    },
  }),
  ...implement(ticketProtocols, {
    list: async (ctx, { query }) => {
      const { rows, ...page } = await list(ctx, 'protocol', query)
      return {
        ticketProtocols: rows.map((row) => ({
          ...shown(row),
          protocol: protocolAt(ctx, row.ticket_id, row.ticket_created_at),
        })),
        ...page,
      }
    },
    send: async (ctx, { body }) => sendProtocol(ctx, body),
  }),
]

const protocolAt = ({ settings }: Pick<ReadCtx, 'settings'>, ticketId: number, createdAt: Date): string =>
  protocolOf(ticketId, createdAt.getTime(), offsetMinutes(settings.timezone, createdAt.getTime()))

async function list(ctx: UserCtx, kind: Kind, query: Query) {
  const start = exactPageStartOf<[number, number]>(query, 2)
  const { from, to, user, ticketId, contactId, searchParam: text } = query
  // A match by name would reveal hidden names.
  const names = !ctx.user.restrictedUser
  const filter: WrittenFilter = {
    visible: visibleSql(ctx.user, ctx.settings),
    search: text ? await soughtIn(ctx, kind, { text, ticketId: ticketOfProtocol(text), names }) : null,
    ...{ from, to, user, ticketId, contactId, zone: ctx.settings.timezone },
  }
  const found = await listWritten(ctx.db, kind, filter, start)
  const { rows, paging } = pageOf(found, ({ position, seq }) => [position, seq])
  if (start.after) return { rows, count: rows.length, countIsCapped: paging.hasMore, ...paging }
  return { rows, ...countOf(await countWritten(ctx.db, kind, filter, COUNTED)), ...paging }
}

async function soughtIn(
  { db }: UserCtx,
  kind: Kind,
  search: { text: string; ticketId: number | null; names: boolean },
) {
  const bodies = kind === 'note' ? { types: ['note'] } : null
  return { ...search, few: await findFew(db, { ...search, bodies, ofList: KINDS[kind] }) }
}

const shown = (row: WrittenRecord) => ({
  id: row.id,
  ticketId: row.ticket_id,
  contactName: row.contact_name,
  user: row.user_id === null ? null : { id: row.user_id, name: row.user_name ?? '' },
  timestamp: row.timestamp.getTime(),
  createdAt: row.created_at,
})

async function sendProtocol(
  ctx: Ctx & { user: Actor },
  { ticketId, idFront = ctx.newId() }: { ticketId: number; idFront?: string | undefined },
) {
  const { row } = await requireVisible(ctx, ticketId)
  const body = `Protocolo de atendimento: ${protocolAt(ctx, ticketId, row.created_at)}`
  return sendWithin(ctx, { ticketId, idFront, body, sendType: 'protocol', isNote: false, files: [] })
}
