import { Select } from '@mantine/core'
import { t } from '#web/t.ts'
import type { useBoardFilter } from './board-filter.ts'

type Named = { readonly id: number; readonly name: string }

/** Choice of the board's pipeline. */
export function PipelineChoice({
  pipelines,
  value,
  setUrl,
}: { pipelines: readonly Named[]; value: number } & Pick<ReturnType<typeof useBoardFilter>, 'setUrl'>) {
  return (
    <Select
      aria-label={t('Qual funil')}
      allowDeselect={false}
      data={pipelines.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={String(value)}
      onChange={(next) => setUrl({ funil: next ?? undefined })}
    />
  )
}
