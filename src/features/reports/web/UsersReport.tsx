import { useQuery } from '@tanstack/react-query'
import { sentence } from '#web/api.ts'
import { DoorLink } from '#web/charts/DoorLink.tsx'
import { query } from '#web/client.ts'
import { formatNumber } from '#web/format.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { FilterRow } from '#web/ui/layout/FilterRow.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { type Column, DataTable } from '#web/ui/table/DataTable.tsx'
import { namedReports } from '../addresses.ts'
import { FILTER_NAMES, rowsDoor, useAsked } from './asked.ts'
import { ReportActions } from './ReportActions.tsx'
import { ReportFilters } from './ReportFilters.tsx'

const COUNTS = [
  { key: 'qtd_pendentes', title: t('Pendentes'), more: { status: 'pending' } },
  { key: 'qtd_em_atendimento', title: t('Em Atendimento'), more: { status: 'open' } },
  { key: 'qtd_resolvidos', title: t('Resolvidos'), more: { status: 'closed' } },
  { key: 'qtd_por_usuario', title: t('Total'), more: {} },
] as const

/** What each person has of a period's tickets. */
export function UsersReport() {
  const { url, setUrl, asked } = useAsked()
  const { data, error, refetch } = useQuery(query(namedReports.users, { query: asked }))
  type Row = NonNullable<typeof data>[number]
  const nameOf = (row: Row) => row.name ?? t('Sem responsável')
  const columns: readonly Column<Row>[] = [
    { key: 'name', title: t('Nome'), cell: nameOf },
    { key: 'email', title: t('E-mail'), cell: (row) => row.email },
    ...COUNTS.map(({ key, title, more }) => ({
      key,
      title,
      numeric: true,
      cell: (row: Row) => (
        <DoorLink door={rowsDoor(url, asked, { pessoas: row.id ?? 'none', ...more })}>
          {formatNumber(row[key])}
        </DoorLink>
      ),
    })),
  ]
  const title = t('Resumo por Usuário')
  return (
    <Page>
      <PageHeader
        title={title}
        actions={
          <ReportActions
            title={title}
            report="users"
            filter={asked}
            sheet={async () => ({
              columns: columns.map((one) => one.title),
              rows: (data ?? []).map((row) => [
                nameOf(row),
                row.email ?? '',
                ...COUNTS.map(({ key }) => formatNumber(row[key])),
              ]),
            })}
          />
        }
      />
      <FilterRow
        filters={<ReportFilters />}
        isNarrowed={FILTER_NAMES.some((name) => url[name])}
        onClear={() => setUrl(Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined])))}
      />
      {error && !data && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="table" />}
      {data?.length === 0 && (
        <EmptyState title={t('Nenhum atendimento no período')} text={t('Escolha outro período ou limpe os filtros.')} />
      )}
      {data && data.length > 0 && (
        <DataTable label={title} columns={columns} rows={data} rowKey={(row) => row.id ?? 'none'} />
      )}
    </Page>
  )
}
