import { Tip } from '#features/messages/web/parts/Tip.tsx'
import { t } from '#web/t.ts'
import { NewestFirstIcon, OldestFirstIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import css from '../lists/list.module.css'
import type { ListFilter } from '../lists/list-filter.ts'

type Part = { filter: ListFilter; onFilter: (change: Partial<ListFilter>) => void }

/** Tools beside the list's title: sort order and menu. */
export function ListTools({ filter, onFilter }: Part) {
  return (
    <span className={css.tools}>
      <Turn filter={filter} onFilter={onFilter} />
      <CommandMenu
        load={async () => (await import('../views/commands.ts')).listCommands(filter, onFilter)}
        label={t('Mais opções da lista')}
      />
    </span>
  )
}

/** Button that reverses the list's order. */
function Turn({ filter, onFilter }: Part) {
  const { oldestFirst } = filter
  const label = oldestFirst ? t('Mais antigas primeiro') : t('Mais novas primeiro')
  const Icon = oldestFirst ? OldestFirstIcon : NewestFirstIcon
  return (
    <Tip label={label} position="below-end">
      <IconButton
        aria-label={t('Mais antigas primeiro')}
        aria-pressed={oldestFirst}
        data-active={oldestFirst || undefined}
        onClick={() => onFilter({ oldestFirst: !oldestFirst })}
      >
        <Icon size={19} />
      </IconButton>
    </Tip>
  )
}
