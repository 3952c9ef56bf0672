import { firstOf } from '#domain/present.ts'
import { useChoices } from '#web/choices.ts'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import { useUrlState } from '#web/url-state.ts'
import { type Filter, filterLabels } from './board-filter.ts'

const textOf = (ids: readonly number[]): number | string => (ids.length === 1 ? firstOf(ids) : ids.join(','))

/** Filters of a board: tags and wallets. */
export function BoardChoices({ filter }: { filter: Filter }) {
  const [, setUrl] = useUrlState()
  const tags = useChoices('tags')
  const colleagues = useChoices('users')
  return (
    <>
      <ChoiceFilter
        label={filterLabels.tag}
        options={tags}
        chosen={filter.tag ?? []}
        onChange={(ids) => setUrl({ etiqueta: textOf(ids) })}
      />
      <ChoiceFilter
        label={filterLabels.wallet}
        options={colleagues}
        chosen={filter.wallet ?? []}
        onChange={(ids) => setUrl({ carteira: textOf(ids) })}
      />
    </>
  )
}
