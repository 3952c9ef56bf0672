import { type RefObject, Suspense, useState } from 'react'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { Composer } from '#features/messages/web/composer/Composer.tsx'
import type { ScheduleSubject } from '#features/messages/web/composer/schedule-subject.ts'
import type { ComposerHandle } from '#features/messages/web/composer/use-composer.ts'
import css from '#features/messages/web/parts/conversation.module.css'
import { usePresence } from '#features/messages/web/ticket/presence.ts'
import type { Doors } from '#features/tickets/web/actions/doors.ts'
import { ownerOf } from '#features/tickets/web/choices/names.ts'
import { resolve } from '#features/tickets/web/commands/resolve.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { isSettingOn } from '#web/session/permissions.ts'
import { stored, viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { useNow } from '#web/ui/use-now.ts'

const WritingBar = lazyPart(async () => (await import('./WritingBar.tsx')).WritingBar)
const WindowHint = lazyPart(async () => (await import('#features/messages/web/thread/WindowHint.tsx')).WindowHint)

const HOUR_MS = 3_600_000

/** Composer, or the action required before one can reply. */
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
  const [isHumanAgent, setHumanAgent] = useState(false)
  const { windowHours, humanAgentDays } = ticket.capabilities
  // After the window has closed, a person may write for some days as a human agent.
  const humanUntil = until && humanAgentDays ? until + (humanAgentDays * 24 - (windowHours ?? 0)) * HOUR_MS : 0
  const canBeHuman = isClosedWindow && now < humanUntil
  const writesAsHuman = canBeHuman && isHumanAgent
  const isOpen = ticket.status === 'open'
  const canReply = isOpen && (!isClosedWindow || writesAsHuman)
  const { userId, username } = viewer()
  const me = { id: userId, name: username || (stored<{ name?: string }>('usuario')?.name ?? '') }
  return (
    <>
      <Suspense>
        {!canReply && (
          <WritingBar
            ticket={ticket}
            isClosedWindow={isClosedWindow}
            onHumanAgent={canBeHuman ? () => setHumanAgent(true) : null}
            doors={doors}
            noting={noting}
            onNote={() => setNoting(true)}
          />
        )}
      </Suspense>
      <Suspense>
        {isOpen && until !== null && <WindowHint ticket={ticket} until={canReply && !writesAsHuman ? until : null} />}
      </Suspense>
      <WritingHints ticket={ticket} canReply={canReply} writesAsHuman={writesAsHuman} userId={userId} />
      {(canReply || noting) && (
        <Composer
          ref={composer}
          ticket={ticket}
          me={me}
          canReply={canReply}
          isHumanAgent={writesAsHuman}
          mustSign={isSettingOn('signed') && viewer().profile === 'user'}
          takesFocus={takesFocus || noting}
          onSendAndClose={() => resolve(ticket, doors)}
          onSchedule={onSchedule}
        />
      )}
    </>
  )
}

function WritingHints({
  ticket,
  canReply,
  writesAsHuman,
  userId,
}: {
  ticket: TicketDetail
  canReply: boolean
  writesAsHuman: boolean
  userId: number
}) {
  const rivals = usePresence(ticket.id)
    .people.filter(({ state }) => state !== 'viewing')
    .map(({ name }) => name)
    .join(', ')
  return (
    <>
      {canReply && writesAsHuman && (
        <p className={css.hint} role="status">
          {t('A janela fechou: o que você enviar vai como Agente Humano.')}
        </p>
      )}
      {canReply && ticket.userId !== null && ticket.userId !== userId && (
        <p className={css.hint}>
          {t('{name} está atendendo. O que você enviar sai com o seu nome.', { name: ownerOf(ticket) })}
        </p>
      )}
      {ticket.writesTo.blocksUsSince !== null && (
        <p className={css.hint} role="status">
          {ticket.isGroup
            ? t('O bot foi retirado deste grupo: nada chega até que voltem a incluí-lo.')
            : t('O contato bloqueou o bot: nada chega até que ele o desbloqueie.')}
        </p>
      )}
      <p className={css.hint} role="status" hidden={!rivals}>
        {t('{name} está respondendo', { name: rivals })}
      </p>
    </>
  )
}
