import { t } from '#web/t.ts'
import { useLate } from '#web/ui/feedback/skeleton.tsx'
import css from '../rows/thread.module.css'

const shapes = [
  ['in', 62],
  ['in', 38],
  ['out', 54],
  ['in', 46],
  ['out', 68],
  ['out', 30],
] as const

/** Skeleton of a loading conversation; appears after 200 ms. */
export function ThreadSkeleton() {
  const late = useLate(200)
  if (!late) return null
  return (
    <div className={css.skeleton} role="status" aria-label={t('Carregando a conversa')}>
      {shapes.map(([side, width], index) => (
        <i key={index} data-side={side} style={{ width: `${width}%`, opacity: 1 - index * 0.12 }} />
      ))}
    </div>
  )
}
