import { useQuery } from '@tanstack/react-query'
import { query } from '#web/client.ts'
import { formatNumber } from '#web/format.ts'
import { t } from '#web/t.ts'
import { companies } from '../addresses.ts'
import css from './companies.module.css'

const WIDTH = 64
const HEIGHT = 20

/** Line chart of a company's messages over the last 30 days, with their number; `ids` are those of the page. */
export function Trend({ id, ids }: { id: number; ids: readonly number[] }) {
  const { data } = useQuery({ ...query(companies.trends, { query: { ids: [...ids] } }), staleTime: 10 * 60_000 })
  const days = data?.trends.find((one) => one.id === id)?.days
  if (!days) return data ? '—' : null
  const total = days.reduce((sum, n) => sum + n, 0)
  const top = Math.max(1, ...days)
  const points = days.map((n, at) => `${(at * WIDTH) / (days.length - 1)},${HEIGHT - 1 - (n / top) * (HEIGHT - 2)}`)
  return (
    <span className={css.trend}>
      <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
        <polyline points={points.join(' ')} />
      </svg>
      <span title={t('{count} mensagens em 30 dias', { count: formatNumber(total) })}>
        {total.toLocaleString('pt-BR', { notation: 'compact', maximumFractionDigits: 1 })}
      </span>
    </span>
  )
}
