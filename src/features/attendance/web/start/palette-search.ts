import { formatPhone } from '#domain/phone/shown.ts'
import { tickets } from '#features/ledger/addresses.ts'
import { ownerOf } from '#features/tickets/web/choices/names.ts'
import { plainFilter, queryOf } from '#features/tickets/web/lists/list-filter.ts'
import { call } from '#web/client.ts'
import { isRestricted } from '#web/session/permissions.ts'
import type { Hit } from '#web/shell/searches.ts'
import { TicketsIcon } from '#web/ui/icons.ts'

/** Returns the tickets that the palette finds by name, number, protocol or ticket id. */
export async function searchTickets(text: string, signal: AbortSignal): Promise<readonly Hit[]> {
  const query = queryOf({ ...plainFilter, search: text })
  const found = await call(tickets.list, { query }, { signal, quiet: true })
  return found.tickets.slice(0, 5).map((ticket) => ({
    id: `ticket ${ticket.id}`,
    label: ticket.name,
    icon: TicketsIcon,
    sub: [isRestricted() ? '' : formatPhone(ticket.contact.number), ownerOf(ticket)].filter(Boolean).join(' · '),
    path: `/atendimento/${ticket.id}`,
  }))
}
