import { Button, Modal } from '@mantine/core'
import { t } from '#web/t.ts'
import { accept, markSeen } from '../actions.ts'
import css from '../dialogs.module.css'
import type { Doors } from '../doors.ts'
import { ownerOf } from '../names.ts'
import { useLogs, useTicket } from '../ticket.ts'
import { Thread } from './Thread.tsx'

/** “Espiar”: the conversation to read only; it marks nothing as read for others and assigns nobody. */
export function Peek({ id, doors, onClose }: { id: number; doors: Pick<Doors, 'follow'>; onClose: () => void }) {
  const { ticket } = useTicket(id)
  const logs = useLogs(id).data ?? []
  return (
    <Modal
      opened
      onClose={onClose}
      size={728}
      padding={20}
      title={ticket ? t('Espiando {name}', { name: ticket.name }) : t('Espiando')}
    >
      <div className={css.peek}>
        <Thread
          ticketId={id}
          logs={logs}
          unread={ticket?.unreadMessages ?? 0}
          readOnly
          onSeen={(last) => markSeen(id, last, true)}
        />
      </div>
      <div className={css.peekFooter}>
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
