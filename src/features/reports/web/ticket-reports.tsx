import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import { formatPhone } from '#domain/phone/shown.ts'
import { definitionOf, isTime, MEASURES, type Measure } from '#domain/reports/measures.ts'
import { mayPeek } from '#features/tickets/web/actions/may-peek.ts'
import { loadPeek } from '#features/tickets/web/actions/peek-screen.ts'
import { formatDateTime, formatMoney, formatNumber } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useList } from '#web/resource/use-list.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { ShowIcon, TicketsIcon } from '#web/ui/icons.ts'
import { Pill, type Tone } from '#web/ui/identity/badges.tsx'
import { channelLook } from '#web/ui/identity/channels.ts'
import { FilterChip } from '#web/ui/layout/page.tsx'
import { useColumns } from '#web/ui/table/column-chooser.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { reports } from '../addresses.ts'
import type { ReportTicket } from '../contract.ts'
import { FILTER_NAMES, rowsDoor, useAsked } from './asked.ts'
import { Generate } from './chosen.tsx'
import { sheetOf } from './printed.ts'
import { ReportActions } from './ReportActions.tsx'
import { ReportFilters } from './ReportFilters.tsx'
import { spanOf } from './spans.ts'

const Peek = lazyPart(loadPeek)
const Graph = lazyPart(async () => (await import('./period/Graph.tsx')).Graph)

const STATUS: Readonly<Record<ReportTicket['status'], { name: string; tone: Tone }>> = {
  open: { name: t('Aberto'), tone: 'pos' },
  pending: { name: t('Pendente'), tone: 'warn' },
  closed: { name: t('Resolvido'), tone: 'plain' },
}
const WEEKDAYS = [
  ...[t('domingo'), t('segunda-feira'), t('terça-feira'), t('quarta-feira')],
  ...[t('quinta-feira'), t('sexta-feira'), t('sábado')],
]

const all: readonly (Column<ReportTicket> & { initial?: boolean })[] = [
  { key: 'id', title: 'ID', width: 80, initial: true, cell: (row) => row.id },
  {
    key: 'status',
    title: t('Status'),
    width: 110,
    initial: true,
    cell: (row) => <Pill tone={STATUS[row.status].tone}>{STATUS[row.status].name}</Pill>,
  },
  { key: 'name', title: t('Nome'), initial: true, cell: (row) => <span className="g-cut">{row.name}</span> },
  {
    key: 'number',
    title: t('Número'),
    width: 170,
    initial: true,
    cell: (row) => <span className="g-num">{formatPhone(row.number)}</span>,
  },
  { key: 'whatsapp', title: t('Nome do canal'), initial: true, cell: (row) => row.whatsapp },
  { key: 'channel', title: t('Canal'), width: 120, cell: (row) => channelLook(row.channel).name },
  { key: 'queue', title: t('Fila'), initial: true, cell: (row) => row.queue },
  { key: 'user', title: t('Responsável'), initial: true, cell: (row) => row.user },
  { key: 'reason', title: t('Motivo'), width: 130, cell: (row) => row.reason },
  {
    key: 'value',
    title: t('Valor'),
    width: 110,
    numeric: true,
    cell: (row) => row.value && formatMoney(row.value),
  },
  { key: 'notes', title: t('Notas'), width: 70, numeric: true, cell: (row) => formatNumber(row.notes) },
  { key: 'rating', title: t('Avaliação'), width: 90, numeric: true, cell: (row) => row.rating },
  { key: 'unread', title: t('Não lidas'), width: 90, numeric: true, cell: (row) => formatNumber(row.unreadMessages) },
  {
    key: 'lastMessage',
    title: t('Última mensagem'),
    width: 240,
    cell: (row) => row.lastMessage && <span className="g-cut">{row.lastMessage}</span>,
  },
  {
    key: 'createdAt',
    title: t('Data de criação'),
    width: 150,
    initial: true,
    cell: (row) => <span className="g-num">{formatDateTime(row.createdAt)}</span>,
  },
]

const printed: readonly (readonly [title: string, text: (row: ReportTicket) => string])[] = [
  ['ID', (row) => String(row.id)],
  [t('Status'), (row) => STATUS[row.status].name],
  [t('Nome'), (row) => row.name],
  [t('Número'), (row) => row.number ?? ''],
  [t('Nome do canal'), (row) => row.whatsapp],
  [t('Fila'), (row) => row.queue ?? ''],
  [t('Responsável'), (row) => row.user ?? ''],
  [t('Motivo'), (row) => row.reason ?? ''],
  [t('Valor'), (row) => (row.value === null ? '' : formatMoney(row.value))],
  [t('Data de criação'), (row) => formatDateTime(row.createdAt)],
]

const EMPTY = {
  title: t('Nenhum atendimento'),
  text: t('Os atendimentos que começaram no período aparecem aqui.'),
}

/** List of the tickets of a report, or behind a number, by the URL; each counted once. */
function TicketsList({ title }: { title: string }) {
  const { url, setUrl, asked } = useAsked()
  const { columns, chooser } = useColumns('relatorio-atendimentos', all)
  const list = useList(reports.rows, (page) => page.tickets, asked)
  const navigate = useNavigate()
  const may = useMay()
  const [peeking, setPeeking] = useState<number | null>(null)
  const measure = url.medida && Object.hasOwn(MEASURES, url.medida) ? (url.medida as Measure) : null
  const timed = timedOf(measure)
  const doorOf = (more: Readonly<Record<string, string | number | undefined>>) => rowsDoor(url, asked, more)
  const open = (id: number) => void navigate({ to: `/atendimento/${id}` as never })
  return (
    <ListScreen
      title={title}
      nouns={[t('atendimento'), t('atendimentos')]}
      list={list}
      filters={
        <>
          <ReportFilters isWhole hasTimes={measure !== null && isTime(measure)} />
          <Generate />
        </>
      }
      filterNames={[...FILTER_NAMES, 'medida', 'por', 'hora', 'semana']}
      view={<ViewChips chooser={chooser} measure={measure} setUrl={setUrl} url={url} asked={asked} />}
      empty={EMPTY}
      actions={
        may('reports:read') && (
          <ReportActions title={title} report="tickets" filter={asked} sheet={() => sheetOf(list, printed)} />
        )
      }
      {...(url.grafico === 'sim' ? { instead: <Graph asked={asked} doorOf={doorOf} /> } : {})}
      table={{
        columns: columns.toSpliced(3, 0, ...timed),
        rowKey: (row) => row.id,
        hrefOf: ({ id }) => `/atendimento/${id}`,
        onOpen: ({ id }) => open(id),
        commands: ({ id }) => [
          { id: 'open', label: t('Abrir no atendimento'), icon: TicketsIcon, run: () => open(id) },
          { id: 'peek', label: t('Espiar'), icon: ShowIcon, when: mayPeek, run: () => setPeeking(id) },
        ],
      }}
    >
      {peeking !== null && (
        <Suspense>
          <Peek id={peeking} doors={{ follow: open }} onClose={() => setPeeking(null)} />
        </Suspense>
      )}
    </ListScreen>
  )
}

function timedOf(measure: Measure | null): Column<ReportTicket>[] {
  return measure && isTime(measure)
    ? [
        {
          key: 'amount',
          title: definitionOf(measure).name,
          width: 130,
          numeric: true,
          cell: (row) => spanOf(row.amount),
        },
      ]
    : []
}

function ViewChips(props: ReturnType<typeof useAsked> & { chooser: ReactNode; measure: Measure | null }) {
  const { chooser, measure, setUrl, url, asked } = props
  return (
    <>
      {chooser}
      {measure && (
        <FilterChip
          label={definitionOf(measure).name}
          active
          onClick={() => setUrl({ medida: undefined })}
          onClear={() => setUrl({ medida: undefined })}
        />
      )}
      <FilterChip
        label={t('Gráfico')}
        active={url.grafico === 'sim'}
        onClick={() => setUrl({ grafico: url.grafico ? undefined : 'sim' })}
      />
      {url.por === 'fim' && (
        <FilterChip
          label={t('Pelo dia da resolução')}
          active
          onClick={() => setUrl({ por: undefined })}
          onClear={() => setUrl({ por: undefined })}
        />
      )}
      {(asked.hour !== undefined || asked.weekday !== undefined) && (
        <FilterChip
          label={t('{weekday}, {hour}h', {
            weekday: WEEKDAYS[Number(asked.weekday)] ?? '',
            hour: String(asked.hour),
          })}
          active
          onClick={() => setUrl({ hora: undefined, semana: undefined })}
          onClear={() => setUrl({ hora: undefined, semana: undefined })}
        />
      )}
    </>
  )
}

/** Report of tickets by status, queue, channel, reason and value. */
export const TicketsReport = () => <TicketsList title={t('Atendimentos')} />

/** Tickets behind a number of the dashboard. */
export const NumberTickets = () => <TicketsList title={t('Atendimentos do número')} />
