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

/**
 * Filters that are seldom needed, behind one chip; what is set (`isSet`) stands in the row all the same. On a phone they
 * are among the others.
 */
export function MoreFilters({ filters }: { filters: readonly { key: string; isSet: boolean; filter: ReactNode }[] }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <>
      <span className={css.more}>
        <FilterChip
          label={isOpen ? t('Menos filtros') : t('Mais filtros')}
          active={false}
          expands={{ id, isOpen }}
          onClick={() => setOpen(!isOpen)}
        />
      </span>
      <div id={id} className={css.others}>
        {filters.map(({ key, isSet, filter }) => (
          <div key={key} data-shown={isOpen || isSet || undefined}>
            {filter}
          </div>
        ))}
      </div>
    </>
  )
}
