import { Select } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Parts } from '#domain/flow/parts.ts'
import { folded } from '#web/fold.ts'
import { t } from '#web/t.ts'
import { SearchIcon } from '#web/ui/icons.ts'
import css from './builder.module.css'
import { conditionText, endOf, interactionText } from './labels.tsx'
import { useNames } from './names.ts'

const nothing: readonly Parts[] = []

/** Search for a step by name, texts, interactions, conditions and destinations; opens it. */
export function StepSearch({ steps, onOpen }: { steps: readonly Parts[]; onOpen: (id: string) => void }) {
  const names = useNames()
  // Builds the search index on first use only.
  const [isUsed, use] = useState(false)
  const searched = isUsed ? steps : nothing
  const texts = useMemo(() => {
    const all = searched.map(({ id, interactions, conditions }) => {
      const ways = conditions.map((one) => {
        const end = one.action.to === 'node' ? '' : ` → ${endOf(one.action, names).title}`
        return `${conditionText(one, names)}${end}`
      })
      return [id, [...interactions.map((one) => interactionText(one, names)), ...ways]] as const
    })
    return new Map(all)
  }, [searched, names])
  const [search, setSearch] = useState('')
  const isIn = (text: string) => folded(text).includes(folded(search))
  // Shows the matching part first.
  const snippet = (id: string) => {
    const all = texts.get(id) ?? []
    const at = Math.max(0, all.findIndex(isIn))
    return all.slice(at).join(' · ')
  }
  return (
    <Select
      className={css.search}
      aria-label={t('Buscar etapa')}
      placeholder={t('Buscar etapa')}
      leftSection={<SearchIcon size={16} />}
      searchable
      onFocus={() => use(true)}
      value={null}
      nothingFoundMessage={t('Nenhuma etapa com esse texto')}
      limit={50}
      comboboxProps={{ width: 320, position: 'bottom-start' }}
      data={searched.map(({ id, name }) => ({ value: id, label: name }))}
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options, limit }) =>
        options
          .filter((one) => 'value' in one && (isIn(one.label) || (texts.get(one.value) ?? []).some(isIn)))
          .slice(0, limit)
      }
      renderOption={({ option: { value, label } }) => (
        <span className={css.found}>
          <b className="g-cut">{label}</b>
          <small className="g-cut">{snippet(value)}</small>
        </span>
      )}
      onChange={(id) => id && onOpen(id)}
    />
  )
}
