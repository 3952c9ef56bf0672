import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type AdSource, adOf } from '#domain/messages/data.ts'
import { linksIn } from '#domain/messages/rich-text.ts'
import { lookUp } from '#domain/present.ts'
import { isOn } from '#kit/settings.ts'
import { type Ctx, reading, unit } from '#server/context.ts'
import { storeUpload } from '#server/files/store.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { messageEvents } from '../../message-events-contract.ts'
import { findMessages, type MessageRecord } from '../messages/queries.ts'
import { serializeMessage } from '../messages/serializer.ts'
import { ledgerFacts, lockLedgerTickets } from '../ticket/queries.ts'
import { type FetchedPage, fetchPage, fetchPicture } from './fetch.ts'
import { findCard, findLinked, saveCard, setCard } from './queries.ts'

const LIFETIME_MS = 7 * 24 * 3600_000
/** Retry interval for a page that did not answer, in ms. */
const FAILED_MS = 3600_000
/** Older jobs use known cards only, because readers have moved on. */
const LATE_MS = 10 * 60_000
/** Pages fetched at once per installation, so that slow ones do not block sending. */
const SLOTS = 2
const BEHIND_MESSAGES = 20
const LONGEST_LINK = 2000
/** Maximum length of an ad's texts, in characters. */
const MOST_IN_AD = 300

// Most texts have no link: a quick check avoids parsing them.
function firstLink(body: string): string | null {
  if (!/https?:|www\./i.test(body)) return null
  const href = linksIn(body).find(({ href }) => href.startsWith('http'))?.href ?? ''
  return URL.canParse(href) && href.length <= LONGEST_LINK ? href : null
}

// An ad contains the data of its card; without a URL there is nothing to open.
const shownAd = (data: unknown): AdSource | null => {
  const { ad } = adOf(data) ?? {}
  return ad && /^https?:/.test(ad.url) && URL.canParse(ad.url) && ad.url.length <= LONGEST_LINK ? ad : null
}

type Linked = {
  readonly id: string
  readonly body: string
  readonly mediaType: string
  readonly data: unknown
  readonly hasCard?: boolean
}

/** Records jobs for the cards of messages that came from an ad, or whose text has a link, or had one. */
export function enqueueLinkCards(ctx: Ctx, messages: readonly Linked[]): void {
  const enqueue = (found: readonly Linked[]) => {
    const payload = { messageIds: found.map(({ id }) => id), at: ctx.now.getTime() }
    ctx.enqueue(linkCardJob, payload, { queue: `link-cards:${ctx.tenantId % SLOTS}`, priority: BEHIND_MESSAGES })
  }
  const ofAds = messages.filter(({ data }) => shownAd(data))
  if (ofAds.length > 0) enqueue(ofAds)
  if (!isOn(ctx.settings, 'linkCards')) return
  const texts = messages.filter(
    ({ mediaType, data }) => (mediaType === 'text' || mediaType === 'note') && !shownAd(data),
  )
  const linked = Map.groupBy(texts, ({ body }) => firstLink(body))
  for (const [url, found] of linked) {
    const meant = url === null ? found.filter(({ hasCard }) => hasCard) : found
    if (meant.length > 0) enqueue(meant)
  }
}

/** Records jobs for the link cards of messages whose text was changed. */
export const renewLinkCards = (ctx: Ctx, rows: readonly MessageRecord[]): void =>
  enqueueLinkCards(
    ctx,
    rows.map(({ id, body, media_type, data, link_card }) => ({
      id,
      body,
      data,
      mediaType: media_type,
      hasCard: link_card !== null,
    })),
  )

/** Adds link cards to messages for their current texts; pages one after the other, each once. */
export const linkCardJob = job({
  name: 'conversations:link-cards',
  schema: z.object({ messageIds: z.array(z.uuid()), at: z.number() }),
  async run(platform, { tenantId, messageIds, at }) {
    const found = await reading(platform, { tenantId, user: null }, (ctx) => findLinked(ctx.db, messageIds))
    const isLate = platform.now().getTime() - at > LATE_MS
    for (const [about, messages] of Map.groupBy(found, ({ body, data }) => shownAd(data) ?? firstLink(body))) {
      const cardId = about === null ? null : await cardOf(platform, tenantId, about, isLate)
      await unit(platform, { tenantId, user: null }, async (ctx) => show(ctx, messages, cardId))
    }
  },
})

async function cardOf(
  platform: Platform,
  tenantId: number,
  about: string | AdSource,
  isLate: boolean,
): Promise<number | null> {
  const isAd = typeof about !== 'string'
  const url = isAd ? about.url : about
  const key = createHash('sha256')
    .update(isAd ? JSON.stringify(about) : url)
    .digest('hex')
  const who = { tenantId, user: null }
  const known = await reading(platform, who, ({ db, now }) => findCard(db, key, now))
  if (known || (isLate && !isAd)) return known?.title ? known.id : null
  const page = isAd ? await pageOfAd(platform, tenantId, about) : await fetchPage(platform, tenantId, url)
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

async function pageOfAd(
  platform: Platform,
  tenantId: number,
  { headline, text, isPost, picture }: AdSource,
): Promise<FetchedPage> {
  const site = isPost ? 'Publicação' : 'Anúncio'
  const file = picture && (await fetchPicture(platform, tenantId, picture))
  const [title, description] = [headline.slice(0, MOST_IN_AD) || site, text.slice(0, MOST_IN_AD)]
  return { title, description, site, picture, file: file || null }
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
    const after = ledgerFacts(lookUp(byId, row.ticket_id))
    const message = serializeMessage(ctx.platform, ctx.tenantId, row)
    ctx.emit(messageEvents.update, { message }, { kind: 'ticket', ticketId: row.ticket_id, before: null, after })
  }
}
