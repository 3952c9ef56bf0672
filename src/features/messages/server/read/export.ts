import { Readable } from 'node:stream'
import { offsetMinutes } from '#domain/calendar/local-time.ts'
import { lookUp } from '#domain/present.ts'
import { protocolOf } from '#domain/tickets/protocol.ts'
import { type MessageRecord, serializeMessage } from '#features/ledger/server/messages/index.ts'
import { loadTicketRows } from '#features/ledger/server/rows/index.ts'
import { requireVisible, visibleSql } from '#features/visibility/server/index.ts'
import { reading } from '#server/context.ts'
import type { Download } from '#server/http/download.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { conversationPdf, type Exported } from './export-pdf.ts'
import { conversationZip } from './export-zip.ts'
import { type MessageCursor, pageOfMessages } from './page-queries.ts'

const AT_ONCE = 200
const LONGEST_MS = 300_000

/** Export formats of a conversation. */
export const EXPORT_FORMATS = ['json', 'pdf', 'zip'] as const

/** Exports all messages of a ticket as a streamed file; aborts after five minutes. */
export async function exportMessages(
  ctx: SlowCtx,
  ticketId: number,
  format: (typeof EXPORT_FORMATS)[number],
): Promise<Download> {
  const { platform, tenantId, now } = ctx
  const about = await reading(platform, ctx, async (read) => {
    await requireVisible(read, ticketId)
    const rows = await loadTicketRows(read.db, [ticketId], { platform, viewerId: ctx.user.id })
    return { row: lookUp(rows, ticketId).row, timezone: read.settings.timezone }
  })
  const createdAt = new Date(about.row.createdAt).getTime()
  const signal = AbortSignal.timeout(LONGEST_MS)
  const exported: Exported = {
    name: `atendimento-${ticketId}`,
    contact: about.row.name,
    protocol: protocolOf(ticketId, createdAt, offsetMinutes(about.timezone, createdAt)),
    timezone: about.timezone,
    now,
    messages: everyMessage(ctx, ticketId, signal),
  }
  const file = { name: `${exported.name}.${format}` }
  if (format === 'pdf') return { ...file, contentType: 'application/pdf', stream: await conversationPdf(exported) }
  if (format === 'zip')
    return { ...file, contentType: 'application/zip', stream: await conversationZip(platform, exported) }
  const ticket = { id: ticketId, name: about.row.name, status: about.row.status, createdAt: about.row.createdAt }
  const parts = jsonParts(ticket, exported.messages, (one) => serializeMessage(platform, tenantId, one))
  return { ...file, contentType: 'application/json; charset=utf-8', stream: Readable.from(parts) }
}

async function* jsonParts(
  ticket: object,
  pages: AsyncIterable<MessageRecord[]>,
  shown: (message: MessageRecord) => object,
): AsyncGenerator<string> {
  yield `{"ticket":${JSON.stringify(ticket)},"messages":[`
  let before = ''
  for await (const page of pages)
    for (const message of page) {
      yield before + JSON.stringify(shown(message))
      before = ','
    }
  yield ']}'
}

// Opens a reader for each page, so that a slow client does not hold a database connection.
async function* everyMessage(ctx: SlowCtx, ticketId: number, signal: AbortSignal): AsyncGenerator<MessageRecord[]> {
  let from: MessageCursor = { timestamp: '-infinity', seq: 0 }
  for (;;) {
    signal.throwIfAborted()
    const page = await reading(ctx.platform, ctx, ({ db, settings }) =>
      pageOfMessages(db, ticketId, {
        visible: visibleSql(ctx.user, settings),
        readerId: ctx.user.id,
        direction: 'newer',
        from,
        limit: AT_ONCE,
      }),
    )
    const last = page.at(-1)
    if (!last) return
    yield page
    if (page.length < AT_ONCE) return
    from = { timestamp: last.timestamp.toISOString(), seq: last.seq }
  }
}
