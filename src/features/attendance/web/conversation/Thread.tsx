import { useVirtualizer } from '@tanstack/react-virtual'
import { Suspense, startTransition, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { positionOf } from '#features/messages/web/cache/positions.ts'
import { loadMore, toMoment, toNewest, useThread } from '#features/messages/web/cache/thread-cache.ts'
import type { Moment, ThreadData } from '#features/messages/web/cache/thread-data.ts'
import { useOutbox } from '#features/messages/web/outbox/outbox.ts'
import {
  Announcer,
  DaySeparator,
  LogRow,
  TicketSeparator,
  TypingDots,
  UnreadSeparator,
} from '#features/messages/web/rows/separators.tsx'
import css from '#features/messages/web/rows/thread.module.css'
import {
  firstNew,
  type LogEntry,
  type Opening,
  openingRow,
  type ThreadRow,
  threadRows,
} from '#features/messages/web/rows/thread-rows.ts'
import { useFound } from '#features/messages/web/rows/use-found.ts'
import { estimate, nearEnd, useAway, usePinned, useSeen } from '#features/messages/web/rows/use-reading.ts'
import { Bubble } from '#features/messages/web/thread/Bubble.tsx'
import { PendingBubble } from '#features/messages/web/thread/PendingBubble.tsx'
import { ThreadSkeleton } from '#features/messages/web/thread/ThreadSkeleton.tsx'
import { useBubbleActions } from '#features/messages/web/thread/use-bubble-actions.ts'
import { usePresence } from '#features/messages/web/ticket/presence.ts'
import { useLogs } from '#features/messages/web/ticket/ticket.ts'
import { formatDate } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { viewer } from '#web/session/session.ts'
import { toTextTarget } from '#web/shell/key-guard.ts'
import { t } from '#web/t.ts'
import { ArrowDownIcon } from '#web/ui/icons.ts'
import { Counter } from '#web/ui/identity/badges.tsx'

const MessagesError = lazyPart(
  async () => (await import('#features/messages/web/thread/MessagesError.tsx')).MessagesError,
)
const EventRow = lazyPart(async () => (await import('#features/messages/web/thread/EventRow.tsx')).EventRow)
const ScheduledRow = lazyPart(async () => (await import('#features/schedules/web/scheduled-message.tsx')).ScheduledRow)
const Trail = lazyPart(async () => (await import('#features/messages/web/thread/Trail.tsx')).Trail)

const paddingStart = 16
/** Bottom padding in px; equals that of `.item:last-child`. */
const paddingEnd = 14
/** Number of rows rendered beyond the viewport: few at first, for a fast first render. */
const overscan = { first: 1, later: 6 }
/** Approximate height of header and composer in px, for an estimate before the first render. */
const around = 200
const reach = 8
const noLogs: readonly LogEntry[] = []
type ScrollPosition = { offset: number; snapshot: ReturnType<ReturnType<typeof useVirtualizer>['takeSnapshot']> }
/** Scroll positions of conversations left above their end, by ticket. */
const positions = new Map<number, ScrollPosition>()

type ThreadProps = {
  ticketId: number
  /** Unread count when the conversation was opened, for a first-time reader. */
  unread: number
  moment?: Moment | null
  mark?: string
  canQuote?: boolean
  /** Scheduled messages of the ticket. */
  scheduled?: TicketDetail['scheduledMessages']
  /** Capabilities of the channel; without them messages are read-only. */
  capabilities?: TicketDetail['capabilities']
  /** Called when a message was undone before it was sent. */
  onUndone?: (message: MessageRow) => void
  readOnly?: boolean
  onReply?: (message: MessageRow) => void
  /** Sends an undelivered message over another connection. */
  onChannel?: (message: MessageRow) => void
  /** Starts a conversation with the contact of a card. */
  onStart?: (contactId: number) => void
  /** Called when the end is visible: the given message of another author, and all before it, have been seen. */
  onSeen?: (last: MessageRow) => void
}

/** Messages of a ticket, once loaded. */
export function Thread(props: ThreadProps) {
  const { ticketId, moment } = props
  const { data, error, refetch } = useThread(ticketId)
  const logs = useLogs(ticketId).data ?? noLogs
  const isThere = data !== undefined
  useEffect(() => {
    if (moment && !isThere) toMoment(ticketId, moment).catch(() => {})
  }, [moment, isThere, ticketId])
  if (data) return <Messages {...props} data={data} logs={logs} />
  if (error)
    return (
      <Suspense>
        <MessagesError error={error} retry={() => void refetch()} />
      </Suspense>
    )
  return (
    <div className={css.thread}>
      <ThreadSkeleton />
    </div>
  )
}

/**
 * Virtual list of messages: opens at the end (or the reading position), keeps its place while older messages load above,
 * follows new ones only while the end is visible.
 */
function Messages(props: ThreadProps & { data: ThreadData; logs: readonly LogEntry[] }) {
  const { ticketId, logs, unread, moment, mark, canQuote, scheduled, capabilities, readOnly, data } = props
  const { onReply, onUndone, onStart, onSeen, onChannel } = props
  const outbox = useOutbox(ticketId)
  const typing = usePresence(ticketId).contact
  const { messages, tickets } = data
  const isWhole = data.older === null
  const [opening] = useState<Opening>(() => ({
    position: positionOf(ticketId),
    unread,
    last: data.newer === null ? messages.at(-1) : undefined,
  }))
  const newFrom = useMemo(() => {
    const own = messages.filter((message) => message.ticketId === ticketId)
    return firstNew(own, opening, isWhole)
  }, [messages, ticketId, opening, isWhole])
  const rows = useMemo(
    () => threadRows({ ticketId, tickets, messages, outbox, logs, newFrom, isWhole, scheduled, dayOf: formatDate }),
    [ticketId, tickets, messages, outbox, logs, newFrom, isWhole, scheduled],
  )
  const count = rows.length + (typing ? 1 : 0)

  const scroller = useRef<HTMLDivElement>(null)
  const [position] = useState(() => positions.get(ticketId))
  // Renders first at the reading position: the estimated end of the rows, or the first new row.
  const [first] = useState(() => {
    const height = Math.max(0, innerHeight - around)
    const heightOf = (some: readonly ThreadRow[]) => some.reduce((sum, row) => sum + estimate(row), paddingStart)
    const end = Math.max(0, heightOf(rows) + paddingEnd - height)
    const row = openingRow(rows, opening)
    const top = row < 0 ? end : heightOf(rows.slice(0, row))
    return { rect: { width: 0, height }, offset: Math.min(top, end), row: top < end || !opening.last ? row : -1 }
  })
  const [atEnd, setAtEnd] = useState(!position && first.row < 0)
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const shown = setTimeout(() => startTransition(() => setShown(true)), 100)
    return () => clearTimeout(shown)
  }, [])
  // Loading a newer page is no new message: follows only at the true end.
  const isWholeBelow = useRef(data.newer === null)
  useEffect(() => {
    isWholeBelow.current = data.newer === null
  })
  const virtual = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimate(rows[index]),
    getItemKey: (index) => rows[index]?.key ?? 'typing',
    anchorTo: 'end',
    followOnAppend: isWholeBelow.current && data.newer === null,
    scrollEndThreshold: nearEnd,
    overscan: isShown ? overscan.later : overscan.first,
    paddingStart,
    paddingEnd,
    useFlushSync: false,
    initialRect: first.rect,
    ...(position
      ? { initialOffset: position.offset, initialMeasurementsCache: position.snapshot }
      : { initialOffset: first.offset }),
    onChange: (instance) => setAtEnd(instance.isAtEnd(nearEnd)),
  })
  const items = virtual.getVirtualItems()

  const ready = rows.length > 0
  useLayoutEffect(() => {
    if (!ready || position) return
    if (first.row < 0) virtual.scrollToEnd()
    else virtual.scrollToIndex(first.row, { align: 'start' })
  }, [ready, position, first, virtual])

  const seesEnd = atEnd && data.newer === null
  usePinned(scroller, data.newer === null, virtual.scrollToEnd)

  const leaving = useRef(atEnd)
  leaving.current = atEnd
  useEffect(
    () => () => {
      if (leaving.current) positions.delete(ticketId)
      else positions.set(ticketId, { offset: virtual.scrollOffset ?? 0, snapshot: virtual.takeSnapshot() })
    },
    [ticketId, virtual],
  )

  const [stuck, setStuck] = useState(false)
  const firstIndex = items[0]?.index ?? reach
  const lastIndex = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (stuck) return
    const direction =
      data.older && firstIndex < reach ? 'older' : data.newer && lastIndex > count - reach ? 'newer' : null
    if (direction) loadMore(ticketId, direction).catch(() => setStuck(true))
  }, [data, firstIndex, lastIndex, count, stuck, ticketId])

  const toIndex = (index: number) => virtual.scrollToIndex(index, { align: 'center' })
  const { found, show } = useFound({ ticketId, rows, box: scroller, toIndex })
  useEffect(() => {
    if (moment) show(moment).catch(() => {})
  }, [moment, show])

  const toEnd = useCallback(() => {
    toNewest(ticketId)
      .then(() => requestAnimationFrame(() => virtual.scrollToEnd()))
      .catch(() => {})
  }, [ticketId, virtual])

  // Always scrolls to one's own new message.
  const own = outbox.at(-1)?.idFront
  const shownOwn = useRef(own)
  useEffect(() => {
    if (own && own !== shownOwn.current) toEnd()
    shownOwn.current = own
  }, [own, toEnd])

  const away = useAway(messages, seesEnd)
  // One's own messages do not count as read.
  const last = seesEnd
    ? messages.findLast((one) => one.ticketId === ticketId && one.userId !== viewer().userId)
    : undefined
  useSeen(last, onSeen)

  const [trailOf, setTrailOf] = useState<MessageRow>()
  const actions = useBubbleActions({
    ticketId,
    canQuote: Boolean(canQuote) && !readOnly,
    readOnly: Boolean(readOnly),
    capabilities,
    onReply,
    onUndone,
    onStart,
    onShow: show,
    onTrail: setTrailOf,
  })

  return (
    <div className={css.thread}>
      <div ref={scroller} className={css.scroller} role="log" aria-live="off" aria-label={t('Mensagens')}>
        <div className={css.column} style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => (
            <div
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              className={css.item}
              style={{ top: item.start }}
            >
              <Row
                row={rows[item.index]}
                ticketId={ticketId}
                readOnly={Boolean(readOnly)}
                found={found}
                mark={mark}
                actions={actions}
              />
            </div>
          ))}
        </div>
      </div>
      {stuck && (
        <button type="button" className={css.more} onClick={() => setStuck(false)}>
          {t('Não foi possível carregar mais. Tentar de novo')}
        </button>
      )}
      {ready && !seesEnd && (
        <button type="button" className={css.toEnd} onClick={toEnd}>
          <ArrowDownIcon size={19} />
          <span className="g-hidden">{t('Ir para o fim da conversa')}</span>
          <Counter value={away} unit={[t('mensagem nova'), t('mensagens novas')]} />
        </button>
      )}
      <Announcer message={messages.at(-1)} />
      <Suspense>
        {trailOf && (
          <Trail
            message={messages.find(({ id }) => id === trailOf.id) ?? trailOf}
            remedies={
              readOnly
                ? {}
                : { resend: actions.resend, leave: actions.cancel, cancel: actions.cancel, channel: onChannel }
            }
            onClose={() => {
              setTrailOf(undefined)
              toTextTarget()
            }}
          />
        )}
      </Suspense>
    </div>
  )
}

/** Kinds of messages shown as lines between the bubbles. */
const BETWEEN = new Set(['group_event', 'transfer', 'call'])

function Row(props: {
  row: ThreadRow | undefined
  ticketId: number
  readOnly: boolean
  found: string | undefined
  mark: string | undefined
  actions: ReturnType<typeof useBubbleActions>
}) {
  const { row, ticketId, readOnly, found, mark, actions } = props
  if (!row) return <TypingDots />
  switch (row.kind) {
    case 'day':
      return <DaySeparator at={row.at} />
    case 'new':
      return <UnreadSeparator count={row.count} />
    case 'log':
      return <LogRow log={row.log} />
    case 'ticket':
      return <TicketSeparator ticket={row.ticket} />
    case 'scheduled':
      return (
        <Suspense>
          <ScheduledRow ticketId={ticketId} message={row.message} readOnly={readOnly} />
        </Suspense>
      )
    case 'outbox':
      return <PendingBubble item={row.item} first={row.first} last={row.last} />
    case 'message': {
      const { message, first, last, album } = row
      if (BETWEEN.has(message.mediaType))
        return (
          <Suspense>
            <EventRow message={message} />
          </Suspense>
        )
      return (
        <Bubble
          message={message}
          first={first}
          last={last}
          album={album}
          found={(album ?? [message]).some(({ id }) => id === found)}
          mark={mark}
          actions={actions}
        />
      )
    }
  }
}
