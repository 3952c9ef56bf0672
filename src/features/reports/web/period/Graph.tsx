import type { Door } from '#web/charts/chart.ts'
import type { Asked } from '../asked.ts'
import css from '../reports.module.css'
import { ByPeriod, ByQueue, ByStatus } from './panels.tsx'

/** Charts of a report's tickets. */
export function Graph({
  asked,
  doorOf,
}: {
  asked: Asked
  doorOf: (more: Readonly<Record<string, string | number | undefined>>) => Door
}) {
  const { measure: _, by: __, hour: ___, weekday: ____, ...period } = asked
  const given = { asked: period, doorOf, commands: [] }
  return (
    <div className={css.panels}>
      <ByPeriod given={given} />
      <ByQueue given={given} />
      <ByStatus given={given} />
    </div>
  )
}
