import { useQuery } from '@tanstack/react-query'
import { DoorLink } from '#web/charts/DoorLink.tsx'
import { query } from '#web/client.ts'
import { formatNumber } from '#web/format.ts'
import { t } from '#web/t.ts'
import { namedReports } from '../addresses.ts'
import { rowsDoor, useAsked } from './asked.ts'
import { type FigureColumn, FigureReport } from './FigureReport.tsx'
import { ReportFilters } from './ReportFilters.tsx'

const COUNTS = [
  { key: 'qtd_pendentes', title: t('Pendentes'), more: { status: 'pending' } },
  { key: 'qtd_em_atendimento', title: t('Em Atendimento'), more: { status: 'open' } },
  { key: 'qtd_resolvidos', title: t('Resolvidos'), more: { status: 'closed' } },
  { key: 'qtd_por_usuario', title: t('Total'), more: {} },
] as const

/** Statistics of a period by user. */
export function UsersReport() {
  const { url, asked } = useAsked()
  const { data, error, refetch } = useQuery(query(namedReports.users, { query: asked }))
  type Row = NonNullable<typeof data>[number]
  const columns: readonly FigureColumn<Row>[] = [
    { key: 'name', title: t('Nome'), text: (row) => row.name ?? t('Sem responsável') },
    { key: 'email', title: t('E-mail'), text: (row) => row.email ?? '' },
    ...COUNTS.map(({ key, title, more }) => ({
      key,
      title,
      numeric: true,
      text: (row: Row) => formatNumber(row[key]),
      cell: (row: Row) => (
        <DoorLink door={rowsDoor(url, asked, { pessoas: row.id ?? 'none', ...more })}>
          {formatNumber(row[key])}
        </DoorLink>
      ),
    })),
  ]
  return (
    <FigureReport
      title={t('Resumo por Usuário')}
      report="users"
      filter={asked}
      columns={columns}
      rows={data}
      rowKey={(row) => row.id ?? 'none'}
      error={error}
      retry={() => void refetch()}
      filters={<ReportFilters />}
      empty={{ title: t('Nenhum atendimento no período'), text: t('Escolha outro período ou limpe os filtros.') }}
    />
  )
}
