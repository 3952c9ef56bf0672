import { closeUnattended, decideNext } from '#features/conversations/server/index.ts'
import { unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { asVisitorSees } from './conversation.ts'
import { pageOf } from './queries.ts'
import type { Visitor } from './visitors.ts'

/** Ends what the visitor has in progress, if anything. */
export const endVisit = (platform: Platform, { tenantId, connectionId, visitorId }: Visitor): Promise<void> =>
  unit(platform, { tenantId, user: null }, async (ctx) => {
    const arrival = { by: 'contact', isGroup: false, number: null } as const
    const next = await decideNext(ctx.db, arrival, connectionId, visitorId)
    if (next.kind === 'continue') await closeUnattended(ctx, [next.ticket.id], 'customer')
  })

const MOST_MESSAGES = 1000

/** A visitor's conversation as a text, a message a line, times by the company's clock. */
export async function transcriptOf(platform: Platform, visitor: Visitor): Promise<{ name: string; text: string }> {
  const { tenantId } = visitor
  const rows = await platform.db.read(tenantId, (db) =>
    pageOf(db, visitor, { before: undefined, limit: MOST_MESSAGES }),
  )
  const { timezone: timeZone } = await platform.settings.get(String(tenantId))
  const texts = rows
    .slice(0, MOST_MESSAGES)
    .reverse()
    .map((row) => {
      const { timestamp, fromVisitor, author, body, media, deleted } = asVisitorSees(platform, tenantId, row)
      const at = new Date(timestamp).toLocaleString('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'short' })
      const who = fromVisitor ? 'Você' : (author ?? 'Atendimento')
      const content = deleted ? '(apagada)' : [media && `[${media.name}]`, body].filter(Boolean).join(' ')
      return `${at} ${who}: ${content}`
    })
  const day = platform.now().toLocaleDateString('sv-SE', { timeZone })
  return { name: `conversa-${day}.txt`, text: `${texts.join('\r\n')}\r\n` }
}
