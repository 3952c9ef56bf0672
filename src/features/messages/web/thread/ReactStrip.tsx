import type { MessageRow } from '#features/ledger/message-rows.ts'
import { messages } from '#features/messages/addresses.ts'
import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { AddIcon } from '#web/ui/icons.ts'
import { acting } from '../acting/acting.ts'
import { chosenMessages } from '../acting/chosen.ts'
import { reactions } from '../acting/reactions.ts'
import css from '../acts/acts.module.css'
import { mayAct } from '../acts/commands.ts'
import { publishChanged } from '../cache/restate.ts'
import type { BubbleActions } from './use-bubble-actions.ts'

/** Number of reactions beside the bubble; “+” shows the others. */
const quick = 5

/** Reactions beside the hovered bubble: a click sends one, a second click removes it. */
export function ReactStrip({ message, actions }: { message: MessageRow; actions: BubbleActions }) {
  const around = actions.around()
  const isChoosing = chosenMessages.use() !== null
  const isEditing = acting.use()?.what === 'edit'
  if (isChoosing || isEditing || message.ticketId !== around.ticketId || !mayAct('react', message, around)) return null
  const { id: messageId, ticketId, reactionFromMe } = message
  const react = (emoji: string) => {
    const reaction = emoji === reactionFromMe ? '' : emoji
    const body = { messageId, ticketId, reaction }
    void publishChanged(call(messages.react, { body }, { quiet: true })).catch(notifyError)
  }
  return (
    <span className={css.strip} data-out={message.fromMe || undefined} role="group" aria-label={t('Reagir')}>
      {reactions.slice(0, quick).map((emoji) => (
        <button
          key={emoji}
          type="button"
          aria-pressed={emoji === reactionFromMe}
          aria-label={t('Reagir com {emoji}', { emoji })}
          onClick={() => react(emoji)}
        >
          {emoji}
        </button>
      ))}
      <button type="button" aria-label={t('Mais reações')} onClick={() => acting.set({ what: 'react', message })}>
        <AddIcon size={16} />
      </button>
    </span>
  )
}
