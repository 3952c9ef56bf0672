import { useInfiniteQuery } from '@tanstack/react-query'
import { type Ref, useEffect, useRef, useState } from 'react'
import { shownText } from '#domain/messages/signature.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { messages } from '#features/messages/addresses.ts'
import { Marked } from '#features/messages/web/parts/rich-text.tsx'
import { sentence } from '#web/api.ts'
import { pages } from '#web/client.ts'
import { folded } from '#web/fold.ts'
import { formatListTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { AttachIcon } from '#web/ui/icons.ts'
import css from '../lists/list.module.css'
import { HitFilters, type HitNarrowing, hitQuery, notNarrowed } from './hit-filters.tsx'

const shortest = 3
const enough = 10
/** Number of pages loaded automatically while few messages are found; then the person asks for more. */
const turned = 8

type MessageHit = { ticket: { id: number; name: string }; message: MessageRow }

/** Last opened hit and its search, restored on return. */
let opened: { search: string; id: string; narrowing: HitNarrowing } | undefined

/** Messages that match the search; each opens its conversation there, and returning scrolls back to it. */
export function MessageHits({ search, onOpen }: { search: string; onOpen: (id: number, timestamp: number) => void }) {
  const parts = search.split(/\s+/).filter(Boolean)
  const enabled = parts.some((part) => [...part].length >= shortest)
  const before = opened?.search === search ? opened : undefined
  const [narrowing, setNarrowing] = useState(before?.narrowing ?? notNarrowed)
  const [current, setCurrent] = useState(before?.id)
  const { data, error, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery({
    ...pages(messages.search, { query: { searchParam: search, ...hitQuery(narrowing) } }),
    enabled,
  })
  const hits =
    data?.pages.flatMap(({ tickets }) =>
      tickets.flatMap((found) => found.messages.map((message) => ({ ticket: found.ticket, message }))),
    ) ?? []
  const turnsItself = hasNextPage && hits.length < enough && (data?.pages.length ?? 0) < turned
  useEffect(() => {
    if (turnsItself && !isFetching && !error) void fetchNextPage()
  }, [turnsItself, isFetching, error, fetchNextPage])
  const row = useRef<HTMLButtonElement>(null)
  const isThere = hits.some(({ message }) => message.id === current)
  useEffect(() => {
    if (isThere) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isThere])
  const open = ({ ticket, message }: MessageHit) => {
    opened = { search, id: message.id, narrowing }
    setCurrent(message.id)
    onOpen(ticket.id, message.timestamp)
  }
  if (!enabled) return null
  const searchedTo = data?.pages.at(-1)?.searchedTo
  const isSearching = isFetching || turnsItself
  return (
    <section className={css.hits} aria-label={t('Mensagens encontradas')} aria-busy={isSearching}>
      <h2>{t('Mensagens')}</h2>
      <HitFilters value={narrowing} onChange={setNarrowing} />
      {hits.map((hit) => (
        <Hit
          key={hit.message.id}
          ref={hit.message.id === current ? row : undefined}
          hit={hit}
          isCurrent={hit.message.id === current}
          parts={parts}
          onOpen={() => open(hit)}
        />
      ))}
      {error ? (
        <p className={css.noHits}>{sentence(error)}</p>
      ) : (
        hits.length === 0 && <NoHits isSearching={isSearching} search={search} />
      )}
      {hasNextPage && !isSearching && (
        <button type="button" className={css.retry} onClick={() => void fetchNextPage()}>
          {hits.length < enough && searchedTo
            ? t('Buscar antes de {day}', { day: new Date(searchedTo).toLocaleDateString('pt-BR') })
            : t('Mais mensagens')}
        </button>
      )}
    </section>
  )
}

function NoHits({ isSearching, search }: { isSearching: boolean; search: string }) {
  return (
    <p className={css.noHits} role="status">
      {isSearching ? t('Buscando nas mensagens…') : t('Nenhuma mensagem com “{search}”.', { search })}
    </p>
  )
}

function Hit(props: {
  ref: Ref<HTMLButtonElement> | undefined
  hit: MessageHit
  isCurrent: boolean
  parts: readonly string[]
  onOpen: () => void
}) {
  const { ref, hit, isCurrent, parts, onOpen } = props
  const { ticket, message } = hit
  return (
    <button ref={ref} type="button" className={css.hit} aria-current={isCurrent || undefined} onClick={onOpen}>
      <span>
        <b className="g-cut">{ticket.name}</b>
        <time>{formatListTime(message.timestamp)}</time>
      </span>
      <Found message={message} parts={parts} />
    </button>
  )
}

/** Text around the match, and the file name if the match is there. */
function Found({ message, parts }: { message: MessageRow; parts: readonly string[] }) {
  const mark = parts.join(' ')
  const name = message.mediaName
  const isInName = name !== null && parts.some((part) => folded(name).includes(folded(part)))
  const body = around(shownText(message), parts)
  return (
    <>
      {body && (
        <p>
          <Marked text={body} mark={mark} />
        </p>
      )}
      {name !== null && (isInName || !body) && (
        <p className={css.hitFile}>
          <AttachIcon size={14} />
          <Marked text={name} mark={mark} />
        </p>
      )}
    </>
  )
}

function around(body: string, parts: readonly string[]): string {
  const text = folded(body)
  const finds = parts.map((part) => text.indexOf(folded(part))).filter((at) => at >= 0)
  const at = Math.min(...finds)
  return finds.length > 0 && at > 60 ? `…${body.slice(at - 40)}` : body
}
