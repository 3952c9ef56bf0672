import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { ticketsBulk } from '../../addresses.ts'
import type { TicketRow } from '../../tickets-contract.ts'
import { changingHere } from '../actions.ts'
import { refreshTicket } from '../ticket.ts'
import { show } from './run.tsx'

/** Resolves one ticket: an action on many with one in it, so that it is taken back in the same way. */
export async function resolve({ id, name }: Pick<TicketRow, 'id' | 'name'>, isUnrated: boolean): Promise<void> {
  const args = isUnrated ? { unrated: true } : {}
  try {
    const [action] = ['close'] as const
    const answer = await changingHere(id, () =>
      call(ticketsBulk.start, { body: { ids: [id], action, args } }, { quiet: true }),
    )
    refreshTicket(id)
    show(answer, t('Atendimento de {name} resolvido', { name }))
  } catch (error) {
    notifyError(error)
  }
}
