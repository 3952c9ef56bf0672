import { Button } from '@mantine/core'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { acting } from '#features/messages/web/acting/acting.ts'
import css from '#features/messages/web/parts/conversation.module.css'
import { accept, reopen } from '#features/tickets/web/actions/actions.ts'
import type { Doors } from '#features/tickets/web/actions/doors.ts'
import { t } from '#web/t.ts'
import { BlockIcon } from '#web/ui/icons.ts'

/** Bar in place of the composer: the action required before one can reply. */
export function WritingBar(props: {
  ticket: TicketDetail
  isClosedWindow: boolean
  /** Continues as a human agent after the window has closed; null if that is impossible. */
  onHumanAgent: (() => void) | null
  doors: Doors
  noting: boolean
  onNote: () => void
}) {
  const { ticket, isClosedWindow, onHumanAgent, doors, noting, onNote } = props
  const { id, status } = ticket
  const state =
    status === 'closed'
      ? {
          title: t('Atendimento resolvido'),
          text: t('Reabra para responder; a conversa continua de onde parou.'),
          action: t('Reabrir'),
          run: () => void reopen(id, doors.open).then((done) => done && doors.follow(id)),
        }
      : status === 'pending'
        ? {
            title: t('Esperando na fila'),
            text: t('Atenda para responder. {owner}.', { owner: ticket.queue ?? t('Sem fila') }),
            action: t('Atender'),
            run: () => void accept(ticket).then((done) => done && doors.follow(id)),
          }
        : onHumanAgent
          ? {
              title: t('A janela de 24 horas fechou'),
              text: t('Uma pessoa ainda pode responder por alguns dias. Chatbots e agendamentos, não.'),
              action: t('Enviar com Agente Humano'),
              run: onHumanAgent,
            }
          : ticket.capabilities.templates
            ? {
                title: t('A janela de 24 horas fechou'),
                text: t('Envie um modelo aprovado, ou espere o cliente escrever.'),
                action: t('Escolher modelo'),
                run: () => acting.set({ what: 'template', ticket }),
              }
            : null
  return (
    <div className={css.bar}>
      {isClosedWindow && status === 'open' && <BlockIcon size={22} />}
      <span>
        <b>{state?.title ?? t('A janela de 24 horas fechou')}</b>
        <span>{state?.text ?? t('Neste canal, só uma nova mensagem do cliente reabre a conversa.')}</span>
      </span>
      {!noting && (
        <Button variant="default" onClick={onNote}>
          {t('Nota interna')}
        </Button>
      )}
      {state && <Button onClick={state.run}>{state.action}</Button>}
    </div>
  )
}
