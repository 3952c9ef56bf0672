import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Ref } from 'react'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { flows } from '../../addresses.ts'
import css from './builder.module.css'
import { SidePanel } from './SidePanel.tsx'

/** The published versions of a flow: who made each, when, and a way back to it. */
export function VersionsPanel(props: {
  flowId: number
  panel: Ref<HTMLElement>
  onRestore: (version: number) => Promise<void>
  onClose: () => void
}) {
  const { flowId, panel, onRestore, onClose } = props
  const { data, error, isPending, refetch } = useQuery(query(flows.versions, { params: { id: flowId } }))
  return (
    <SidePanel kind={t('Fluxo')} title={t('Versões')} panel={panel} onClose={onClose}>
      <p>{t('As conversas novas seguem a versão publicada; as que já começaram ficam na sua até o fim.')}</p>
      {isPending && <SkeletonRows kind="card" rows={3} />}
      {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {data?.versions.length === 0 && <p>{t('Nada foi publicado ainda.')}</p>}
      <ol className={css.versions} aria-label={t('Versões')}>
        {data?.versions.map(({ version, createdAt, userName, isPublished }) => (
          <li key={version}>
            <div>
              <b>{t('Versão {version}', { version })}</b>
              <small>
                {formatDateTime(createdAt)} · {userName ?? t('alguém que já saiu')}
              </small>
            </div>
            {isPublished ? (
              <Pill tone="pos">{t('Publicada')}</Pill>
            ) : (
              <Button
                size="sm"
                variant="default"
                aria-label={t('Restaurar a versão {version}', { version })}
                onClick={() => void onRestore(version)}
              >
                {t('Restaurar')}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </SidePanel>
  )
}
