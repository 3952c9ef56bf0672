import { Button, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { dayIn } from '#domain/calendar/local-time.ts'
import { opportunities } from '#features/funnel/addresses.ts'
import { tasks } from '#features/tasks/addresses.ts'
import { isApiError, sentence } from '#web/api.ts'
import { useChoices } from '#web/choices.ts'
import { call, query, queryClient } from '#web/client.ts'
import { timeZone } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { on } from '#web/realtime/realtime.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { AddIcon, ChevronLeftIcon, ChevronRightIcon } from '#web/ui/icons.ts'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { type SetUrl, type Url, useUrlState } from '#web/url-state.ts'
import { calendar, calendarChanges, calendarEvents } from '../addresses.ts'
import type { CalendarEvent } from '../contract.ts'
import css from './calendar.module.css'
import { dayAfter, dayOfWall, type Entry, entriesOf, KINDS, type Kind, kindNames, momentOf } from './items.ts'
import { rangeOf, stepOf, titleOf, VIEWS, type View } from './range.ts'
import { waitingText } from './texts.tsx'

const Drawn = lazyPart(async () => (await import('./DrawnCalendar.tsx')).DrawnCalendar)
const EventForm = lazyPart(async () => (await import('./EventForm.tsx')).EventForm)

/** Content of the open drawer: an event, or a new one at a local time. */
type Opened = { readonly event: CalendarEvent } | { readonly start: string; readonly end: string }

const nextHour = (day: string, today: string): string => {
  const hour =
    day === today
      ? Math.min(23, Number(new Date().toLocaleString('en-GB', { timeZone: timeZone(), hour: '2-digit' })) + 1)
      : 9
  return `${day} ${String(hour).padStart(2, '0')}:00:00`
}
const anHourAfter = (wall: string): string => {
  const hour = Number(wall.slice(11, 13))
  return hour >= 23
    ? `${wall.slice(0, 11)}23:59:00`
    : `${wall.slice(0, 11)}${String(hour + 1).padStart(2, '0')}${wall.slice(13)}`
}

/** Page of the calendar: everything with a date, by month, week, day or as a list. */
export function Calendar() {
  const [url, setUrl] = useUrlState()
  const isNarrow = useMediaQuery('(max-width: 599px)', undefined, { getInitialValueInEffect: false }) ?? false
  const today = dayIn(timeZone(), Date.now())
  const { view, day, shown, range } = useShown(url, isNarrow, today)
  const { data, error, refetch } = useQuery(query(calendar.view, { query: range }))
  const entries = useMemo(() => (data ? entriesOf(data, shown) : []), [data, shown])
  const accounts = useChoices('calendars')
  const may = useMay()
  const mayWrite = may('calendar:write')
  const [opened, setOpened] = useState<Opened | null>(null)
  const openEntry = useOpening(setOpened)
  useLive()
  const isConnected = accounts.some(({ status }) => status !== 'new')
  const begin = (start: string, end: string) => {
    if (!mayWrite || !isConnected) return
    if (dayOfWall(start) < today || (start.length > 10 && Date.parse(momentOf(end)) < Date.now()))
      return notify({ tone: 'warn', title: t('Este horário já passou.') })
    setOpened({ start, end })
  }
  return (
    <Page wide>
      <PageHeader
        title={t('Calendário')}
        actions={mayWrite && isConnected && <NewEventButton day={day} today={today} onOpen={setOpened} />}
      />
      <Banner accounts={accounts} />
      <CalendarBar setUrl={setUrl} view={view} day={day} today={today} isNarrow={isNarrow} />
      <KindChoice shown={shown} setUrl={setUrl} />
      {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {data?.isCapped && <Notice tone="warn">{t('Há mais do que cabe aqui: veja um período menor.')}</Notice>}
      {!error && (
        <Suspense fallback={<SkeletonRows kind="card" rows={3} />}>
          <Drawn
            {...{ view, day, today, entries, isNarrow, mayWrite }}
            range={range}
            onOpen={openEntry}
            onDay={(next) => setUrl({ dia: next, ver: 'day' })}
            onSlot={begin}
            onMove={(entry, start, end) => void moveEntry(entry, start, end)}
            onPick={(next) => setUrl({ dia: next })}
          />
        </Suspense>
      )}
      <Suspense>{opened && <EventForm {...opened} accounts={accounts} onClose={() => setOpened(null)} />}</Suspense>
    </Page>
  )
}

function useShown(url: Url, isNarrow: boolean, today: string) {
  const asked = VIEWS.find((one) => one === url['ver']) ?? 'month'
  const view: View = isNarrow && asked === 'week' ? 'day' : asked
  const { dia = '', mostrar } = url
  const day = /^\d{4}-\d{2}-\d{2}$/.test(dia) ? dia : today
  const shown = useMemo(
    () => new Set(mostrar ? KINDS.filter((kind) => mostrar.split(',').includes(kind)) : KINDS),
    [mostrar],
  )
  const range = rangeOf(view, day)
  return { view, day, shown, range }
}

function NewEventButton(props: { day: string; today: string; onOpen: (opened: Opened) => void }) {
  const { day, today, onOpen } = props
  return (
    <Button
      leftSection={<AddIcon size={17} />}
      onClick={() => {
        const start = nextHour(day < today ? today : day, today)
        onOpen({ start, end: anHourAfter(start) })
      }}
    >
      {t('Novo evento')}
    </Button>
  )
}

function KindChoice({ shown, setUrl }: { shown: ReadonlySet<Kind>; setUrl: SetUrl }) {
  const toggle = (kind: Kind) => {
    const next = KINDS.filter((one) => (one === kind ? !shown.has(one) : shown.has(one)))
    setUrl({ mostrar: next.length === KINDS.length || next.length === 0 ? undefined : next.join(',') })
  }
  return (
    <div className={css.kinds}>
      {KINDS.map((kind) => (
        <button
          key={kind}
          type="button"
          className={css.kind}
          data-kind={kind}
          aria-pressed={shown.has(kind)}
          onClick={() => toggle(kind)}
        >
          <i aria-hidden />
          {kindNames[kind]}
        </button>
      ))}
    </div>
  )
}

function CalendarBar(props: { setUrl: SetUrl; view: View; day: string; today: string; isNarrow: boolean }) {
  const { setUrl, view, day, today, isNarrow } = props
  const go = (days: string) => setUrl({ dia: days })
  return (
    <div className={css.bar}>
      <span className={css.steps}>
        <IconButton aria-label={t('Anterior')} onClick={() => go(stepOf(view, day, -1))}>
          <ChevronLeftIcon size={18} />
        </IconButton>
        <IconButton aria-label={t('Próximo')} onClick={() => go(stepOf(view, day, 1))}>
          <ChevronRightIcon size={18} />
        </IconButton>
        <Button variant="default" disabled={day === today} onClick={() => setUrl({ dia: undefined })}>
          {t('Hoje')}
        </Button>
      </span>
      <h2 className={css.title}>{titleOf(view, day)}</h2>
      <SegmentedControl
        aria-label={t('Como mostrar')}
        data={VIEWS.filter((one) => !isNarrow || one !== 'week').map((value) => ({ value, label: viewNames[value] }))}
        value={view}
        onChange={(next) => setUrl({ ver: next === 'month' ? undefined : next })}
      />
    </div>
  )
}

const viewNames: Readonly<Record<View, string>> = {
  month: t('Mês'),
  week: t('Semana'),
  day: t('Dia'),
  list: t('Lista'),
}

/** Banner about calendar problems, with a link that solves them. */
function Banner({ accounts }: { accounts: ReturnType<typeof useChoices<'calendars'>> }) {
  const mayConnect = useMay()('calendar-accounts:write')
  const bad = accounts.filter(({ status }) => status === 'revoked' || status === 'failed')
  const waiting = accounts.reduce((sum, one) => sum + one.waiting, 0)
  const mend = mayConnect ? (
    <Link className={css.link ?? ''} to="/configuracoes/google-calendar">
      {t('Abrir Google Agenda')}
    </Link>
  ) : (
    t('Peça a um administrador para entrar de novo.')
  )
  if (bad.length > 0)
    return (
      <Notice tone="neg">
        {bad.map(({ name, problem }) => `${name}: ${problem}`).join(' ')} {waiting > 0 && waitingText(waiting)} {mend}
      </Notice>
    )
  if (accounts.some(({ status }) => status === 'ok') || !mayConnect) return null
  return (
    <Notice
      tone="info"
      action={
        <Link className={css.link ?? ''} to="/configuracoes/google-calendar">
          {t('Conectar')}
        </Link>
      }
    >
      {t('Conecte uma agenda do Google para ver e criar eventos aqui.')}
    </Notice>
  )
}

/** Hook that refetches after others' changes. */
function useLive(): void {
  useEffect(
    () =>
      on(calendarChanges.changed, () => {
        void queryClient.invalidateQueries({ queryKey: ['calendar'] })
        void queryClient.invalidateQueries({ queryKey: ['calendarAccounts'] })
      }),
    [],
  )
}

/** Hook that opens an entry's record: its own page, or an event in the drawer. */
function useOpening(setOpened: (opened: Opened) => void): (entry: Entry) => void {
  const navigate = useNavigate()
  return ({ payload }) => {
    if (!payload) return
    if (payload.kind === 'event') setOpened({ event: payload.event })
    if (payload.kind === 'task') void navigate({ to: '/tarefas', search: { id: payload.id } })
    if (payload.kind === 'forecast') void navigate({ to: '/funil/kanban', search: { id: payload.id } })
    if (payload.kind === 'message') void navigate({ to: `/atendimento/${payload.ticketId}` })
  }
}

/** Moves an entry optimistically; a refusal moves it back and shows the reason. */
async function moveEntry({ payload, start: before }: Entry, start: string, end: string): Promise<void> {
  const day = dayOfWall(start)
  if (!payload || (start === before && payload.kind !== 'event')) return
  try {
    if (payload.kind === 'forecast')
      await call(opportunities.update, { params: { id: payload.id }, body: { closingForecast: day } }, { quiet: true })
    if (payload.kind === 'task')
      await call(tasks.update, { params: { id: payload.id }, body: { limitDate: day } }, { quiet: true })
    if (payload.kind === 'event') {
      const { id, isAllDay, etag } = payload.event
      // An all-day entry ends at the midnight after its last day.
      const times = isAllDay
        ? { start: day, end: end.slice(11, 16) === '00:00' ? dayAfter(dayOfWall(end), -1) : dayOfWall(end) }
        : { start: momentOf(start), end: momentOf(end) }
      await call(calendarEvents.update, { params: { id }, body: { ...times, etag } }, { quiet: true })
    }
    notify({ tone: 'pos', title: t('Mudou de horário') })
  } catch (error) {
    const [text] = isApiError(error) && error.code === 'ERR_VALIDATION' ? Object.values(error.details) : []
    notify({ tone: 'neg', title: typeof text === 'string' ? text : sentence(error) })
  }
  await queryClient.invalidateQueries({ queryKey: ['calendar'] })
}
