import { Button } from '@mantine/core'
import { type RefObject, Suspense, useState } from 'react'
import { lazyPart } from '#web/lazy-part.ts'
import { isSettingOn } from '#web/session/permissions.ts'
import { stored, viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { BlockIcon } from '#web/ui/icons.ts'
import { useNow } from '#web/ui/use-now.ts'
import type { TicketDetail } from '../../tickets-contract.ts'
import { accept, reopen } from '../actions.ts'
import { Composer } from '../composer/Composer.tsx'
import type { ComposerHandle } from '../composer/use-composer.ts'
import type { Doors } from '../doors.ts'
import { usePresence } from '../live/presence.ts'
import { ownerOf } from '../names.ts'
import { resolve } from '../resolve.ts'
import type { ScheduleSubject } from '../schedule/ScheduleDialog.tsx'
import css from './conversation.module.css'

const WindowHint = lazyPart(async () => (await import('./WindowHint.tsx')).WindowHint)

/** The composer, or what has to be done before one can reply. */
export function Writing(props: {
  ticket: TicketDetail
  composer: RefObject<ComposerHandle | null>
  doors: Doors
  takesFocus: boolean
  onSchedule: (subject: ScheduleSubject) => void
}) {
  const { ticket, composer, doors, takesFocus, onSchedule } = props
  const [noting, setNoting] = useState(false)
  const now = useNow()
  const until = ticket.windowUntil
  const isClosedWindow = until !== null && until <= now && !isSettingOn('forceOpenChatWindow')
  const canReply = ticket.status === 'open' && !isClosedWindow
  const { userId, username } = viewer()
  const rivals = usePresence(ticket.id)
    .people.filter(({ id, state }) => id !== userId && state !== 'viewing')
    .map(({ name }) => name)
    .join(', ')
  const me = { id: userId, name: username || (stored<{ name?: string }>('usuario')?.name ?? '') }
  return (
    <>
      {!canReply && (
        <Bar
          ticket={ticket}
          isClosedWindow={isClosedWindow}
          doors={doors}
          noting={noting}
          onNote={() => setNoting(true)}
        />
      )}
      <Suspense>{canReply && until !== null && <WindowHint until={until} />}</Suspense>
      {canReply && ticket.userId !== null && ticket.userId !== userId && (
        <p className={css.hint}>
          {t('{name} está atendendo. O que você enviar sai com o seu nome.', { name: ownerOf(ticket) })}
        </p>
      )}
      <p className={css.hint} role="status" hidden={!rivals}>
        {t('{name} está respondendo', { name: rivals })}
      </p>
      {(canReply || noting) && (
        <Composer
          ref={composer}
          ticket={ticket}
          me={me}
          canReply={canReply}
          mustSign={isSettingOn('signed') && viewer().profile === 'user'}
          takesFocus={takesFocus || noting}
          onSendAndClose={() => resolve(ticket, doors)}
          onSchedule={onSchedule}
        />
      )}
    </>
  )
}

function Bar(props: {
  ticket: TicketDetail
  isClosedWindow: boolean
  doors: Doors
  noting: boolean
  onNote: () => void
}) {
  const { ticket, isClosedWindow, doors, noting, onNote } = props
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
