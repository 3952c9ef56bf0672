import { Modal } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { sentence } from '#web/api.ts'
import { pages } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { MoreButton } from '#web/ui/feedback/MoreButton.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { flowStats } from '../../insight-addresses.ts'
import css from './builder.module.css'
import type { WayStats } from './figures.ts'

/** Conversations behind a number, as far as the user may see them. */
export function Visits(props: {
  id: number
  title: string
  nodeId: string
  way: WayStats | null
  version: number | null
  period: { from: number; to: number }
  onClose: () => void
}) {
  const { id, title, nodeId, way, version, period, onClose } = props
  const filter = {
    ...period,
    nodeId,
    ...(version === null ? {} : { version }),
    ...(way === null ? {} : { way: way.way }),
    ...(way?.index == null ? {} : { index: way.index }),
  }
  const list = useInfiniteQuery({
    ...pages(flowStats.conversations, { params: { id }, query: filter }),
    staleTime: 0,
  })
  const { data, error, refetch } = list
  const rows = data?.pages.flatMap((page) => page.conversations)
  return (
    <Modal opened onClose={onClose} size={480} title={title}>
      {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="table" rows={4} />}
      {rows?.length === 0 && <p className={css.summary}>{t('Nenhuma destas conversas está ao seu alcance.')}</p>}
      <ol className={css.visits} aria-label={t('Conversas')}>
        {rows?.map(({ ticketId, contactName, at }, index) => (
          <li key={index}>
            <a href={`/atendimento/${ticketId}`}>
              {contactName} · #{ticketId}
            </a>
            <time>{formatDateTime(at)}</time>
          </li>
        ))}
      </ol>
      <MoreButton list={list} />
    </Modal>
  )
}
