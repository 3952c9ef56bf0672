import type { ReactNode } from 'react'
import css from './name-cell.module.css'

/** Name with a line below it, beside its picture; `faded` for records that are no longer in use. Marks follow. */
export function NameCell(props: {
  picture?: ReactNode
  name: string
  detail?: string | null | undefined | false
  faded?: boolean
  children?: ReactNode
}) {
  const { picture, name, detail, faded, children } = props
  return (
    <span className={css.cell}>
      {picture}
      <span className={css.text} data-faded={faded || undefined}>
        <span className="g-cut" title={name}>
          {name}
        </span>
        {detail && <small className="g-cut">{detail}</small>}
      </span>
      {children}
    </span>
  )
}
