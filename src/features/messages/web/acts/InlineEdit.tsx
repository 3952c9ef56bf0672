import { Button } from '@mantine/core'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Mention, mentionsOf } from '#domain/messages/mentions.ts'
import { shownText, signed } from '#domain/messages/signature.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { messages } from '#features/messages/addresses.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { confirmDiscard } from '#web/ui/feedback/confirm.tsx'
import { useUnsaved } from '#web/unsaved.ts'
import { type Acting, acting } from '../acting/acting.ts'
import { publishChanged } from '../cache/restate.ts'
import { mentionedBy } from '../mentions/mentionable.ts'
import { SuggestionList } from '../replies/SuggestionList.tsx'
import { useSuggestions } from '../replies/use-suggestions.ts'
import { useTicket } from '../ticket/ticket.ts'
import css from './acts.module.css'
import { useAsking } from './use-asking.ts'

// Sends the mentions with the text: names no longer in the text lose their mention.
async function changeNote({ id, ticketId, data }: MessageRow, body: string, picked: readonly Mention[]) {
  const mentioned = await mentionedBy(ticketId, body, [...picked, ...mentionsOf(data).named])
  return call(messages.change, { params: { id }, body: { body, ...mentioned } }, { quiet: true })
}

const close = (): void => acting.set(null)

/** Texts being edited, by action: a row that leaves the screen and comes back keeps its text. */
const texts = new WeakMap<Acting, string>()

/** Edits the text of a message or note in place; shows a refusal of the server here and keeps the text. */
export function InlineEdit({ message }: { message: MessageRow }) {
  const { ticket } = useTicket(message.ticketId)
  return ticket ? <Edit message={message} ticket={ticket} /> : null
}

function Edit({ message, ticket }: { message: MessageRow; ticket: TicketDetail }) {
  const before = shownText(message)
  const asked = acting.get() as Acting
  const [text, setText] = useState(texts.get(asked) ?? before)
  const [caret, setCaret] = useState(text.length)
  const area = useRef<HTMLTextAreaElement>(null)
  const picked = useRef<Mention[]>([])
  const choices = useSuggestions({ ticket, text, caret, isNote: message.isNote })
  const write = (next: string, at: number) => {
    texts.set(asked, next)
    setText(next)
    setCaret(at)
  }
  const pick = (index: number) => {
    const next = choices.answer(index)
    if (!next) return
    if (next.choice.names) picked.current.push(next.choice.names)
    // Synchronously, so that the next key finds the caret in place.
    flushSync(() => write(next.text, next.caret))
    area.current?.setSelectionRange(next.caret, next.caret)
  }
  const { busy, problems, ask } = useAsking(close)
  const body = text.trim()
  const isSame = body === before.trim()
  useUnsaved(!isSame)
  useLayoutEffect(() => {
    const field = area.current
    if (!field) return
    field.style.height = 'auto'
    field.style.height = `${field.scrollHeight}px`
  })
  useEffect(() => area.current?.focus(), [])
  // The signature is not shown, so it stays unchanged.
  const wasSigned = before !== message.body
  const save = () => {
    if (isSame) return close()
    if (body === '' || busy) return
    void ask(() => {
      const { id } = message
      if (message.isNote) return publishChanged(changeNote(message, body, picked.current))
      const sent = wasSigned ? signed(body, message.userName ?? '') : body
      return publishChanged(call(messages.edit, { body: { messageId: id, body: sent } }, { quiet: true }))
    })
  }
  const leave = async () => {
    if (!isSame && !(await confirmDiscard({ text: t('O que você mudou nesta mensagem ainda não foi salvo.') })))
      return area.current?.focus()
    close()
  }
  return (
    <div className={css.edit} role="group" aria-label={message.isNote ? t('Editar nota') : t('Editar mensagem')}>
      <textarea
        ref={area}
        rows={1}
        value={text}
        aria-label={t('Texto')}
        {...choices.field}
        onChange={(event) => write(event.currentTarget.value, event.currentTarget.selectionStart)}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onFocus={({ currentTarget }) => currentTarget.setSelectionRange(text.length, text.length)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || choices.keys(event, pick)) return
          const isSave = event.key === 'Enter' && !event.shiftKey
          if (!isSave && event.key !== 'Escape') return
          event.preventDefault()
          event.stopPropagation()
          if (isSave) save()
          else void leave()
        }}
      />
      {choices.asked && <SuggestionList {...choices} asked={choices.asked} onPick={pick} />}
      {(problems['body'] ?? problems['']) && (
        <p className={css.problem} role="alert">
          {problems['body'] ?? problems['']}
        </p>
      )}
      <div className={css.editFooter}>
        <Button size="xs" variant="default" onClick={() => void leave()}>
          {t('Cancelar')}
        </Button>
        <Button size="xs" disabled={isSame || body === ''} loading={busy} onClick={save}>
          {t('Salvar')}
        </Button>
      </div>
    </div>
  )
}
