import { useEffect, useState } from 'react'
import { previewOf } from '#domain/messages/preview.ts'
import { plainText } from '#domain/messages/rich-text.ts'
import type { MessageType } from '#domain/messages/types.ts'
import { messageEvents } from '#features/ledger/event-addresses.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { on } from '#web/realtime/realtime.ts'
import { t } from '#web/t.ts'
import { CloseIcon, PinnedIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { refreshTicket } from '../ticket/ticket.ts'
import { setPinned } from './pin.ts'
import css from './pinned-bar.module.css'

/** Pinned messages, one at a time: a click shows the message in the conversation, the next click the one before. */
export function PinnedBar({ ticket, onShow }: { ticket: TicketDetail; onShow: (timestamp: number) => void }) {
  const { id, pinned } = ticket
  const [at, setAt] = useState(0)
  const index = at % Math.max(1, pinned.length)
  const shown = pinned[index]
  // Deleted messages leave the bar.
  useEffect(() => on(messageEvents.remove, ({ message }) => message.ticketId === id && refreshTicket(id)), [id])
  if (!shown) return null
  const text = previewOf({ type: shown.mediaType as MessageType, body: shown.body, mediaName: shown.mediaName })
  return (
    <section className={css.bar} aria-label={t('Mensagens fixadas')}>
      <PinnedIcon size={18} />
      <button
        type="button"
        className={css.show}
        title={shown.by ? t('Fixada por {name}', { name: shown.by }) : t('Ir até a mensagem')}
        onClick={() => {
          onShow(shown.timestamp)
          setAt(index + 1)
        }}
      >
        <span className={css.top}>
          <b className="g-cut">{shown.userName ?? ticket.name}</b>
          {pinned.length > 1 && <span>{t('{at} de {all}', { at: index + 1, all: pinned.length })}</span>}
        </span>
        <span className="g-cut">{plainText(text)}</span>
      </button>
      <IconButton aria-label={t('Desafixar')} onClick={() => void setPinned({ id: shown.id, ticketId: id }, false)}>
        <CloseIcon size={17} />
      </IconButton>
    </section>
  )
}
