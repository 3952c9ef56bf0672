import { formatNumber } from '#web/format.ts'
import { t } from '#web/t.ts'
import { Card } from '#web/ui/layout/page.tsx'
import { useUrlState } from '#web/url-state.ts'
import type { Campaign } from '../contract.ts'
import css from './campaigns.module.css'
import { NONE } from './report-filter.ts'

type Part = { key: string; label: string; count: number }

const partsOf = (row: Campaign): Part[] => [
  { key: 'read', label: t('Lidas'), count: row.read },
  { key: 'delivered', label: t('Entregues'), count: row.delivered },
  { key: 'sent', label: t('Enviadas'), count: row.sent },
  { key: 'failed', label: t('Falhas'), count: row.failed },
  { key: 'uncertain', label: t('Incertas'), count: row.uncertain },
  { key: 'skipped', label: t('Não enviadas'), count: row.skipped },
  { key: 'waiting', label: t('Na fila'), count: row.waiting + row.queued },
]

/** Card with the progress of a campaign: recipients by state; each figure opens its rows. */
export function ProgressCard({ row }: { row: Campaign }) {
  const [, setUrl] = useUrlState()
  const { contactsCount: total, waiting } = row
  const shares = (count: number) => (total > 0 ? count / total : 0)
  const parts = partsOf(row)
  // Counts of zero are hidden for rare outcomes.
  const shown = parts.filter(({ key, count }) => count > 0 || !['uncertain', 'skipped'].includes(key))
  return (
    <Card>
      <p className={css.progress}>
        <b>{formatNumber(total - waiting)}</b>
        <span>{t('de {total} mensagens processadas', { total: formatNumber(total) })}</span>
      </p>
      <div className={css.bar} role="img" aria-label={barText(parts)}>
        {parts
          .filter(({ key, count }) => count > 0 && key !== 'waiting')
          .map(({ key, count }) => (
            <i key={key} data-state={key} style={{ '--share': shares(count) }} />
          ))}
      </div>
      <ul className={css.figures}>
        {shown.map(({ key, label, count }) => (
          <li key={key}>
            <button
              type="button"
              onClick={() => setUrl({ ...NONE, state: key === 'waiting' ? 'waiting,queued' : key })}
            >
              <span>
                <i data-state={key} />
                {label}
              </span>
              <span>
                <b>{formatNumber(count)}</b>
                <small>{(shares(count) * 100).toLocaleString('pt-BR', { maximumFractionDigits: 1 })}%</small>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const barText = (parts: readonly Part[]): string =>
  parts.map(({ label, count }) => `${label}: ${formatNumber(count)}`).join(', ')
