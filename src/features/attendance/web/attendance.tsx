import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { FirstSteps } from '#features/guide/web/index.ts'
import { prefetchThread } from '#features/messages/web/cache/thread-cache.ts'
import type { Moment } from '#features/messages/web/cache/thread-data.ts'
import { type Layout, useContextOpen, useLayout, useWidth } from '#features/messages/web/registries/layout.ts'
import { prefetchTicket, useTicket } from '#features/messages/web/ticket/ticket.ts'
import type { Asking, Doors } from '#features/tickets/web/actions/doors.ts'
import { ticketActs } from '#features/tickets/web/actions/registry.ts'
import { useIsChoosing } from '#features/tickets/web/choices/selection.ts'
import { ListHeader } from '#features/tickets/web/list/ListHeader.tsx'
import { TicketList } from '#features/tickets/web/list/TicketList.tsx'
import list from '#features/tickets/web/lists/list.module.css'
import { readAddress, searchOf, ticketAt } from '#features/tickets/web/lists/list-filter.ts'
import { prefetchList, setFocused } from '#features/tickets/web/lists/lists.ts'
import { useFilter, useOpenTicket } from '#features/tickets/web/lists/use-filter.ts'
import { startLive } from '#features/tickets/web/live/tickets.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { readPreferences } from '#web/preferences.ts'
import { may, useMay } from '#web/session/permissions.ts'
import { stored, viewer } from '#web/session/session.ts'
import { useCommands } from '#web/shell/commands.ts'
import { isOnPage, toTextTarget } from '#web/shell/key-guard.ts'
import { useLayer } from '#web/shell/layers.ts'
import { isPreloading } from '#web/start/preload.ts'
import { t } from '#web/t.ts'
import { EmptyState } from '#web/ui/feedback/states.tsx'
import { ArrowDownIcon, ArrowUpIcon, SearchIcon, StartConversationIcon } from '#web/ui/icons.ts'
import type { Command } from '#web/ui/layout/command.ts'
import css from './attendance.module.css'
import { Conversation } from './conversation/Conversation.tsx'
import type { ContextView } from './panel/ContextPanel.tsx'
import { Splitter } from './Splitter.tsx'

const ChosenBar = lazyPart(async () => (await import('./bulk/ChosenBar.tsx')).ChosenBar)
const MentionList = lazyPart(async () => (await import('./alerts/MentionList.tsx')).MentionList)
const MessageHits = lazyPart(async () => (await import('#features/tickets/web/list/MessageHits.tsx')).MessageHits)
const Asked = lazyPart(async () => (await import('./commands/Asked.tsx')).Asked)
const NewConversation = lazyPart(async () => (await import('./NewConversation.tsx')).NewConversation)
const ContextPanel = lazyPart(async () => (await import('./panel/ContextPanel.tsx')).ContextPanel)
const ContextDrawer = lazyPart(async () => (await import('./panel/ContextDrawer.tsx')).ContextDrawer)

// Maximum time to wait for the list before rendering without it, in ms.
const patienceMs = 400

/** Returns the attendance screen once loaded; waits briefly for the preloaded requests, so that everything renders at once. */
export async function openAttendance(): Promise<typeof Attendance> {
  if (isPreloading()) {
    const asked = searchOf(location.search)
    const reads = [prefetchList(readAddress(asked, stored('filtrosAtendimento')))]
    const id = ticketAt(location.pathname)
    if (id !== null) reads.push(prefetchTicket(id))
    if (id !== null && asked['timestamp'] === undefined) reads.push(prefetchThread(id))
    await Promise.race([Promise.all(reads), new Promise((resolve) => setTimeout(resolve, patienceMs))])
  }
  return Attendance
}

/** Attendance screen: list, conversation and context side by side, or one at a time in a narrow window. */
export function Attendance() {
  useEffect(startLive, [])
  const { ticketId } = useParams({ strict: false })
  const id = ticketId && /^\d+$/.test(ticketId) ? Number(ticketId) : null
  const layout = useLayout()
  const [filter, setFilter] = useFilter()
  const openTicket = useOpenTicket()
  const moment = useMoment(id)
  const listPane = useWidth('list', layout === 'wide' ? 360 : 320, [280, 480])
  const contextPane = useWidth('context', 324, [280, 420])
  const [contextOpen, setContextOpen] = useContextOpen(layout)
  const [view, setView] = useState<ContextView>('contact')
  const toContact = useCallback(() => setView('contact'), [])
  // A permanently visible panel is part of the screen; an opened one is a layer over it.
  const [wasOpened, setWasOpened] = useState(false)
  const showContext = (open: boolean) => {
    setWasOpened(open)
    setContextOpen(open)
  }
  const hideContext = () => showContext(false)
  useLayer(contextOpen && wasOpened, hideContext)
  useLayer(contextOpen && view !== 'contact', toContact)
  const [asked, setAsked] = useState<{ what: Asking; id: number; leaves: boolean | undefined } | null>(null)
  const [starting, setStarting] = useState(false)
  const isChoosing = useIsChoosing()
  const search = useRef<HTMLInputElement>(null)
  // On a page that opens with a conversation, a shortcut may be the first input.
  useEffect(() => {
    if (id !== null) void import('./commands/commands.ts').then(({ addTicketActs }) => addTicketActs())
  }, [id])
  useEffect(() => {
    setFocused(id)
    return () => setFocused(null)
  }, [id])
  useEffect(() => {
    if (id === null) return
    setView('contact')
    setWasOpened(false)
  }, [id])

  const byKeys = useRef(false)
  const open = useCallback((next: number) => void openTicket(next), [openTicket])
  const choose = useCallback(
    (next: number) => {
      byKeys.current = false
      open(next)
    },
    [open],
  )
  const leave = useCallback(() => void openTicket(null), [openTicket])
  const start = useCallback(() => setStarting(true), [])
  const onStart = useMay()('tickets:start') ? start : undefined
  const shown = useRef(filter)
  shown.current = filter
  const follow = useCallback(
    (taken: number) => {
      byKeys.current = false
      void import('#features/tickets/web/lists/following.ts').then(({ followed }) =>
        openTicket(taken, { filter: followed(shown.current, taken) }),
      )
    },
    [openTicket],
  )
  const order = useRef<readonly number[]>([])
  // Last position of the open ticket: when it leaves the list, the ticket that takes its place is next.
  const stood = useRef(0)
  const now = useRef(id)
  now.current = id
  const rememberOrder = useCallback((ids: readonly number[]) => {
    const at = now.current === null ? -1 : order.current.indexOf(now.current)
    if (at >= 0) stood.current = at
    order.current = ids
  }, [])
  const step = useCallback(
    (by: number) => {
      const ids = order.current
      const at = now.current === null ? -1 : ids.indexOf(now.current)
      const gone = now.current === null ? (by > 0 ? 0 : ids.length - 1) : stood.current + Math.min(0, by)
      const next = ids[at < 0 ? gone : at + by]
      if (next === undefined) return
      byKeys.current = isOnPage()
      open(next)
    },
    [open],
  )
  const doors = useMemo<Doors>(
    () => ({
      open: choose,
      follow,
      next: (resolved) => now.current === resolved && readPreferences().opensNext && step(1),
      gone: (away) => now.current === away && leave(),
      ask: (what, ticketId, leaves) => setAsked({ what, id: ticketId, leaves }),
    }),
    [choose, follow, step, leave],
  )
  const showLogs = useCallback(() => {
    setView('logs')
    setContextOpen(true)
  }, [setContextOpen])

  const acts = ticketActs.use()
  const commands = useMemo<Command[]>(() => {
    const group = t('Atendimentos')
    return [
      { id: 'next', group, label: t('Próximo atendimento'), icon: ArrowDownIcon, shortcut: 'j', run: () => step(1) },
      {
        id: 'previous',
        group,
        label: t('Atendimento anterior'),
        icon: ArrowUpIcon,
        shortcut: 'k',
        run: () => step(-1),
      },
      {
        id: 'start',
        group,
        label: t('Iniciar conversa'),
        icon: StartConversationIcon,
        shortcut: 'c',
        when: () => may('tickets:start'),
        run: start,
      },
      {
        id: 'find',
        group,
        label: t('Buscar atendimentos'),
        icon: SearchIcon,
        shortcut: '/',
        run: () => search.current?.focus(),
      },
      ...acts.ofList,
    ]
  }, [step, start, acts])
  useCommands(commands)

  const endAsking = () => {
    setAsked(null)
    if (!isOnPage()) toTextTarget()
  }
  const isMentions = filter.mentions && !filter.search
  const showsList = id === null || layout === 'medium' || layout === 'wide'
  const showsChat = id !== null || layout !== 'phone'
  const context = id !== null && (
    <Suspense>
      <ContextPanel id={id} view={view} onView={setView} doors={doors} onClose={hideContext} />
    </Suspense>
  )
  return (
    <main className={css.frame} data-layout={layout}>
      <h1 className="g-hidden">{t('Atendimentos')}</h1>
      {showsList && (
        <section
          className={css.listPane}
          aria-label={t('Lista de atendimentos')}
          style={layout === 'phone' ? undefined : { width: listPane.width }}
        >
          <div className={list.list}>
            <ListHeader filter={filter} onFilter={setFilter} searchRef={search} onStart={onStart} />
            {!isMentions && (
              <TicketList
                filter={filter}
                selected={id}
                doors={doors}
                onFilter={setFilter}
                onStart={onStart}
                onOrder={rememberOrder}
              />
            )}
            <Suspense>
              {isMentions && (
                <MentionList selected={id} onOpen={(found, timestamp) => void openTicket(found, { timestamp })} />
              )}
              {filter.search && (
                <MessageHits
                  search={filter.search}
                  onOpen={(found, timestamp) => void openTicket(found, { timestamp })}
                />
              )}
              {isChoosing && <ChosenBar filter={filter} />}
            </Suspense>
          </div>
          {layout !== 'phone' && <Splitter label={t('Largura da lista')} pane={listPane} side="left" />}
        </section>
      )}
      {showsChat && (
        <div className={css.chatPane}>
          {id === null ? (
            <NoChat layout={layout} onStart={onStart} />
          ) : (
            <Conversation
              key={id}
              id={id}
              layout={layout}
              doors={doors}
              moment={moment}
              contextOpen={contextOpen}
              takesFocus={!byKeys.current}
              onBack={leave}
              onContext={() => showContext(!contextOpen)}
              onLogs={showLogs}
            />
          )}
        </div>
      )}
      {id !== null && contextOpen && isSide(layout) && (
        <ContextSide id={id} pane={contextPane}>
          {context}
        </ContextSide>
      )}
      {context && contextOpen && !isSide(layout) && (
        <Suspense>
          <ContextDrawer
            isWhole={layout === 'phone'}
            onClose={hideContext}
            onBack={view === 'contact' ? hideContext : toContact}
          >
            {context}
          </ContextDrawer>
        </Suspense>
      )}
      <Suspense>
        {asked && <Asked {...asked} doors={doors} onClose={endAsking} />}
        {starting && <NewConversation onOpen={open} onClose={() => setStarting(false)} />}
      </Suspense>
    </main>
  )
}

/**
 * Context panel beside the conversation; empty while the ticket is not loaded. Renders deferred, after the messages, and
 * never shows the previous ticket.
 */
function ContextSide(props: { id: number; pane: ReturnType<typeof useWidth>; children: ReactNode }) {
  const { id, pane, children } = props
  const drawn = useDeferredValue<number | null>(id, null)
  if (!useTicket(id).ticket) return null
  return (
    <aside className={css.contextPane} style={{ width: pane.width }} aria-label={t('Dados do contato')}>
      <Splitter label={t('Largura dos dados')} pane={pane} side="right" />
      {drawn === id && children}
    </aside>
  )
}

const isSide = (layout: Layout) => layout === 'medium' || layout === 'wide'

function NoChat({ layout, onStart }: { layout: Layout; onStart: (() => void) | undefined }) {
  return (
    <section className={css.empty} aria-label={t('Conversa')}>
      <Suspense>{viewer().profile === 'user' && !readPreferences().hidesFirstSteps && <FirstSteps />}</Suspense>
      <EmptyState
        title={t('Escolha uma conversa')}
        text={
          layout === 'narrow' ? (
            t('As conversas da lista abrem aqui.')
          ) : (
            <>
              {t('As conversas da lista abrem aqui.')} <kbd>J</kbd> {t('e')} <kbd>K</kbd> {t('passam de uma a outra.')}
            </>
          )
        }
        {...(onStart && {
          step: { label: t('Iniciar conversa'), run: onStart, icon: <StartConversationIcon size={17} /> },
        })}
      />
    </section>
  )
}

/** Returns the moment in the URL, which is removed from there at once (decision A21). */
function useMoment(id: number | null): Moment | null {
  const { timestamp, pageNumber, reply } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [moment, setMoment] = useState<(Moment & { id: number | null }) | null>(null)
  useEffect(() => {
    if (timestamp === undefined && pageNumber === undefined) return
    const at = Number(timestamp)
    if (at > 0) setMoment({ id, timestamp: at, reply: reply !== undefined })
    const without = ({ timestamp: _, pageNumber: __, reply: ___, ...rest }: Record<string, unknown>) => rest
    void navigate({ to: '.', replace: true, search: without })
  }, [timestamp, pageNumber, reply, id, navigate])
  return moment?.id === id ? moment : null
}
