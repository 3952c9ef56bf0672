import { Select } from '@mantine/core'
import { t } from '#web/t.ts'
import { SearchIcon } from '#web/ui/icons.ts'
import css from './builder.module.css'
import type { Parts } from './parts.ts'

/** Finds a step by its name and by what it says, and leads there. */
export function StepSearch({ steps, onOpen }: { steps: readonly Parts[]; onOpen: (id: string) => void }) {
  return (
    <Select
      className={css.search as string}
      aria-label={t('Buscar etapa')}
      placeholder={t('Buscar etapa')}
      leftSection={<SearchIcon size={16} />}
      searchable
      value={null}
      nothingFoundMessage={t('Nenhuma etapa com esse texto')}
      limit={50}
      data={steps.map(({ id, name, interactions }) => {
        const texts = interactions.flatMap((one) => ('text' in one ? [one.text] : []))
        return { value: id, label: [name, ...texts].join(' · ').slice(0, 90) }
      })}
      onChange={(id) => id && onOpen(id)}
    />
  )
}
