import { formatNumber } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import css from './builder.module.css'
import { lostIn, shareText, stayText, useFigures } from './figures.ts'

const manyLost = 0.2

/** Statistics of a step: visits, median duration, and lost conversations. */
export function StepFigures({ id }: { id: string }) {
  const figures = useFigures()
  if (!figures) return null
  const step = figures.get(id)
  const visits = step?.visits ?? 0
  const lost = step ? lostIn(step) : 0
  return (
    <span className={css.figures} data-lossy={lost > visits * manyLost || undefined}>
      <strong>{plural(visits, t('visita'), t('visitas'))}</strong>
      {step && step.medianMs !== null && <span title={t('Tempo mediano nesta etapa')}>{stayText(step.medianMs)}</span>}
      {lost > 0 && (
        <span title={t('{count} pararam aqui', { count: formatNumber(lost) })}>
          {t('{share} param', { share: shareText(lost, visits) })}
        </span>
      )}
    </span>
  )
}

/** Share of a step's visits that left it by a condition. */
export function WayFigure({ id, index }: { id: string; index: number }) {
  const step = useFigures()?.get(id)
  if (!step) return null
  const count = step.ways.find((one) => one.way === 'branch' && one.index === index)?.count ?? 0
  return <span className={css.share}>{shareText(count, step.visits)}</span>
}
