import { Modal, Textarea } from '@mantine/core'
import { useState } from 'react'
import { commentEnd } from '#domain/messages/window.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { messages } from '#features/messages/addresses.ts'
import { uuid } from '#web/api.ts'
import { call } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { DialogEnd } from '#web/ui/feedback/DialogEnd.tsx'
import css from '#web/ui/feedback/dialogs.module.css'
import { adoptSent } from '../cache/thread-cache.ts'
import { Quote } from '../parts/quote.tsx'
import { useAsking } from './use-asking.ts'

/** Dialog of the one private reply to a public comment, also while the window is closed. */
export function AnswerComment(props: { comment: MessageRow; ticket: TicketDetail; onClose: () => void }) {
  const { comment, ticket, onClose } = props
  const { maxTextLength, commentDays } = ticket.capabilities
  const [body, setBody] = useState('')
  const [idFront] = useState(uuid)
  const { busy, problems, ask } = useAsking(onClose)
  const { id, fromMe, mediaType, mediaName } = comment
  const quoted = { id, body: comment.body, fromMe, mediaType, mediaName, author: ticket.contact.name }
  const send = () =>
    ask(async () => {
      const answer = { body: body.trim(), quotedMsgId: id, isNote: false, idFront }
      const sent = await call(messages.send, { params: { ticketId: ticket.id }, body: answer }, { quiet: true })
      adoptSent(ticket.id, sent.messages)
    })
  const until = formatDateTime(new Date(commentEnd(comment.timestamp, commentDays)).toISOString())
  return (
    <Modal opened onClose={onClose} size={480} title={t('Responder em particular')}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <Quote quoted={quoted} />
        <Textarea
          data-autofocus
          autosize
          minRows={3}
          maxRows={10}
          maxLength={maxTextLength}
          label={t('Mensagem')}
          description={t('Só quem comentou recebe. Vai uma vez, só em palavras, até {until}.', { until })}
          value={body}
          error={problems['body'] ?? problems['']}
          onChange={(event) => setBody(event.currentTarget.value)}
        />
        <DialogEnd action={t('Enviar')} isReady={body.trim() !== ''} busy={busy} onClose={onClose} />
      </form>
    </Modal>
  )
}
