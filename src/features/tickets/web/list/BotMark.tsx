import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import { t } from '#web/t.ts'
import { BotIcon } from '#web/ui/icons.ts'

/** Mark of a pending ticket that a chat flow or an assistant attends; empty where people do. */
export function BotMark({ row }: { row: TicketRow }) {
  if (row.chatFlowId === null && !row.isAssisted) return null
  const label = row.chatFlowId === null ? t('Integração Externa') : t('ChatBot atendendo')
  return (
    <span role="img" aria-label={label} title={label}>
      <BotIcon size={14} />
    </span>
  )
}
