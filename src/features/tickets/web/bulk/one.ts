import { refreshTicket } from '#features/messages/web/ticket/ticket.ts'
import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { ticketsBulk } from '../../bulk-addresses.ts'
import type { BulkAction, BulkArgs } from '../../bulk-contract.ts'
import { changingHere } from '../actions/actions.ts'
import { show } from './run.tsx'

/** Runs a bulk action on a single ticket, so that it can be undone like one; returns whether it was done. */
export async function runOne(id: number, action: BulkAction, args: BulkArgs, title: string): Promise<boolean> {
  try {
    const answer = await changingHere(id, () =>
      call(ticketsBulk.start, { body: { ids: [id], action, args } }, { quiet: true }),
    )
    refreshTicket(id)
    show(answer, title)
    return answer.done > 0
  } catch (error) {
    notifyError(error)
    return false
  }
}
