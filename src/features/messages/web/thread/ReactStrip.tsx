import type { MessageRow } from '#features/ledger/message-rows.ts'
import { messages } from '#features/messages/addresses.ts'
import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { AddIcon } from '#web/ui/icons.ts'
import { acting } from '../acting/acting.ts'
import { chosenMessages } from '../acting/chosen.ts'
import { mayAct } from '../acts/commands.ts'
import { publishChanged } from '../cache/restate.ts'
import { ReactionStrip } from './reaction-strip.tsx'
import type { BubbleActions } from './use-bubble-actions.ts'

/** Reactions beside the hovered bubble: a click sends one, a second click removes it; “+” shows the others. */
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
    <ReactionStrip isOut={message.fromMe} isOwn={(emoji) => emoji === reactionFromMe} onReact={react}>
      <button type="button" aria-label={t('Mais reações')} onClick={() => acting.set({ what: 'react', message })}>
        <AddIcon size={16} />
      </button>
    </ReactionStrip>
  )
}
