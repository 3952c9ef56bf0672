import { memo, Suspense, useState } from 'react'
import type { MessageStatus } from '#domain/messages/status.ts'
import type { TicketRow as Row } from '#features/ledger/ticket-rows.ts'
import { type Looker, usePresence } from '#features/messages/web/ticket/presence.ts'
import { useTicketRow } from '#features/messages/web/ticket/store.ts'
import { formatDateTime, formatListTime, formatSpan } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { plural, t } from '#web/t.ts'
import { ClockIcon, MoreIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Counter, TagDots } from '#web/ui/identity/badges.tsx'
import { Ticks } from '#web/ui/identity/Ticks.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { useNow } from '#web/ui/use-now.ts'
import type { Doors } from '../actions/doors.ts'
import { ticketActs } from '../actions/registry.ts'
import { ageOf, ownerOf, previewText } from '../choices/names.ts'
import { useIsChosen } from '../choices/selection.ts'
import { ticketCommands } from '../commands/commands.ts'
import css from './ticket-row.module.css'

const RowLookers = lazyPart(async () => (await import('./lookers.tsx')).RowLookers)
const DueRing = lazyPart(async () => (await import('./DueRing.tsx')).DueRing)
const WindowRing = lazyPart(async () => (await import('#web/ui/identity/window-ring.tsx')).WindowRing)
const StageOf = lazyPart(async () => (await import('./StageOf.tsx')).StageOf)
const BotMark = lazyPart(async () => (await import('./BotMark.tsx')).BotMark)

/** Row of the list; a real link, so that Ctrl+click and the middle button open a new tab. */
export const TicketRow = memo(function TicketRow(props: {
  id: number
  selected: boolean
  isGone: boolean
  doors: Doors
  onOpen: (id: number) => void
  /** Prefetches the ticket after `wait` ms, unless another row is nearer by then. */
  onNear: (id: number, wait: number) => void
  /** Toggles the row's selection; `isRange` selects up to it. */
  onChoose: (id: number, isRange: boolean) => void
}) {
  const { id, selected, isGone, doors, onOpen, onNear, onChoose } = props
  const row = useTicketRow(id)
  const { people } = usePresence(id)
  const isChosen = useIsChosen(id)
  // The menu button renders only for a row under the pointer, touched, or focused by keyboard.
  const [isNear, setNear] = useState(false)
  const near = (wait: number) => {
    setNear(true)
    onNear(id, wait)
  }
  if (!row || isGone)
    return (
      <div className={css.row} data-gone>
        <p>{t('Saiu desta lista')}</p>
      </div>
    )
  return (
    <div
      className={css.row}
      data-long-press
      data-selected={selected || isChosen || undefined}
      data-unread={row.unreadMessages > 0 || undefined}
      onPointerEnter={() => near(70)}
      onPointerDown={() => near(0)}
    >
      <RowLink id={id} selected={selected} near={near} onChoose={onChoose} onOpen={onOpen} row={row} />
      <Avatar id={row.contactId} name={row.name} src={row.profilePicUrl} channel={row.channel} />
      <input
        type="checkbox"
        className={css.pick}
        checked={isChosen}
        aria-label={t('Selecionar {name}', { name: row.name })}
        onChange={(event) => onChoose(id, (event.nativeEvent as MouseEvent).shiftKey)}
      />
      <RowText row={row} selected={selected} isNear={isNear} doors={doors} people={people} />
    </div>
  )
})

function RowLink(props: {
  id: number
  selected: boolean
  near: (wait: number) => void
  onChoose: (id: number, isRange: boolean) => void
  onOpen: (id: number) => void
  row: Row
}) {
  const { id, selected, near, onChoose, onOpen, row } = props
  return (
    <a
      className={css.link}
      href={`/atendimento/${id}`}
      aria-current={selected ? 'true' : undefined}
      onFocus={() => near(70)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.button !== 0) return
        event.preventDefault()
        if (event.shiftKey) onChoose(id, true)
        else onOpen(id)
      }}
    >
      <span className="g-hidden">{spoken(row)}</span>
    </a>
  )
}

function RowText(props: { row: Row; selected: boolean; isNear: boolean; doors: Doors; people: readonly Looker[] }) {
  const { row, selected, isNear, doors, people } = props
  return (
    <span className={css.text}>
      <span className={css.top}>
        <span className={`${css.name} g-cut`}>{row.name}</span>
        <Time row={row} />
      </span>
      <span className={css.middle}>
        <Preview row={row} selected={selected} />
        <Counter value={row.unreadMessages} unit={[t('não lida'), t('não lidas')]} />
        {isNear && <RowMenu row={row} doors={doors} />}
      </span>
      <span className={css.bottom}>
        <span className="g-cut">{`${row.queue ?? t('Sem fila')} · ${ownerOf(row)}`}</span>
        <Suspense>
          {people.length > 0 && <RowLookers people={people} />}
          {row.status === 'pending' && <BotMark row={row} />}
          {row.kanban !== null && <StageOf id={row.kanban} />}
          {row.sla && <DueRing sla={row.sla} />}
          {row.windowUntil !== null && row.status !== 'closed' && <WindowRing until={row.windowUntil} />}
        </Suspense>
        {row.isPaused && <span>{t('Pausado')}</span>}
        {row.snoozedUntil !== null && (
          <span>{t('até {when}', { when: formatDateTime(row.snoozedUntil).replace(/\/\d{4}/, '') })}</span>
        )}
        <TagDots tags={row.tags.map(({ tag, color }) => ({ name: tag, color }))} />
        {row.waitingSince !== null && <Waiting since={row.waitingSince} />}
      </span>
    </span>
  )
}

/** Menu of a row; grows while open, because most commands load with the first use of the page, which may be its button. */
function RowMenu({ row, doors }: { row: Row; doors: Doors }) {
  ticketActs.use()
  return (
    <CommandMenu
      commands={() => ticketCommands(row, doors)}
      target={
        <button type="button" className={css.more} aria-label={t('Ações de {name}', { name: row.name })}>
          <MoreIcon size={17} />
        </button>
      }
    />
  )
}

/** Time of the last message. */
function Time({ row }: { row: Row }) {
  return <time className={css.time}>{formatListTime(row.lastMessageAt, useNow())}</time>
}

/** Waiting time of the customer, with a stronger colour as it grows. */
function Waiting({ since }: { since: number }) {
  const wait = useNow() - since
  const span = formatSpan(wait)
  return (
    <span className={css.waiting} data-age={ageOf(wait)} title={t('Esperando resposta há {span}', { span })}>
      <ClockIcon size={13} />
      <span className="g-hidden">{t('esperando')}</span> {span === t('agora') ? t('< 1 min') : span}
    </span>
  )
}

function Preview({ row, selected }: { row: Row; selected: boolean }) {
  const { contact } = usePresence(row.id)
  if (contact)
    return (
      <span className={`${css.preview} g-cut`} data-typing>
        {contact === 'recording' ? t('gravando áudio…') : t('digitando…')}
      </span>
    )
  if (row.draft && !selected)
    return (
      <span className={`${css.preview} g-cut`}>
        <b className={css.draft}>{t('Rascunho:')}</b> {row.draft}
      </span>
    )
  return (
    <span className={css.preview}>
      {row.lastMessageFromMe && <Ticks status={row.lastMessageStatus as MessageStatus} />}
      <span className="g-cut">{previewText(row)}</span>
    </span>
  )
}

function spoken(row: Row): string {
  const { unreadMessages: n } = row
  const unread = n > 0 ? `, ${plural(n, t('não lida'), t('não lidas'))}` : ''
  return `${row.name}${unread}, ${row.queue ?? t('Sem fila')}, ${ownerOf(row)}`
}
