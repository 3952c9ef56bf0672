import type { SlaClock } from '#domain/sla/clocks.ts'
import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import { pathOf } from '#features/tickets/web/choices/bucket.ts'
import { clockNames } from '#features/tickets/web/choices/names.ts'
import { plural, t } from '#web/t.ts'

/** Ticket with an SLA clock at risk, or missed. */
export type DueTicket = TicketRow & { clock: SlaClock; isMissed: boolean; publishedAt: number }

/** Desktop notification with its target path; a new one with the same path replaces it. */
export type Notice = { readonly title: string; readonly text: string; readonly path: string }

const NAMED = 3

/** Returns one notification for SLA clocks that came due together: a single ticket by name, several by number with their list. */
export function noticeOfDue(due: readonly DueTicket[]): Notice {
  // A ticket both at risk and missed counts once.
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
    // Opens the list sorted by due time: clocks at risk may be missed by the time of the click.
    path: `/atendimento?tab=live&${atRisk > 0 ? 'dueFirst=true' : 'sla=missed'}`,
  }
}
