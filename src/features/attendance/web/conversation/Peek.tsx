import { Button, Modal } from '@mantine/core'
import { useTicket } from '#features/messages/web/ticket/ticket.ts'
import { accept } from '#features/tickets/web/actions/actions.ts'
import type { PeekProps } from '#features/tickets/web/actions/peek-screen.ts'
import { ownerOf } from '#features/tickets/web/choices/names.ts'
import { t } from '#web/t.ts'
import css from './peek.module.css'
import { Thread } from './Thread.tsx'

/** “Espiar”: read-only conversation; marks nothing as read and assigns no one. */
export function Peek({ id, doors, onClose }: PeekProps) {
  const { ticket } = useTicket(id)
  return (
    <Modal
      opened
      onClose={onClose}
      size={728}
      title={ticket ? t('Espiando {name}', { name: ticket.name }) : t('Espiando')}
    >
      <div className={css.peek}>
        <Thread ticketId={id} unread={ticket?.unreadMessages ?? 0} readOnly />
      </div>
      <div className={css.footer}>
        <span>{ticket && `${ticket.queue ?? t('Sem fila')} · ${ownerOf(ticket)}`}</span>
        <Button variant="default" onClick={onClose}>
          {t('Fechar')}
        </Button>
        {ticket && ticket.status !== 'closed' && (
          <Button
            onClick={() =>
              void accept(ticket).then((done) => {
                if (!done) return
                onClose()
                doors.follow(id)
              })
            }
          >
            {t('Atender')}
          </Button>
        )}
      </div>
    </Modal>
  )
}
