import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Ref } from 'react'
import type { Answer } from '#kit/contract.ts'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { flows } from '../../addresses.ts'
import css from './builder.module.css'
import { ChangeList } from './ChangeList.tsx'
import type { Draft } from './draft.ts'
import { SidePanel } from './SidePanel.tsx'
import { TrialCard } from './TrialCard.tsx'
import type { Compared, Comparison } from './use-comparison.ts'

type Version = Answer<typeof flows.versions>['versions'][number]
const titleOf = (version: number) => t('Versão {version}', { version })

/** Panel of the published versions: author, time, differences, and restoring each. */
export function VersionsPanel(props: {
  draft: Draft
  comparison: Comparison
  panel: Ref<HTMLElement>
  onShow: (nodeId: string) => void
  onRestore: (version: number) => Promise<void>
  onClose: () => void
}) {
  const { draft, comparison, panel, onShow, onRestore, onClose } = props
  const { id, trial } = draft.state.use().detail
  const { data, error, isPending, refetch } = useQuery(query(flows.versions, { params: { id } }))
  const { compared, compare } = comparison
  const versions = data?.versions ?? []
  if (compared)
    return (
      <Differences
        compared={compared}
        comparison={comparison}
        versions={versions}
        panel={panel}
        onShow={onShow}
        onClose={onClose}
      />
    )
  return (
    <SidePanel kind={t('Fluxo')} title={t('Versões')} panel={panel} onClose={onClose}>
      <p>{t('As conversas novas seguem a versão publicada; as que já começaram ficam na sua até o fim.')}</p>
      {trial && <TrialCard draft={draft} trial={trial} />}
      {isPending && <SkeletonRows kind="card" rows={3} />}
      {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {data?.versions.length === 0 && <p>{t('Nada foi publicado ainda.')}</p>}
      <ol className={css.versions} aria-label={t('Versões')}>
        {versions.map((row) => (
          <VersionRow key={row.version} row={row} compare={compare} onRestore={onRestore} />
        ))}
      </ol>
    </SidePanel>
  )
}

function VersionRow(props: {
  row: Version
  compare: Comparison['compare']
  onRestore: (version: number) => Promise<void>
}) {
  const { row, compare, onRestore } = props
  const { version, createdAt, userName, isPublished, share } = row
  return (
    <li>
      <div>
        <b>
          {titleOf(version)} {isPublished && <Pill tone="pos">{t('Publicada')}</Pill>}
          {!isPublished && share > 0 && <Pill tone="warn">{t('{share} % das novas', { share })}</Pill>}
        </b>
        <small>
          {formatDateTime(createdAt)} · {userName ?? t('alguém que já saiu')}
        </small>
      </div>
      <div className={css.ways}>
        <Button
          size="sm"
          variant="subtle"
          aria-label={t('Comparar a versão {version}', { version })}
          onClick={() => compare({ before: version, after: null })}
        >
          {t('Comparar')}
        </Button>
        {!isPublished && (
          <Button
            size="sm"
            variant="default"
            aria-label={t('Restaurar a versão {version}', { version })}
            onClick={() => void onRestore(version)}
          >
            {t('Restaurar')}
          </Button>
        )}
      </div>
    </li>
  )
}

function Differences(props: {
  compared: Compared
  comparison: Comparison
  versions: readonly Version[]
  panel: Ref<HTMLElement>
  onShow: (nodeId: string) => void
  onClose: () => void
}) {
  const { compared, comparison, versions, panel, onShow, onClose } = props
  const { compare, result, error } = comparison
  return (
    <SidePanel
      kind={t('Diferenças')}
      title={t('Desde a versão {version}', { version: compared.before })}
      panel={panel}
      onClose={onClose}
    >
      <Select
        label={t('Comparar com')}
        allowDeselect={false}
        data={[
          { value: '', label: t('O rascunho') },
          ...versions
            .filter(({ version }) => version > compared.before)
            .map(({ version }) => ({ value: String(version), label: titleOf(version) })),
        ]}
        value={compared.after === null ? '' : String(compared.after)}
        onChange={(after) => compare({ ...compared, after: after ? Number(after) : null })}
      />
      {error && <LoadError text={sentence(error)} retry={() => compare({ ...compared })} />}
      {!result && !error && <SkeletonRows kind="card" rows={2} />}
      {result && <ChangeList texts={result.texts} onShow={onShow} />}
      <Button variant="default" onClick={() => compare(null)}>
        {t('Voltar às versões')}
      </Button>
    </SidePanel>
  )
}
