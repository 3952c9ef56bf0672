import { t } from '#web/t.ts'
import { BotIcon } from '#web/ui/icons.ts'

/** That a chat flow, or an assistant (`isExternal`), attends a ticket, and no person yet. */
export function BotMark({ isExternal = false }: { isExternal?: boolean }) {
  const label = isExternal ? t('Integração Externa') : t('ChatBot atendendo')
  return (
    <span role="img" aria-label={label} title={label}>
      <BotIcon size={14} />
    </span>
  )
}
