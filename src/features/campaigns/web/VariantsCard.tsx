import { useQuery } from '@tanstack/react-query'
import { query } from '#web/client.ts'
import { formatNumber } from '#web/format.ts'
import { t } from '#web/t.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { type Column, DataTable } from '#web/ui/table/DataTable.tsx'
import { useUrlState } from '#web/url-state.ts'
import { campaigns } from '../addresses.ts'
import type { Campaign, CampaignVariant } from '../contract.ts'
import { NONE } from './report-filter.ts'

const percent = (share: number): string => `${(100 * share).toLocaleString('pt-BR', { maximumFractionDigits: 1 })}%`

const rangeOf = ({ share, low, high }: CampaignVariant['replies'], reached: number): string =>
  reached === 0
    ? '—'
    : t('{share} (de {low} a {high})', { share: percent(share), low: percent(low), high: percent(high) })

const columns: readonly Column<CampaignVariant>[] = [
  { key: 'message', title: t('Mensagem'), cell: (row) => t('Mensagem {n}', { n: row.message }) },
  { key: 'reached', title: t('Receberam'), numeric: true, cell: (row) => formatNumber(row.reached) },
  { key: 'replies', title: t('Responderam'), cell: (row) => rangeOf(row.replies, row.reached) },
  { key: 'stops', title: t('Pediram para sair'), cell: (row) => rangeOf(row.stops, row.reached) },
]

/**
 * Card that compares the messages of a campaign, and names the one with significantly more answers; opening a message
 * filters the report, whose id is `reportId`.
 */
export function VariantsCard({ row, reportId }: { row: Campaign; reportId: string }) {
  const [, setUrl] = useUrlState()
  const { data } = useQuery(query(campaigns.variants, { params: { id: row.id } }))
  if (!data || data.variants.length < 2) return null
  return (
    <Card
      title={t('Comparação das mensagens')}
      actions={
        data.winner === null ? (
          <Pill>{t('Sem vencedor ainda')}</Pill>
        ) : (
          <Pill tone="pos">{t('A mensagem {n} responde melhor', { n: data.winner })}</Pill>
        )
      }
      flush
    >
      <DataTable
        label={t('Comparação das mensagens')}
        rows={data.variants}
        rowKey={(one) => one.message}
        columns={columns}
        controls={reportId}
        onOpen={(one) => setUrl({ ...NONE, message: String(one.message) })}
      />
    </Card>
  )
}
