import { asMessage, toBubbles } from '#domain/assistants/bubbles.ts'
import { askedBy } from '#domain/flow/choices.ts'
import { ledgerOf } from '#features/ledger/server/messages/index.ts'
import { enqueueDue } from '#features/ledger/server/scheduled/index.ts'
import type { LedgerTicket } from '#features/ledger/server/ticket/index.ts'
import { type MessageDraft, writeMessages } from '#features/ledger/server/writing/index.ts'
import type { Answer, Bubble } from '#providers/assistants/port.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Ctx } from '#server/context.ts'
import { outboundFetch } from '#server/outbound.ts'
import type { Platform } from '#server/platform.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'

/** Message of an answer, ready to be stored: file downloaded, text formatted for the channel. */
export type Deliverable = Pick<MessageDraft, 'mediaType' | 'body' | 'fileId' | 'data'> & { readonly delayMs: number }

const MOST_FILE = 16 * 1024 * 1024
const FETCH_MS = 15_000
/** Maximum number of messages in one answer of a flow engine. */
const MOST_MESSAGES = 12

/** Converts an answer to messages for the ticket's channel; fetches files now, outside of any transaction. */
export async function prepareBubbles(
  platform: Platform,
  tenantId: number,
  ticket: LedgerTicket,
  answer: Pick<Answer, 'bubbles'>,
): Promise<Deliverable[]> {
  const { maxTextLength } = capabilitiesOf(ticket.channel)
  const most = maxTextLength > 0 ? maxTextLength : 4000
  const all: Deliverable[] = []
  let delayMs = 0
  for (const bubble of answer.bubbles) {
    if (bubble.kind === 'pause') delayMs += bubble.ms
    else if (bubble.kind === 'text')
      for (const body of toBubbles(asMessage(sanitizeForPostgres(bubble.text)), most))
        all.push({ mediaType: 'text', body, delayMs })
    else if (bubble.kind === 'options') all.push({ ...offered(ticket, bubble), delayMs })
    else all.push({ ...(await fetched(platform, tenantId, ticket, bubble)), delayMs })
  }
  return all.slice(0, MOST_MESSAGES)
}

function offered(
  { channel }: LedgerTicket,
  { text, options, isList }: Extract<Bubble, { kind: 'options' }>,
): Omit<Deliverable, 'delayMs'> {
  const has = capabilitiesOf(channel)
  const asked = (of: Parameters<typeof askedBy>[0]) =>
    askedBy(of, sanitizeForPostgres(text), options.map(sanitizeForPostgres))
  const listed = isList ? asked({ buttons: null, list: has.list }) : null
  const { body, buttons, list } = listed?.list ? listed : asked(has)
  if (list) return { mediaType: 'list', body, data: { list } }
  if (buttons.length === 0) return { mediaType: 'text', body }
  const named = buttons.map((name, index) => ({ id: String(index + 1), text: name }))
  return { mediaType: 'buttons', body, data: { buttons: named } }
}

async function fetched(
  platform: Platform,
  tenantId: number,
  ticket: LedgerTicket,
  { url, type }: Extract<Bubble, { kind: 'file' }>,
): Promise<Omit<Deliverable, 'delayMs'>> {
  const asLink = { mediaType: 'text', body: sanitizeForPostgres(url) } as const
  const limit = capabilitiesOf(ticket.channel).files[type]
  if (!limit) return asLink
  try {
    const policy = { allow: platform.env.OUTBOUND_ALLOW }
    const { status, body } = await outboundFetch(policy, url, {
      answerMs: FETCH_MS,
      maxBytes: Math.min(limit.maxBytes, MOST_FILE),
    })
    if (status !== 200) return asLink
    const name = decodeURIComponent(URL.parse(url)?.pathname.split('/').at(-1) ?? '') || 'arquivo'
    const { store } = ledgerOf(platform, tenantId, ticket.connection_id)
    const file = await store({ name, bytes: body, maxBytes: MOST_FILE })
    return file ? { mediaType: type, body: '', fileId: file.id } : asLink
  } catch {
    return asLink
  }
}

/** Writes an answer into its ticket, idempotently; returns the number of messages. */
export async function writeBubbles(
  ctx: Ctx,
  ticket: LedgerTicket,
  turnId: string,
  all: readonly Deliverable[],
): Promise<number> {
  const now = ctx.now.getTime()
  const drafts: MessageDraft[] = all.map(({ delayMs, ...message }, index) => ({
    ...message,
    ...{ ticket, source: 'bot', sendType: 'bot', idFront: `${turnId}:${index + 1}` },
    ...(delayMs > 0 ? { sendAt: now + delayMs } : {}),
  }))
  await writeMessages(ctx, drafts)
  enqueueDue(
    ctx,
    drafts.flatMap(({ sendAt }) => sendAt ?? []),
  )
  return drafts.length
}
