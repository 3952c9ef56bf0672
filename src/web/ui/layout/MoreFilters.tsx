import { type ReactNode, useId, useState } from 'react'
import { t } from '../../t.ts'
import css from './page.module.css'
import { FilterChip } from './page.tsx'

/**
 * Rarely used filters behind one chip; those that are set (`isSet`) are shown in the row. On a phone they are among the
 * others.
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
