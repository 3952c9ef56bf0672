import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { folded } from '../../fold.ts'
import { plural, t } from '../../t.ts'
import { squareColor } from '../identity/hue.ts'
import css from './choice-filter.module.css'
import { FilterPopover } from './FilterPopover.tsx'

/** Filter chip that opens a list of choices; the chip shows the selection. */
export function ChoiceFilter<Id extends string | number>(props: {
  label: string
  options: readonly { id: Id; name: string; color?: string }[]
  chosen: readonly Id[]
  onChange: (ids: readonly Id[]) => void
}) {
  const { label, options, chosen, onChange } = props
  const [search, setSearch] = useState('')
  const first = options.find((one) => one.id === chosen[0])
  const summary = chosen.length === 1 ? (first?.name ?? '1') : plural(chosen.length, 'escolha', 'escolhas')
  const found = options.filter((one) => folded(one.name).includes(folded(search)))
  return (
    <FilterPopover
      label={chosen.length > 0 ? `${label}: ${summary}` : label}
      active={chosen.length > 0}
      onClear={() => onChange([])}
    >
      {() => (
        <>
          <TextInput
            size="sm"
            data-autofocus
            aria-label={t('Buscar em {label}', { label: label.toLowerCase() })}
            placeholder={t('Buscar')}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <ul className={css.choices}>
            {found.map((one) => (
              <li key={one.id}>
                <Checkbox
                  label={
                    <span className={css.choice}>
                      {one.color && <i style={{ background: squareColor(one.color) }} />}
                      <span className="g-cut">{one.name}</span>
                    </span>
                  }
                  checked={chosen.includes(one.id)}
                  onChange={(event) =>
                    onChange(event.currentTarget.checked ? [...chosen, one.id] : chosen.filter((id) => id !== one.id))
                  }
                />
              </li>
            ))}
            {found.length === 0 && <li className={css.none}>{t('Nada para escolher')}</li>}
          </ul>
        </>
      )}
    </FilterPopover>
  )
}
