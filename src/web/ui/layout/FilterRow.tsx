import { type ReactNode, useId, useState } from 'react'
import { t } from '../../t.ts'
import css from './page.module.css'
import { FilterChip } from './page.tsx'

/**
 * Row of search, filter chips and, at right, the view's controls. On a phone `filters` are behind one chip, which shows
 * whether any is set (`isNarrowed`) and clears them.
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
