import { useInfiniteQuery } from '@tanstack/react-query'
import { sentence } from '#web/api.ts'
import { call, pages } from '#web/client.ts'
import { formatListTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { notifications } from '../../addresses.ts'
import type { MentionRow } from '../../notifications-contract.ts'
import css from './mentions.module.css'

/** The notes that mention the person, newest first; each opens its conversation at the note, and is seen then. */
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
          <li key={row.messageId}>
            <button
              type="button"
              className={css.mention}
              data-new={!row.isSeen || undefined}
              aria-current={row.ticketId === selected || undefined}
              onClick={() => open(row)}
            >
              <Avatar id={row.contactId} name={row.name} src={row.profilePicUrl} channel={row.channel} size={44} />
              <span className={css.content}>
                <span className={css.top}>
                  <b className="g-cut">{row.name}</b>
                  <time>{formatListTime(row.timestamp)}</time>
                </span>
                <span className={`${css.by} g-cut`}>{t('{name} mencionou você', { name: row.by ?? t('Alguém') })}</span>
                <span className={css.text}>{row.text}</span>
              </span>
              <i className={css.dot}>{!row.isSeen && <span className="g-hidden">{t('não vista')}</span>}</i>
            </button>
          </li>
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
