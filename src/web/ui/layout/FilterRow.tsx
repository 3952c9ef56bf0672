import { type ReactNode, useId, useState } from 'react'
import { t } from '../../t.ts'
import css from './page.module.css'
import { FilterChip } from './page.tsx'

/**
 * The row of search, filter chips and, at right, what changes the view. On a phone `filters` stand behind one chip, which
 * says whether any is set (`isNarrowed`) and empties them.
 */
export function FilterRow(props: {
  children?: ReactNode
  filters?: ReactNode
  isNarrowed?: boolean
  onClear?: () => void
  right?: ReactNode
}) {
  const { children, filters, isNarrowed = false, onClear, right } = props
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <div className={css.filters}>
      <div className={css.narrowing}>
        {children}
        {filters && (
          <>
            <span className={css.collapse}>
              <FilterChip
                label={t('Filtros')}
                active={isNarrowed}
                expands={{ id, isOpen }}
                onClick={() => setOpen(!isOpen)}
                {...(onClear && { onClear })}
              />
            </span>
            <div id={id} className={css.chips} data-open={isOpen || undefined}>
              {filters}
            </div>
          </>
        )}
      </div>
      {right && <div className={css.right}>{right}</div>}
    </div>
  )
}
