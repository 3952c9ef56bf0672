import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'

/** Asks for confirmation before taking a ticket from a colleague; returns true otherwise. */
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
