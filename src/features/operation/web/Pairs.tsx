import type { ReactNode } from 'react'
import { t } from '#web/t.ts'
import css from './operation.module.css'

/** Names and values below each other; says so where there are none. */
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
