import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../t.ts'

type Option = { id: number; name: string; isActive?: boolean }

/** Multiple choice of records by name; an inactive one is offered only if it is already chosen. */
export function ManyChoice(props: {
  label: string
  hint?: string
  /** Text when the search finds nothing. */
  none: string
  options: readonly Option[]
  chosen: readonly number[]
  onChange: (ids: number[]) => void
  error?: string | undefined
  renderPill?: MultiSelectProps['renderPill']
}) {
  const { label, hint, none, options, chosen, onChange, error, renderPill } = props
  const [search, setSearch] = useState('')
  return (
    <MultiSelect
      label={label}
      description={hint}
      placeholder={t('Adicionar…')}
      searchable
      hidePickedOptions
      searchValue={search}
      onSearchChange={setSearch}
      // With all options chosen no list is shown: a screen reader cannot use an empty one.
      nothingFoundMessage={search ? none : null}
      error={error}
      data={options
        .filter((one) => one.isActive !== false || chosen.includes(one.id))
        .map((one) => ({ value: String(one.id), label: one.name }))}
      value={chosen.map(String)}
      onChange={(ids) => onChange(ids.map(Number))}
      renderPill={renderPill}
    />
  )
}
