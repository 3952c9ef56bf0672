import { TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { messages } from '#features/messages/addresses.ts'
import { pages } from '#web/client.ts'
import { plural, t } from '#web/t.ts'
import { ArrowDownIcon, ArrowUpIcon, CalendarIcon, CloseIcon, SearchIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import type { Moment } from '../cache/thread-data.ts'
import css from '../parts/conversation.module.css'
import { dayOf } from '../parts/days.ts'

/** Search within one conversation: steps from hit to hit, newest first, or jumps to a day. */
export function ThreadSearch(props: {
  ticketId: number
  onMark: (query: string) => void
  onShow: (moment: Moment) => void
  onClose: () => void
}) {
  const { ticketId, onMark, onShow, onClose } = props
  const { text, setText, at, setAt, enabled, hasNextPage, fetchNextPage, isFetching, hits, turnsItself } = useHits(
    ticketId,
    onMark,
    onShow,
  )
  const go = (step: number) => {
    const next = at + step
    if (next >= hits.length - 1 && hasNextPage) void fetchNextPage()
    setAt(Math.max(0, Math.min(hits.length - 1, next)))
  }
  const found = !enabled
    ? ''
    : (isFetching || turnsItself) && hits.length === 0
      ? t('Buscando…')
      : hits.length === 0
        ? t('Nada encontrado')
        : `${at + 1} ${t('de')} ${hasNextPage ? `${hits.length}+` : plural(hits.length, t('mensagem'), t('mensagens'))}`
  return (
    <search className={css.search}>
      <SearchInput text={text} setText={setText} onClose={onClose} go={go} />
      <span className={css.found} role="status">
        {found}
      </span>
      <IconButton aria-label={t('Mensagem mais antiga')} disabled={at >= hits.length - 1} onClick={() => go(1)}>
        <ArrowUpIcon size={18} />
      </IconButton>
      <IconButton aria-label={t('Mensagem mais nova')} disabled={at === 0} onClick={() => go(-1)}>
        <ArrowDownIcon size={18} />
      </IconButton>
      <DayField onShow={onShow} />
      <IconButton aria-label={t('Fechar a busca')} onClick={onClose}>
        <CloseIcon size={18} />
      </IconButton>
    </search>
  )
}

function SearchInput({
  text,
  setText,
  onClose,
  go,
}: {
  text: string
  setText: (next: string) => void
  onClose: () => void
  go: (step: number) => void
}) {
  return (
    <TextInput
      autoFocus
      size="md"
      value={text}
      placeholder={t('Buscar nesta conversa')}
      aria-label={t('Buscar nesta conversa')}
      leftSection={<SearchIcon size={17} />}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          onClose()
        }
        if (event.key === 'Enter') go(event.shiftKey ? -1 : 1)
      }}
    />
  )
}

function useHits(ticketId: number, onMark: (query: string) => void, onShow: (moment: Moment) => void) {
  const [text, setText] = useState('')
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => {
      setQuery(text.trim())
      setAt(0)
    }, 300)
    return () => clearTimeout(timer)
  }, [text])
  const enabled = query !== ''
  const { data, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery({
    ...pages(messages.search, { query: { searchParam: query, ticketId } }),
    placeholderData: undefined,
    enabled,
  })
  const hits = useMemo(
    () => data?.pages.flatMap(({ tickets }) => tickets.flatMap((found) => found.messages)) ?? [],
    [data],
  )
  const hit = hits[at]
  const turnsItself = hits.length === 0 && hasNextPage && !isFetching
  useEffect(() => {
    if (turnsItself) void fetchNextPage()
  }, [turnsItself, fetchNextPage])
  useEffect(() => onMark(enabled ? query : ''), [enabled, query, onMark])
  useEffect(() => {
    if (hit) onShow({ timestamp: hit.timestamp })
  }, [hit, onShow])
  return { text, setText, at, setAt, enabled, hasNextPage, fetchNextPage, isFetching, hits, turnsItself }
}

function DayField({ onShow }: { onShow: (moment: Moment) => void }) {
  return (
    <label className={css.date}>
      <CalendarIcon size={17} />
      <span className="g-hidden">{t('Ir para o dia')}</span>
      <input
        type="date"
        title={t('Ir para o dia')}
        onChange={(event) => {
          const day = dayOf(event.currentTarget.value)
          if (day) onShow(day)
        }}
      />
    </label>
  )
}
