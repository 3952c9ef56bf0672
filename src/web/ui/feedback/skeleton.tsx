import { useEffect, useState } from 'react'
import { t } from '../../t.ts'
import css from './skeleton.module.css'

/** Shape of the loading content: a conversation row (84 px), a table row (52 px) or a card. */
type SkeletonKind = 'ticket' | 'table' | 'card'

/** Placeholder rows in the shape of the content: appear after 200 ms, later rows fainter, never more than eight. */
export function SkeletonRows({ kind, rows = 8 }: { kind: SkeletonKind; rows?: number }) {
  const late = useLate(200)
  if (!late) return null
  return (
    <div role="status" aria-label={t('Carregando')}>
      {Array.from({ length: Math.min(8, rows) }, (_, row) => (
        <div key={row} className={css.row} data-kind={kind} style={{ opacity: 1 - row * 0.11 }}>
          {kind !== 'card' && <i className={css.round} />}
          <span className={css.lines}>
            <i style={{ width: `${[44, 35, 51, 40][row % 4]}%` }} />
            <i style={{ width: '88%' }} />
            {kind !== 'table' && <i className={css.thin} style={{ width: '46%' }} />}
          </span>
          {kind === 'ticket' && <i className={css.time} />}
        </div>
      ))}
    </div>
  )
}

/** Returns false until `ms` have passed since the component was mounted. */
export function useLate(ms: number): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return late
}
