import { t } from '#web/t.ts'
import { BotIcon } from '#web/ui/icons.ts'

/** That a chat flow attends a ticket, and no person yet. */
export function BotMark() {
  return (
    <span role="img" aria-label={t('ChatBot atendendo')}>
      <BotIcon size={14} />
    </span>
  )
}
