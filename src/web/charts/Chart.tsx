import { Suspense } from 'react'
import { firstOf } from '#domain/present.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import { type ChartData, type ChartKind, percent, totalOf } from './chart.ts'
import css from './charts.module.css'
import { DoorLink } from './DoorLink.tsx'

const DrawnChart = lazyPart(async () => (await import('./DrawnChart.tsx')).DrawnChart)

/**
 * Chart of one kind, or the same marks as a table; every number links to its rows. The library is loaded with the first
 * drawing.
 */
export function Chart({ kind, ...data }: ChartData & { kind: ChartKind | 'table' }) {
  if (kind === 'table') return <ChartTable {...data} />
  if (kind === 'bar' && data.axis !== 'days' && data.series.length === 1) return <Ranking {...data} />
  return (
    <Suspense fallback={<div className={css.canvas} />}>
      <DrawnChart kind={kind} {...data} />
    </Suspense>
  )
}

/** Ranking: names with a bar each, in the given order; parts of a whole with their share. */
function Ranking({ label, axis, marks, series, format, doorOf }: ChartData) {
  const total = marks.reduce((sum, mark) => sum + totalOf(mark), 0)
  const most = Math.max(...marks.map(totalOf))
  return (
    <ul className={css.bars} aria-label={label}>
      {marks.map((mark) => (
        <li key={mark.key}>
          <DoorLink door={doorOf(mark, firstOf(series))} className={css.bar}>
            <span className={css.barHeader}>
              <span className="g-cut">{mark.label}</span>
              <span className="g-num">
                <b>{format(totalOf(mark))}</b> {axis === 'parts' && percent(total && totalOf(mark) / total)}
              </span>
            </span>
            <span className={css.track}>
              {totalOf(mark) > 0 && <i style={{ width: `${(100 * totalOf(mark)) / most}%` }} />}
            </span>
          </DoorLink>
          {mark.note && <span className={css.note}>{mark.note}</span>}
        </li>
      ))}
    </ul>
  )
}

function ChartTable({ label, axis, marks, series, format, doorOf }: ChartData) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys.
    <div className={css.tableBox} tabIndex={0} role="group" aria-label={label}>
      <table className={css.table} aria-label={label}>
        <thead>
          <tr>
            <th>{axis === 'days' ? t('Dia') : t('Nome')}</th>
            {series.map((one) => (
              <th key={one.key} data-numeric="">
                {one.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {marks.map((mark) => (
            <tr key={mark.key}>
              <th scope="row">{mark.label}</th>
              {series.map((one) => (
                <td key={one.key} data-numeric="">
                  <DoorLink door={doorOf(mark, one)}>{format(mark.values[one.key] ?? 0)}</DoorLink>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
