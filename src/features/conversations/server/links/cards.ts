import { createHash } from 'node:crypto'
import { z } from 'zod'
import { linksIn } from '#domain/messages/rich-text.ts'
import { isOn } from '#kit/settings.ts'
import { type Ctx, reading, unit } from '#server/context.ts'
import { storeUpload } from '#server/files/store.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { messageEvents } from '../../message-events-contract.ts'
import { ledgerFacts, lockLedgerTickets } from '../ingest/ingest-queries.ts'
import { findMessages, type MessageRecord } from '../messages/queries.ts'
import { serializeMessage } from '../messages/serializer.ts'
import { fetchPage } from './fetch.ts'
import { findCard, findLinked, saveCard, setCard } from './queries.ts'

const LIFETIME_MS = 7 * 24 * 3600_000
/** A page that did not answer is asked again after this. */
const FAILED_MS = 3600_000
/** What waited longer is shown with what is known already: nobody looks for a card any more. */
const LATE_MS = 10 * 60_000
/** So many pages are asked at once by the whole installation: slow ones keep no worker from what has to leave. */
const SLOTS = 2
const BEHIND_MESSAGES = 20
const LONGEST_LINK = 2000

// Most texts have none: they are not read for it.
function firstLink(body: string): string | null {
  if (!/https?:|www\./i.test(body)) return null
  const href = linksIn(body).find(({ href }) => href.startsWith('http'))?.href ?? ''
  return URL.canParse(href) && href.length <= LONGEST_LINK ? href : null
}

type Linked = { readonly id: string; readonly body: string; readonly mediaType: string; readonly hasCard?: boolean }

/** Records jobs for the cards of messages whose text has a link, or had one. */
export function enqueueLinkCards(ctx: Ctx, messages: readonly Linked[]): void {
  if (!isOn(ctx.settings, 'linkCards')) return
  const texts = messages.filter(({ mediaType }) => mediaType === 'text' || mediaType === 'note')
  const linked = Map.groupBy(texts, ({ body }) => firstLink(body))
  for (const [url, found] of linked) {
    const meant = url === null ? found.filter(({ hasCard }) => hasCard) : found
    if (meant.length === 0) continue
    const payload = { messageIds: meant.map(({ id }) => id), at: ctx.now.getTime() }
    ctx.enqueue(linkCardJob, payload, { queue: `link-cards:${ctx.tenantId % SLOTS}`, priority: BEHIND_MESSAGES })
  }
}

/** The same for messages whose text was changed. */
export const renewLinkCards = (ctx: Ctx, rows: readonly MessageRecord[]): void =>
  enqueueLinkCards(
    ctx,
    rows.map(({ id, body, media_type, link_card }) => ({
      id,
      body,
      mediaType: media_type,
      hasCard: link_card !== null,
    })),
  )

/** Gives messages the cards of their links, as their texts stand now; one page after the other, each asked once. */
export const linkCardJob = job({
  name: 'conversations:link-cards',
  schema: z.object({ messageIds: z.array(z.uuid()), at: z.number() }),
  async run(platform, { tenantId, messageIds, at }) {
    const found = await reading(platform, { tenantId, user: null }, (ctx) => findLinked(ctx.db, messageIds))
    const isLate = platform.now().getTime() - at > LATE_MS
    for (const [url, messages] of Map.groupBy(found, ({ body }) => firstLink(body))) {
      const cardId = url === null ? null : await cardOf(platform, tenantId, url, isLate)
      await unit(platform, { tenantId, user: null }, async (ctx) => show(ctx, messages, cardId))
    }
  },
})

async function cardOf(platform: Platform, tenantId: number, url: string, isLate: boolean): Promise<number | null> {
  const key = createHash('sha256').update(url).digest('hex')
  const who = { tenantId, user: null }
  const known = await reading(platform, who, ({ db, now }) => findCard(db, key, now))
  if (known || isLate) return known?.title ? known.id : null
  const page = await fetchPage(platform, tenantId, url)
  try {
    return await unit(platform, who, async (ctx) => {
      const { title = null, description = '', site = '', file = null } = page ?? {}
      const file_id = file && (await storeUpload(ctx, file))
      const expiresAt = new Date(ctx.now.getTime() + (page ? LIFETIME_MS : FAILED_MS))
      const card = await saveCard(ctx.db, { key, url, title, description, site, file_id }, { now: ctx.now, expiresAt })
      return card.title === null ? null : card.id
    })
  } finally {
    if (page?.file) await platform.storage.discard([page.file])
  }
}

async function show(ctx: Ctx, messages: readonly { id: string; ticket_id: number }[], cardId: number | null) {
  const tickets = await lockLedgerTickets(ctx.db, [...new Set(messages.map(({ ticket_id }) => ticket_id))])
  const changed = await setCard(
    ctx.db,
    messages.map(({ id }) => id),
    cardId,
    ctx.now,
  )
  const byId = new Map(tickets.map((ticket) => [ticket.id, ticket]))
  for (const row of await findMessages(ctx.db, changed)) {
    const after = ledgerFacts(byId.get(row.ticket_id)!)
    const message = serializeMessage(ctx.platform, ctx.tenantId, row)
    ctx.emit(messageEvents.update, { message }, { kind: 'ticket', ticketId: row.ticket_id, before: null, after })
  }
}
