import type { ReactNode } from 'react'
import { t } from '#web/t.ts'
import css from './operation.module.css'

/** List of names and values; shows a notice if empty. */
export function Pairs({ rows }: { rows: readonly { key: string; value: string; mark?: ReactNode }[] }) {
  if (rows.length === 0) return <p className="g-help">{t('Nada encontrado.')}</p>
  return (
    <dl className={css.pairs}>
      {rows.map(({ key, value, mark }) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>
            <span>{value}</span>
            {mark}
          </dd>
        </div>
      ))}
    </dl>
  )
}
