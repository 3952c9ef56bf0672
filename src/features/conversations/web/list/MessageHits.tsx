import { useInfiniteQuery } from '@tanstack/react-query'
import { shownText } from '#domain/messages/signature.ts'
import { messages } from '#features/conversations/addresses.ts'
import { pages } from '#web/client.ts'
import { formatListTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { Marked } from '../thread/rich-text.tsx'
import css from './list.module.css'

const shortest = 3

/** Messages that contain what is searched for; each opens its conversation at that message. */
export function MessageHits({ search, onOpen }: { search: string; onOpen: (id: number, timestamp: number) => void }) {
  const enabled = search.length >= shortest
  const { data, hasNextPage, fetchNextPage } = useInfiniteQuery({
    ...pages(messages.search, { query: { searchParam: search } }),
    enabled,
  })
  const hits = data?.pages.flatMap(({ tickets }) =>
    tickets.flatMap((found) => found.messages.map((message) => ({ ticket: found.ticket, message }))),
  )
  if (!enabled || !hits || hits.length === 0) return null
  return (
    <section className={css.hits} aria-label={t('Mensagens encontradas')}>
      <h2>{t('Mensagens')}</h2>
      {hits.map(({ ticket, message }) => (
        <button key={message.id} type="button" className={css.hit} onClick={() => onOpen(ticket.id, message.timestamp)}>
          <span>
            <b className="g-cut">{ticket.name}</b>
            <time>{formatListTime(message.timestamp)}</time>
          </span>
          <p>
            <Marked text={around(shownText(message), search)} mark={search} />
          </p>
        </button>
      ))}
      {hasNextPage && (
        <button type="button" className={css.retry} onClick={() => void fetchNextPage()}>
          {t('Mais mensagens')}
        </button>
      )}
    </section>
  )
}

/** The words around the find, so that it is seen in two lines. */
function around(body: string, search: string): string {
  const at = body.toLowerCase().indexOf(search.toLowerCase())
  return at > 60 ? `…${body.slice(at - 40)}` : body
}
