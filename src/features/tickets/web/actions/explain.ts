import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import { isApiError, notifyError } from '#web/api.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'

/** Conflicting ticket of a move, with the fields that this person may know. */
type KnownTicket = Pick<TicketRow, 'id' | 'username' | 'queue'> & { contact?: unknown }

/** Explains why a move was refused; names the conflicting ticket, and opens it if the person may see it. */
export async function explain(error: unknown, open?: (id: number) => void): Promise<void> {
  if (isApiError(error) && error.code === 'ERR_TICKET_TAKEN' && error.details['user']) {
    const title = t('{name} já está atendendo', { name: String(error.details['user']) })
    return void notify({ tone: 'warn', title })
  }
  const other = isApiError(error) && error.code === 'ERR_OTHER_OPEN_TICKET' && (error.details['ticket'] as KnownTicket)
  if (!other) return notifyError(error)
  const who = other.username ? t('com {name}', { name: other.username }) : t('sem responsável')
  const where = other.queue ? t('na fila {queue}', { queue: other.queue }) : t('sem fila')
  const text = t('O atendimento {id} está {who}, {where}.', { id: other.id, who, where })
  const title = t('Este contato já está em atendimento')
  if (!other.contact || !open) return void notify({ tone: 'warn', title, text })
  if (await confirm({ title, text, action: t('Abrir esse atendimento'), tone: 'brand' })) open(other.id)
}
