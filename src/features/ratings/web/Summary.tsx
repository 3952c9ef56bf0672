import { formatNumber } from '#web/format.ts'
import { t } from '#web/t.ts'
import { Card } from '#web/ui/layout/page.tsx'
import css from './ratings.module.css'
import { Stars } from './Stars.tsx'

/** Summary of a list's ratings: mean, total, and count of each. */
export function Summary(props: {
  amounts: readonly number[]
  average: number | null
  answered: number
  /** Number of requests; if there are more, of the newest ones. */
  asked: { count: number; countIsCapped?: boolean | undefined }
}) {
  const { amounts, average, answered, asked } = props
  const numbers = { answered: formatNumber(answered), count: formatNumber(asked.count) }
  const summary =
    answered === 1 ? t('{answered} de {count} respondeu', numbers) : t('{answered} de {count} responderam', numbers)
  const most = Math.max(1, ...amounts)
  return (
    <Card>
      <div className={css.summary}>
        <div className={css.mean}>
          <span>{t('Média')}</span>
          <b>{average === null ? '—' : average.toLocaleString('pt-BR', { maximumFractionDigits: 2 })}</b>
          {average !== null && <Stars value={average} />}
          <small>{asked.countIsCapped ? t('{answered} notas entre as {count} mais novas', numbers) : summary}</small>
        </div>
        <ol className={css.amounts} aria-label={t('Quantas de cada nota')}>
          {amounts
            .map((amount, rating) => (
              <li key={rating}>
                <span className="g-num">{rating}</span>
                <i style={{ '--part': amount / most }} />
                <span className="g-num">{formatNumber(amount)}</span>
              </li>
            ))
            .reverse()}
        </ol>
      </div>
    </Card>
  )
}
