import type { TicketStatus } from '#domain/tickets/facts.ts'
import { tickets } from '#features/ledger/addresses.ts'
import { saveTicket } from '#features/messages/web/ticket/ticket.ts'
import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { followed } from './followed.ts'

/** Follows or unfollows a ticket. */
export async function setFollowing(
  row: { id: number; name: string; status: TicketStatus },
  on: boolean,
): Promise<void> {
  const { id, name, status } = row
  try {
    saveTicket(await call(on ? tickets.follow : tickets.unfollow, { params: { id } }, { quiet: true }))
    const next = new Map(followed.get())
    if (on) next.set(id, status)
    else next.delete(id)
    followed.set(next)
    notify({
      tone: 'pos',
      title: on ? t('Você segue {name}', { name }) : t('Você não segue mais {name}', { name }),
      ...(on ? { text: t('Você recebe avisos das mensagens do cliente e do que mudar.') } : {}),
    })
  } catch (error) {
    notifyError(error)
  }
}
