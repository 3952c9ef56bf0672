import type { SlaClock } from '#domain/sla/clocks.ts'
import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import { pathOf } from '#features/tickets/web/choices/bucket.ts'
import { clockNames } from '#features/tickets/web/choices/names.ts'
import { plural, t } from '#web/t.ts'

/** A ticket of which a clock is at risk, or over. */
export type DueTicket = TicketRow & { clock: SlaClock; isMissed: boolean; publishedAt: number }

/** What a notice of the desktop says, and what it opens; another one of the same path takes its place. */
export type Notice = { readonly title: string; readonly text: string; readonly path: string }

const NAMED = 3

/** The one notice of deadlines that came due together: of one ticket which, of several how many, and the list of them. */
export function noticeOfDue(due: readonly DueTicket[]): Notice {
  // What was at risk a moment ago and is over now is told once.
  const tickets = [...new Map(due.map((one) => [one.id, one])).values()]
  const [first] = tickets
  if (first && tickets.length === 1) {
    const what = clockNames[first.clock]
    const text = first.isMissed ? t('Prazo estourado: {what}', { what }) : t('Prazo em risco: {what}', { what })
    return { title: first.name, text, path: pathOf(first.id) }
  }
  const missed = tickets.filter(({ isMissed }) => isMissed).length
  const atRisk = tickets.length - missed
  const counts = [
    ...(missed > 0 ? [plural(missed, 'prazo estourado', 'prazos estourados')] : []),
    ...(atRisk > 0 ? [plural(atRisk, 'prazo em risco', 'prazos em risco')] : []),
  ]
  const names = tickets.slice(0, NAMED).map(({ name }) => name)
  const others = tickets.length - names.length
  return {
    title: counts.join(', '),
    text: others > 0 ? t('{names} e mais {others}', { names: names.join(', '), others }) : names.join(', '),
    // What is at risk now may be over when somebody clicks: it stands in front all the same.
    path: `/atendimento?tab=live&${atRisk > 0 ? 'dueFirst=true' : 'sla=missed'}`,
  }
}
