import type { Measure } from '#domain/reports/measures.ts'
import { colorAt, type Door } from '#web/charts/chart.ts'
import { DoorLink } from '#web/charts/DoorLink.tsx'
import { formatNumber } from '#web/format.ts'
import { t } from '#web/t.ts'
import { FallIcon, RiseIcon } from '#web/ui/icons.ts'
import type { Totals } from '../../contract.ts'
import { MeasureInfo } from '../MeasureInfo.tsx'
import css from '../reports.module.css'
import { msOf, spanOf } from '../spans.ts'

type Sums = Totals['previous']

/** Card: its number, the rows behind it, and whether higher is better. */
type Card = {
  readonly label: string
  readonly measure?: Measure
  readonly of: (sums: Omit<Sums, 'new_contacts'> & { new_contacts: number | null }) => number | null
  readonly isSpan?: boolean
}

const CARDS: readonly Card[] = [
  { label: t('Total de atendimentos'), measure: 'tickets', of: (sums) => sums.qtd_total_atendimentos },
  { label: t('Ativo'), measure: 'active', of: (sums) => sums.qtd_demanda_ativa },
  { label: t('Receptivo'), measure: 'receptive', of: (sums) => sums.qtd_demanda_receptiva },
  { label: t('Novos contatos'), of: (sums) => sums.new_contacts },
  { label: t('TMA'), measure: 'tma', of: (sums) => msOf(sums.tma), isSpan: true },
  { label: t('1ª resposta'), measure: 'firstAnswer', of: (sums) => msOf(sums.first_response), isSpan: true },
]

const WIDTH = 72
const HEIGHT = 26

/** Sparkline of a figure by day; days without a number are skipped. */
function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const known = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]))
  if (known.length < 2) return null
  const most = Math.max(...known.map(({ value }) => value))
  const least = Math.min(...known.map(({ value }) => value))
  const points = known.map(({ value, index }) => [
    3 + (index / (values.length - 1)) * (WIDTH - 6),
    HEIGHT - 3 - ((value - least) / (most - least || 1)) * (HEIGHT - 6),
  ])
  const [x, y] = points.at(-1)!
  return (
    <svg className={css.spark} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <polyline points={points.map((point) => point.join(',')).join(' ')} stroke={colorAt(0)} />
      <circle cx={x} cy={y} r="2.5" fill={colorAt(0)} />
    </svg>
  )
}

/** Change from the previous period: spans by time, counts by percentage. */
function Change({ now, before, isSpan = false }: { now: number | null; before: number | null; isSpan?: boolean }) {
  if (now === null || before === null || (before === 0 && !isSpan)) return <small>{t('antes: 0')}</small>
  const difference = now - before
  if (difference === 0) return <small>{t('igual')}</small>
  const share = (100 * Math.abs(difference)) / before
  const Arrow = difference > 0 ? RiseIcon : FallIcon
  return (
    <small data-tone={difference > 0 === isSpan ? 'neg' : 'pos'}>
      <Arrow size={14} />
      {isSpan
        ? spanOf(Math.abs(difference))
        : `${share.toLocaleString('pt-BR', { maximumFractionDigits: share < 100 ? 1 : 0 })}%`}
      <span className="g-hidden">{difference > 0 ? t('a mais que antes') : t('a menos que antes')}</span>
    </small>
  )
}

/** Six figures of a period, each with its change and sparkline. */
export function Cards({ totals, doorOf }: { totals: Totals; doorOf: (measure: Measure) => Door }) {
  return (
    <section className={css.cards} aria-label={t('No período')}>
      {CARDS.map(({ label, measure, of, isSpan }) => {
        const now = of(totals)
        const text = isSpan ? spanOf(now) : now === null ? '—' : formatNumber(now)
        return (
          <div key={label} className={css.card}>
            <span className={css.cardLabel}>
              {label} {measure && <MeasureInfo measure={measure} />}
            </span>
            <DoorLink door={measure && doorOf(measure)} className={isSpan ? css.span : css.number}>
              {text} <span className="g-hidden">{label}</span>
            </DoorLink>
            <span className={css.cardFooter}>
              <Change now={now} before={of(totals.previous)} {...(isSpan ? { isSpan } : {})} />
              <Sparkline values={totals.days.map(of)} />
            </span>
          </div>
        )
      })}
    </section>
  )
}
