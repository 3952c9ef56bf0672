import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'

/** Whether a ticket is to be one's own: where a colleague attends it, that is asked first. */
export async function confirmTaking({
  userId,
  username,
  name,
}: Pick<TicketRow, 'userId' | 'username' | 'name'>): Promise<boolean> {
  if (userId === null || userId === viewer().userId) return true
  return confirm({
    title: t('Assumir o atendimento de {name}?', { name }),
    text: t('{user} está atendendo e deixa de ser responsável.', { user: username ?? t('Um colega') }),
    action: t('Assumir'),
    tone: 'brand',
  })
}
