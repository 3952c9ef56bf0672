import { Select } from '@mantine/core'
import { t } from '#web/t.ts'
import { LIMITS, type useBoardFilter } from './board-filter.ts'
import css from './funnel.module.css'
import { ORDER } from './labels.ts'

type Given = Pick<ReturnType<typeof useBoardFilter>, 'url' | 'setUrl' | 'limit'>

/** View options: order of cards, and page size of columns. */
export function BoardView({ url, setUrl, limit }: Given) {
  return (
    <div className={`${css.tools} ${css.roomy}`}>
      <Select
        size="sm"
        aria-label={t('Ordem dos cartões')}
        allowDeselect={false}
        data={Object.entries(ORDER).map(([value, label]) => ({ value, label }))}
        value={url['ordem'] && url['ordem'] in ORDER ? url['ordem'] : ''}
        onChange={(next) => setUrl({ ordem: next ?? undefined })}
      />
      <Select
        size="sm"
        aria-label={t('Cartões por página')}
        allowDeselect={false}
        w={84}
        data={LIMITS.map(String)}
        value={String(limit)}
        onChange={(next) => setUrl({ limite: next ?? undefined })}
      />
    </div>
  )
}
