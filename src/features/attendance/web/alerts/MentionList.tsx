import { useInfiniteQuery } from '@tanstack/react-query'
import { notifications } from '#features/messages/notifications-addresses.ts'
import type { MentionRow } from '#features/messages/notifications-contract.ts'
import { sentence } from '#web/api.ts'
import { call, pages } from '#web/client.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { ConcernRow } from './ConcernRow.tsx'
import css from './mentions.module.css'

/** Notes that mention the person, newest first; opening one shows it in its conversation and marks it as seen. */
export function MentionList(props: { selected: number | null; onOpen: (id: number, timestamp: number) => void }) {
  const { selected, onOpen } = props
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    pages(notifications.mentions),
  )
  const rows = data?.pages.flatMap(({ mentions }) => mentions) ?? []
  const open = ({ messageId, ticketId, timestamp, isSeen }: MentionRow) => {
    if (!isSeen) call(notifications.seeMention, { params: { id: messageId } }, { quiet: true }).catch(() => {})
    onOpen(ticketId, timestamp)
  }
  if (error && !data) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  return (
    <section className={css.mentions} aria-label={t('Menções')}>
      {!data && <SkeletonRows kind="ticket" />}
      {data && rows.length === 0 && (
        <EmptyState
          title={t('Ninguém mencionou você')}
          text={t('Notas internas com @ e o seu nome, ou o de uma equipe sua, ficam aqui.')}
        />
      )}
      <ul>
        {rows.map((row) => (
          <ConcernRow
            key={row.messageId}
            of={row}
            at={row.timestamp}
            what={[t('{name} mencionou você', { name: row.by ?? t('Alguém') })]}
            text={row.text}
            isNew={!row.isSeen}
            isCurrent={row.ticketId === selected}
            onOpen={() => open(row)}
          />
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" className={css.more} disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('Mostrar mais')}
        </button>
      )}
    </section>
  )
}
