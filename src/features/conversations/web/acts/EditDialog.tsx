import { Button, Modal, Textarea } from '@mantine/core'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Mention, mentionsOf } from '#domain/messages/mentions.ts'
import { shownText, signed } from '#domain/messages/signature.ts'
import { messages } from '#features/conversations/addresses.ts'
import type { MessageRow } from '#features/conversations/messages-contract.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import css from '#web/ui/feedback/dialogs.module.css'
import type { TicketDetail } from '../../tickets-contract.ts'
import { SuggestionList } from '../composer/SuggestionList.tsx'
import { useSuggestions } from '../composer/use-suggestions.ts'
import { mentionedBy } from '../mentions/mentionable.ts'
import { publishChanged } from './restate.ts'
import { useAsking } from './use-asking.ts'

// Whom it names is sent with it: who is not named any more is not mentioned either.
async function changeNote({ id, ticketId, data }: MessageRow, body: string, picked: readonly Mention[]) {
  const mentioned = await mentionedBy(ticketId, body, [...picked, ...mentionsOf(data).named])
  return call(messages.change, { params: { id }, body: { body, ...mentioned } }, { quiet: true })
}

/** The text of a message or note, to be changed; what the server refuses is told here and nothing is lost. */
export function EditDialog(props: { message: MessageRow; ticket: TicketDetail; onClose: () => void }) {
  const { message, ticket, onClose } = props
  const before = shownText(message)
  const [text, setText] = useState(before)
  const [caret, setCaret] = useState(before.length)
  const area = useRef<HTMLTextAreaElement>(null)
  const picked = useRef<Mention[]>([])
  const choices = useSuggestions({ ticket: { ...ticket, id: message.ticketId }, text, caret, isNote: message.isNote })
  const pick = (index: number) => {
    const next = choices.answer(index)
    if (!next) return
    if (next.choice.names) picked.current.push(next.choice.names)
    // At once, so that the next key finds the caret where it belongs.
    flushSync(() => {
      setText(next.text)
      setCaret(next.caret)
    })
    area.current?.setSelectionRange(next.caret, next.caret)
  }
  const { busy, problems, ask } = useAsking(onClose)
  const body = text.trim()
  const isSame = body === before.trim() || body === ''
  // The signature stays as it was: it is not shown, so it is not edited.
  const wasSigned = before !== message.body
  const save = () =>
    void ask(() => {
      const { id } = message
      if (message.isNote) return publishChanged(changeNote(message, body, picked.current))
      const sent = wasSigned ? signed(body, message.userName ?? '') : body
      return publishChanged(call(messages.edit, { body: { messageId: id, body: sent } }, { quiet: true }))
    })
  return (
    <Modal opened onClose={onClose} size={480} title={message.isNote ? t('Editar nota') : t('Editar mensagem')}>
      <div className={css.form}>
        <Textarea
          ref={area}
          data-autofocus
          autosize
          minRows={3}
          maxRows={12}
          aria-label={t('Texto')}
          value={text}
          error={problems['body'] ?? problems['']}
          {...choices.field}
          // Esc closes the choices first, the dialog next time.
          data-mantine-stop-propagation={choices.asked ? true : undefined}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setCaret(event.currentTarget.selectionStart)
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onKeyDown={(event) => {
            if (choices.keys(event, pick)) return
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isSame) save()
          }}
        />
        {choices.asked && <SuggestionList {...choices} asked={choices.asked} onPick={pick} />}
        <div className={css.footer}>
          <Button variant="default" onClick={onClose}>
            {t('Cancelar')}
          </Button>
          <Button disabled={isSame} loading={busy} onClick={save}>
            {t('Salvar')}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
