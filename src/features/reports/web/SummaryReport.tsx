import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { cellText, OTHERS, type Other, SUMMARY_NAMES, type Summary } from '#domain/reports/summaries.ts'
import type { Door } from '#web/charts/chart.ts'
import { DoorLink } from '#web/charts/DoorLink.tsx'
import { choices } from '#web/choices.ts'
import { query } from '#web/client.ts'
import { t } from '#web/t.ts'
import { channelLook } from '#web/ui/identity/channels.ts'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import { PeriodFilter } from '#web/ui/inputs/PeriodFilter.tsx'
import type { SetUrl } from '#web/url-state.ts'
import { namedReports } from '../addresses.ts'
import type { ReportSummary } from '../contract.ts'
import { rowsDoor, useAsked } from './asked.ts'
import { useFilters } from './chosen.tsx'
import { type FigureColumn, FigureReport } from './FigureReport.tsx'
import { MeasureInfo } from './MeasureInfo.tsx'
import { ReportFilters } from './ReportFilters.tsx'
import css from './reports.module.css'
import { SummaryDetails } from './SummaryDetails.tsx'

type Row = ReportSummary['rows'][number]

/** Split of a summary: its label, the label of its row without value, and the filter that narrows tickets to a row. */
type Split = {
  value: 'queue' | 'user' | 'channel' | 'connection' | 'reason' | 'day'
  label: string
  none?: string
  filter?: string
}

const OF_TICKETS: readonly Split[] = [
  { value: 'queue', label: t('Por fila'), none: t('Sem fila'), filter: 'filas' },
  { value: 'user', label: t('Por responsável'), none: t('Sem responsável'), filter: 'pessoas' },
  { value: 'channel', label: t('Por canal'), filter: 'canais' },
  { value: 'connection', label: t('Por nome do canal'), filter: 'conexoes' },
  { value: 'reason', label: t('Por motivo'), none: t('Sem motivo'), filter: 'demandas' },
]
const SPLITS: Readonly<Partial<Record<Summary, readonly Split[]>>> = {
  sla: OF_TICKETS,
  ratings: OF_TICKETS,
  funnel: [
    { value: 'queue', label: t('Por etapa') },
    { value: 'user', label: t('Por responsável'), none: t('Sem responsável') },
  ],
  presence: [
    { value: 'user', label: t('Por pessoa') },
    { value: 'day', label: t('Por dia') },
  ],
}
const EMPTY: Readonly<Record<Summary, string>> = {
  sla: t('Os atendimentos que começaram no período aparecem aqui.'),
  ratings: t('Os atendimentos que começaram no período aparecem aqui.'),
  bots: t('As conversas que um bot começou no período aparecem aqui.'),
  campaigns: t('Campanhas e disparos que começam no período aparecem aqui.'),
  funnel: t('As oportunidades criadas no período aparecem aqui.'),
  presence: t('O tempo de cada pessoa da equipe aparece aqui.'),
}
const TOTAL = 'total'

const isOther = (report: Summary): report is Other => OTHERS.some((one) => one === report)

/** Summary in the URL, or the rows behind one of its numbers. */
export function SummaryReport({ report }: { report: Summary }) {
  const { url } = useAsked()
  return isOther(report) && url.numero ? (
    <SummaryDetails report={report} column={url.numero} {...(url.linha === undefined ? {} : { row: url.linha })} />
  ) : (
    <Figures report={report} />
  )
}

/** Figures of a period in rows with a total; a number opens what it counts. */
function Figures({ report }: { report: Summary }) {
  const { url, setUrl, asked } = useAsked()
  const { report: path } = useParams({ strict: false })
  const splits = SPLITS[report] ?? []
  const by = splits.find(({ value }) => value === url.divisao) ?? splits[0]
  const { measure: _, by: __, hour: ___, weekday: ____, ...narrowed } = asked
  const period = { startDate: asked.startDate, endDate: asked.endDate }
  const ofTickets = !isOther(report)
  const filter = {
    ...(report === 'funnel' || report === 'campaigns'
      ? period
      : report === 'presence'
        ? { ...period, userId: asked.userId }
        : narrowed),
    ...{ report, ...(by ? { by: by.value } : {}) },
  }
  const { data, error, refetch } = useQuery(query(namedReports.summaries, { query: filter }))
  const title = SUMMARY_NAMES[report]
  const doorOf = (row: Row, column: ReportSummary['columns'][number]) => {
    if (!ofTickets) {
      const search = {
        ...url,
        de: asked.startDate,
        ate: asked.endDate,
        numero: column.key,
        linha: row.key === TOTAL ? undefined : row.key,
      }
      return column.unit === 'percent' ? undefined : { path: `/relatorios/${path}`, search }
    }
    const one = row.key === TOTAL || !by?.filter ? {} : { [by.filter]: row.key === '' ? 'none' : row.key }
    return column.opens === null ? undefined : rowsDoor(url, asked, { medida: column.opens, ...one })
  }
  const columns = columnsOf({ by, ofTickets, data, doorOf })
  const rows = data && (data.rows.length > 0 ? [...data.rows, totalOf(data)] : [])
  const isPlain = report === 'funnel' || report === 'campaigns' || report === 'presence'
  return (
    <FigureReport
      title={title}
      report="summary"
      filter={filter}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.key || 'none'}
      error={error}
      retry={() => void refetch()}
      filters={isPlain ? <PlainFilters report={report} /> : <ReportFilters hasTimes={report === 'sla'} />}
      right={by && <SplitSelect splits={splits} by={by} setUrl={setUrl} />}
      empty={{ title: t('Nada no período'), text: EMPTY[report] }}
    />
  )
}

function PlainFilters({ report }: { report: 'funnel' | 'campaigns' | 'presence' }) {
  return (
    <>
      <SummaryPeriod />
      {report === 'presence' && <PeopleFilter />}
    </>
  )
}

function nameIn(row: Row, by: Split | undefined) {
  if (row.key === TOTAL) return t('Total')
  if (row.key === '') return by?.none ?? ''
  return by?.value === 'channel' ? channelLook(row.label).name : row.label
}

function SplitSelect({ splits, by, setUrl }: { splits: readonly Split[]; by: Split; setUrl: SetUrl }) {
  return (
    <Select
      aria-label={t('Divisão')}
      allowDeselect={false}
      data={splits.map(({ value, label }) => ({ value, label }))}
      value={by.value}
      onChange={(next) => setUrl({ divisao: next === splits[0]!.value ? undefined : (next ?? undefined) })}
    />
  )
}

function columnsOf(props: {
  by: Split | undefined
  ofTickets: boolean
  data: ReportSummary | undefined
  doorOf: (row: Row, column: ReportSummary['columns'][number]) => Door | undefined
}): readonly FigureColumn<Row>[] {
  const { by, ofTickets, data, doorOf } = props
  const nameOf = (row: Row) => nameIn(row, by)
  return [
    {
      key: 'name',
      title: by && ofTickets ? by.label.replace(/^Por /, '').replace(/^./, (first) => first.toUpperCase()) : t('Nome'),
      width: 220,
      text: nameOf,
      cell: (row) =>
        row.path ? (
          <Link to={row.path as never}>{nameOf(row)}</Link>
        ) : row.key === TOTAL ? (
          <b className={css.total}>{nameOf(row)}</b>
        ) : (
          nameOf(row)
        ),
    },
    ...(data?.columns ?? []).map((column, index): FigureColumn<Row> => {
      const text = (row: Row) => cellText(column.unit, row.values[index] ?? null)
      return {
        ...{ key: column.key, title: column.title, numeric: true, width: 130, text },
        ...(column.opens === null ? {} : { info: <MeasureInfo measure={column.opens} /> }),
        cell: (row) => (
          <DoorLink
            door={row.values[index] === null ? undefined : doorOf(row, column)}
            className={row.key === TOTAL ? css.total : undefined}
          >
            {text(row)}
          </DoorLink>
        ),
      }
    }),
  ]
}

function SummaryPeriod() {
  const { setUrl, asked } = useFilters()
  return <PeriodFilter from={asked.startDate} to={asked.endDate} onChange={setUrl} />
}

function PeopleFilter() {
  const { setUrl, asked } = useFilters()
  const users = useQuery(choices('users')).data ?? []
  return (
    <ChoiceFilter
      label={t('Pessoa')}
      options={users.map(({ id, name }) => ({ id, name }))}
      chosen={((asked.userId ?? []) as (number | 'none')[]).filter((id) => id !== 'none')}
      onChange={(ids) => setUrl({ pessoas: ids.join(',') || undefined })}
    />
  )
}

const totalOf = ({ total }: ReportSummary): Row => ({ key: TOTAL, label: '', path: null, values: total })
