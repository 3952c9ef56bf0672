import { call } from '#web/client.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { tickets } from '../addresses.ts'
import type { TicketRow } from '../tickets-contract.ts'
import { explain, taking } from './actions.ts'

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

/** Takes a ticket over from the colleague who attends it; whether it worked. A refusal is told. */
export async function takeOver(id: number): Promise<boolean> {
  const body = { status: 'open', userId: viewer().userId } as const
  try {
    await taking(id, () => call(tickets.force, { params: { id }, body }, { quiet: true }))
    return true
  } catch (error) {
    await explain(error)
    return false
  }
}
