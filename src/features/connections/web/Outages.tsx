import { Drawer } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { causeTexts } from '#domain/connections/cause-texts.ts'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { connections } from '../connection-addresses.ts'
import type { ConnectionRow } from '../contract.ts'
import css from './link.module.css'
import { gapOf, spanOf } from './outage-texts.ts'

/** Dialog with the outages of a channel, newest first: period, cause, recovered messages. */
export function Outages({ row: { id, name }, onClose }: { row: ConnectionRow; onClose: () => void }) {
  const { data, error, refetch } = useQuery(query(connections.outages, { params: { id }, query: {} }))
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={480}
      zIndex={50}
      title={t('Quedas de “{name}”', { name })}
      padding={24}
    >
      {error && !data && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="card" rows={3} />}
      {data?.outages.length === 0 && (
        <EmptyState title={t('Nenhuma queda')} text={t('Desde que foi conectado, este canal não caiu.')} />
      )}
      <ol className={css.outages}>
        {data?.outages.map((outage) => (
          <li key={outage.id} data-open={outage.endedAt === null || undefined}>
            <b>{causeTexts[outage.cause].text}</b>
            <span>{spanOf(outage)}</span>
            <span>{gapOf(outage) || causeTexts[outage.cause].advice}</span>
          </li>
        ))}
      </ol>
      {data?.hasMore && <p className="g-help">{t('Só as 30 últimas são mostradas.')}</p>}
    </Drawer>
  )
}
