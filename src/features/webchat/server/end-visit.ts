import { type Language, translatedText } from '#domain/webchat/languages.ts'
import { askRating } from '#features/ratings/server/index.ts'
import { decideNext } from '#features/tickets/server/begin/index.ts'
import { closeUnattended } from '#features/tickets/server/change/index.ts'
import { unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import type { VisitorMessage } from '../contract.ts'
import { asVisitorSees } from './conversation.ts'
import { findVisitor, pageOf } from './queries.ts'
import { momentText, sentence } from './sentences.ts'
import type { Visitor } from './visitors.ts'

/** Closes the visitor's ticket, if any; the rating question is sent if the company has it. */
export const endVisit = (platform: Platform, { tenantId, connectionId, visitorId }: Visitor): Promise<void> =>
  unit(platform, { tenantId, user: null }, async (ctx) => {
    const arrival = { by: 'contact', isGroup: false, number: null } as const
    const next = await decideNext(ctx.db, arrival, connectionId, visitorId)
    if (next.kind !== 'continue') return
    for (const ticketId of await closeUnattended(ctx, [next.ticket.id], 'customer')) askRating(ctx, ticketId)
  })

const MOST_MESSAGES = 1000

/** Returns a visitor's conversation as text in their language, one message per line, times in the company's zone. */
export async function transcriptOf(platform: Platform, visitor: Visitor): Promise<{ name: string; text: string }> {
  const { tenantId, visitorId } = visitor
  const [rows, known] = await platform.db.read(tenantId, (db) =>
    Promise.all([pageOf(db, visitor, { before: undefined, limit: MOST_MESSAGES }), findVisitor(db, visitorId)]),
  )
  const language = known?.language ?? 'pt'
  const { timezone: timeZone } = await platform.settings.get(String(tenantId))
  const texts = rows
    .slice(0, MOST_MESSAGES)
    .reverse()
    .map((row) => textOf(asVisitorSees(platform, tenantId, row), language, timeZone))
  const day = platform.now().toLocaleDateString('sv-SE', { timeZone })
  return { name: `${sentence('conversa', language)}-${day}.txt`, text: `${texts.join('\r\n')}\r\n` }
}

/** Formats a message as a line of text: time, author, body. */
export function textOf(message: VisitorMessage, language: Language, timeZone: string): string {
  const { timestamp, fromVisitor, author, media, deleted } = message
  const who = fromVisitor ? sentence('Você', language) : (author ?? sentence('Atendimento', language))
  const content = deleted ? sentence('(apagada)', language) : [media && `[${media.name}]`, bodyOf(message, language)]
  return `${momentText(timestamp, language, timeZone)} ${who}: ${[content].flat().filter(Boolean).join(' ')}`
}

/** Returns the body of a message; the product's own sentences in the visitor's language. */
export const bodyOf = ({ fromVisitor, author, body }: VisitorMessage, language: Language): string =>
  fromVisitor || author !== null ? body : translatedText(body, language)
