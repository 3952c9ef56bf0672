import { useInfiniteQuery } from '@tanstack/react-query'
import { tickets } from '#features/ledger/addresses.ts'
import { pages } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import css from './context.module.css'

/** Log of the ticket, newest first. */
export function Logs({ ticketId }: { ticketId: number }) {
  const { data, hasNextPage, fetchNextPage } = useInfiniteQuery({
    ...pages(tickets.logs, { params: { id: ticketId } }),
    staleTime: 0,
  })
  if (!data) return <SkeletonRows kind="table" rows={5} />
  const logs = data.pages.flatMap((page) => page.logs)
  return (
    <>
      <ol className={css.logs}>
        {logs.map((log) => (
          <li key={log.id}>
            <b>{log.label}</b>
            <span>
              {[log.user?.name, log.queue?.queue, log.reason, log.until && formatDateTime(log.until)]
                .filter(Boolean)
                .join(' · ')}
            </span>
            <time>{formatDateTime(log.createdAt)}</time>
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <button type="button" className={css.older} onClick={() => void fetchNextPage()}>
          {t('Mais antigos')}
        </button>
      )}
    </>
  )
}
