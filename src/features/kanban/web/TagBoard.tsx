import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { contactEvents, ticketEvents } from '#features/ledger/event-addresses.ts'
import type { Answer } from '#kit/contract.ts'
import { sentence } from '#web/api.ts'
import css from '#web/board/board.module.css'
import { BoardColumn, BoardSkeleton, useMostCards } from '#web/board/board-column.tsx'
import { call, query, queryClient } from '#web/client.ts'
import { formatNumber } from '#web/format.ts'
import { on, onReconnect, onResync } from '#web/realtime/realtime.ts'
import { createSoon } from '#web/soon.ts'
import { t } from '#web/t.ts'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { board } from '../board-addresses.ts'
import { type Filter, showsNobody, useBoardFilter } from './board-filter.ts'
import { Card } from './Card.tsx'
import { BoardFilter, BoardTabs, NobodyFound } from './filter.tsx'

type Rest = Pick<Column, 'contacts' | 'hasMore' | 'nextCursor'>
type Column = Answer<typeof board.tags>['columns'][number]

/** Read-only board of contacts by tag: the chosen tags, or the first twenty. */
export function TagBoard() {
  const filter = useBoardFilter()
  const { data, isPending, error, refetch } = useQuery(query(board.tags, { query: filter }))
  useEffect(() => {
    const reread = createSoon(() => void queryClient.invalidateQueries({ queryKey: [board.tags.family] }), 500, 3000)
    const events = [contactEvents.update, contactEvents.delete, ticketEvents.create, ticketEvents.update]
    const offs = [...events.map((event) => on(event, reread)), onReconnect(reread), onResync(reread)]
    return () => {
      for (const off of offs) off()
    }
  }, [])
  const { columns = [], total = 0 } = data ?? {}
  return (
    <Page wide>
      <PageHeader
        title={t('Kanban por etiqueta')}
        facts={
          columns.length < total && !filter.tag
            ? t('{shown} de {total} etiquetas; escolha outras no filtro.', {
                shown: formatNumber(columns.length),
                total: formatNumber(total),
              })
            : t('Para olhar: as etiquetas mudam no contato.')
        }
      />
      <BoardTabs />
      <BoardFilter filter={filter} isRead={!isPending} />
      {isPending && <BoardSkeleton />}
      {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {data && columns.length === 0 && (
        <EmptyState title={t('Nenhuma etiqueta em uso')} text={t('Cada etiqueta ativa é uma coluna deste painel.')} />
      )}
      {showsNobody(filter, columns) ? (
        <NobodyFound />
      ) : (
        <section className={css.board} data-canvas aria-label={t('Contatos por etiqueta')}>
          {columns.map((column) => (
            <TagColumn key={column.id} column={column} filter={filter} />
          ))}
        </section>
      )}
    </Page>
  )
}

function TagColumn({ column, filter }: { column: Column; filter: Filter }) {
  // Pages beyond the first belong to the first that they came after.
  const [more, setMore] = useState<{ of: Column; page: Rest } | null>(null)
  const own = more?.of === column ? more.page : null
  const { contacts, hasMore, nextCursor } = useMemo(
    () => (own ? { ...own, contacts: [...column.contacts, ...own.contacts] } : column),
    [own, column],
  )
  const load = async () => {
    const { tag: _, ...rest } = filter
    const asked = { ...rest, tag: column.id, ...(nextCursor ? { cursor: nextCursor } : {}) }
    const page = await call(board.tagColumn, { query: asked }, { quiet: true })
    setMore({ of: column, page: { ...page, contacts: [...(own?.contacts ?? []), ...page.contacts] } })
  }
  const { tag, color, count, countIsCapped } = column
  const most = useMostCards()
  return (
    <BoardColumn
      {...{ name: tag, color, count, countIsCapped }}
      hasMore={hasMore && most >= contacts.length}
      onMore={load}
    >
      <ul className={css.cards}>
        {contacts.slice(0, most).map((card) => (
          <li key={card.id} className={css.card}>
            <Card card={card} />
          </li>
        ))}
      </ul>
    </BoardColumn>
  )
}
