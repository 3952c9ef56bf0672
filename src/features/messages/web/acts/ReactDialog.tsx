import { Button, Modal } from '@mantine/core'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { messages } from '#features/messages/addresses.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { reactions } from '../acting/reactions.ts'
import { publishChanged } from '../cache/restate.ts'
import css from './acts.module.css'
import { useAsking } from './use-asking.ts'

/** Dialog with a few emoji: sends the chosen one as reaction; choosing it again removes it. */
export function ReactDialog({ message, onClose }: { message: MessageRow; onClose: () => void }) {
  const { busy, problems, ask } = useAsking(onClose)
  const { id: messageId, ticketId, reactionFromMe } = message
  const react = (reaction: string) =>
    void ask(() => publishChanged(call(messages.react, { body: { messageId, ticketId, reaction } }, { quiet: true })))
  return (
    <Modal opened onClose={onClose} size={344} title={t('Reagir')}>
      <div className={css.palette} role="group" aria-label={t('Reações')}>
        {reactions.map((emoji) => (
          <button
            key={emoji}
            type="button"
            disabled={busy}
            aria-pressed={emoji === reactionFromMe}
            aria-label={t('Reagir com {emoji}', { emoji })}
            onClick={() => react(emoji === reactionFromMe ? '' : emoji)}
          >
            {emoji}
          </button>
        ))}
      </div>
      {problems[''] && <p role="alert">{problems['']}</p>}
      {reactionFromMe && (
        <Button variant="default" fullWidth mt={12} disabled={busy} onClick={() => react('')}>
          {t('Tirar a reação')}
        </Button>
      )}
    </Modal>
  )
}
