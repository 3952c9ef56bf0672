import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { cellText, SUMMARY_NAMES, type Summary } from '#domain/reports/summaries.ts'
import { sentence } from '#web/api.ts'
import { DoorLink } from '#web/charts/DoorLink.tsx'
import { query } from '#web/client.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { channelLook } from '#web/ui/identity/channels.ts'
import { PeriodFilter } from '#web/ui/inputs/PeriodFilter.tsx'
import { FilterRow } from '#web/ui/layout/FilterRow.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { type Column, DataTable } from '#web/ui/table/DataTable.tsx'
import { namedReports } from '../addresses.ts'
import type { ReportSummary } from '../contract.ts'
import { FILTER_NAMES, rowsDoor, useAsked } from './asked.ts'
import { ReportActions } from './ReportActions.tsx'
import { ReportFilters } from './ReportFilters.tsx'

type Row = ReportSummary['rows'][number]
type By = NonNullable<ReportSummary['by']>

/** By what a summary of tickets is split, with the filter of the address that a row narrows it by. */
const BYS: readonly { value: By; label: string; none: string; filter: string }[] = [
  { value: 'queue', label: t('Por fila'), none: t('Sem fila'), filter: 'filas' },
  { value: 'user', label: t('Por responsável'), none: t('Sem responsável'), filter: 'pessoas' },
  { value: 'channel', label: t('Por canal'), none: '', filter: 'canais' },
  { value: 'connection', label: t('Por conexão'), none: '', filter: 'conexoes' },
  { value: 'reason', label: t('Por motivo'), none: t('Sem motivo'), filter: 'demandas' },
]
const OF_FUNNEL = [
  { value: 'queue', label: t('Por etapa') },
  { value: 'user', label: t('Por responsável') },
]
const EMPTY: Readonly<Record<Summary, string>> = {
  sla: t('Os atendimentos que começaram no período aparecem aqui.'),
  ratings: t('Os atendimentos que começaram no período aparecem aqui.'),
  bots: t('As conversas que um bot começou no período aparecem aqui.'),
  campaigns: t('Campanhas e disparos que começam no período aparecem aqui.'),
  funnel: t('As oportunidades criadas no período aparecem aqui.'),
}
const TOTAL = 'total'

/** Figures of a period in rows that add up to the total; a number opens the tickets that it counts. */
export function SummaryReport({ report }: { report: Summary }) {
  const { url, setUrl, asked } = useAsked()
  const ofTickets = report === 'sla' || report === 'ratings'
  const by = BYS.find(({ value }) => value === url.divisao) ?? BYS[0]!
  const { measure: _, by: __, hour: ___, weekday: ____, ...narrowed } = asked
  const period = { startDate: asked.startDate, endDate: asked.endDate }
  const filter = {
    ...(report === 'funnel' || report === 'campaigns' ? period : narrowed),
    ...{ report, ...(ofTickets || report === 'funnel' ? { by: by.value } : {}) },
  }
  const { data, error, refetch } = useQuery(query(namedReports.summaries, { query: filter }))
  const title = SUMMARY_NAMES[report]
  const nameOf = (row: Row) => {
    if (row.key === TOTAL) return t('Total')
    if (row.key === '') return ofTickets ? by.none : t('Sem responsável')
    return by.value === 'channel' && ofTickets ? channelLook(row.label).name : row.label
  }
  const doorOf = (row: Row, opens: string) =>
    rowsDoor(url, asked, {
      medida: opens,
      ...(row.key === TOTAL ? {} : { [by.filter]: row.key === '' ? 'none' : row.key }),
    })
  const columns: readonly Column<Row>[] = [
    {
      key: 'name',
      title: ofTickets ? by.label.replace(/^Por /, '').replace(/^./, (first) => first.toUpperCase()) : t('Nome'),
      width: 220,
      cell: (row) => (row.path ? <Link to={row.path as never}>{nameOf(row)}</Link> : nameOf(row)),
    },
    ...(data?.columns ?? []).map((column, index) => ({
      key: column.key,
      title: column.title,
      numeric: true,
      width: 130,
      cell: (row: Row) => {
        const text = cellText(column.unit, row.values[index] ?? null)
        const isLinked = column.opens !== null && row.values[index] !== null
        return isLinked ? <DoorLink door={doorOf(row, column.opens!)}>{text}</DoorLink> : text
      },
    })),
  ]
  const rows = data && data.rows.length > 0 ? [...data.rows, totalOf(data)] : []
  return (
    <Page>
      <PageHeader
        title={title}
        actions={
          <ReportActions
            title={title}
            report="summary"
            filter={filter}
            sheet={async () => ({
              columns: columns.map((one) => one.title),
              rows: rows.map((row) => [
                nameOf(row),
                ...data!.columns.map(({ unit }, index) => cellText(unit, row.values[index] ?? null)),
              ]),
            })}
          />
        }
      />
      <FilterRow
        filters={
          report === 'funnel' || report === 'campaigns' ? (
            <PeriodFilter from={asked.startDate} to={asked.endDate} onChange={setUrl} />
          ) : (
            <ReportFilters />
          )
        }
        right={
          (ofTickets || report === 'funnel') && (
            <Select
              aria-label={t('Divisão')}
              allowDeselect={false}
              data={ofTickets ? BYS.map(({ value, label }) => ({ value, label })) : OF_FUNNEL}
              value={by.value}
              onChange={(next) => setUrl({ divisao: next === 'queue' ? undefined : (next ?? undefined) })}
            />
          )
        }
        isNarrowed={FILTER_NAMES.some((name) => url[name])}
        onClear={() => setUrl(Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined])))}
      />
      {error && !data && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="table" />}
      {data?.rows.length === 0 && <EmptyState title={t('Nada no período')} text={EMPTY[report]} />}
      {rows.length > 0 && <DataTable label={title} columns={columns} rows={rows} rowKey={(row) => row.key || 'none'} />}
    </Page>
  )
}

const totalOf = ({ total }: ReportSummary): Row => ({ key: TOTAL, label: '', path: null, values: total })
