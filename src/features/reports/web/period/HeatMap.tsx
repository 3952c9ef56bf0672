import type { Door } from '#web/charts/chart.ts'
import { DoorLink } from '#web/charts/DoorLink.tsx'
import { formatNumber } from '#web/format.ts'
import { t } from '#web/t.ts'
import css from '../reports.module.css'

const WEEKDAYS = [t('dom'), t('seg'), t('ter'), t('qua'), t('qui'), t('sex'), t('sáb')]
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** Heat map of ticket creation by weekday and hour; each cell opens its tickets. */
export function HeatMap(props: {
  cells: readonly { weekday: number; hour: number; qtd: number }[]
  doorOf: (weekday: number, hour: number) => Door
}) {
  const { cells, doorOf } = props
  const counts = new Map(cells.map(({ weekday, hour, qtd }) => [weekday * 24 + hour, qtd]))
  const most = Math.max(1, ...counts.values())
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys.
    <div className={css.heatBox} tabIndex={0} role="group" aria-label={t('Atendimentos por dia da semana e hora')}>
      <table className={css.heat}>
        <thead>
          <tr>
            <td />
            {HOURS.map((hour) => (
              <th key={hour}>{hour % 3 === 0 ? `${hour}h` : <span className="g-hidden">{`${hour}h`}</span>}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {WEEKDAYS.map((name, weekday) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {HOURS.map((hour) => {
                const count = counts.get(weekday * 24 + hour) ?? 0
                const label = t('{name}, {hour}h: {count}', { name, hour, count: formatNumber(count) })
                return (
                  <td key={hour} title={label} style={{ '--heat': `${Math.round((100 * count) / most)}%` }}>
                    <DoorLink door={count > 0 ? doorOf(weekday, hour) : undefined}>
                      <span className="g-hidden">{label}</span>
                    </DoorLink>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
