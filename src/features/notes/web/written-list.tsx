import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { mayPeek } from '#features/tickets/web/actions/may-peek.ts'
import { loadPeek } from '#features/tickets/web/actions/peek-screen.ts'
import { choices } from '#web/choices.ts'
import { formatDateTime } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import type { CsvFile } from '#web/resource/ExportButton.tsx'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import type { List } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import { ShowIcon, TicketsIcon } from '#web/ui/icons.ts'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import { PeriodFilter } from '#web/ui/inputs/PeriodFilter.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { useUrlState } from '#web/url-state.ts'

const Peek = lazyPart(loadPeek)

/** Note or protocol of a ticket, as a list row. */
export type Written = {
  id: string
  ticketId: number
  contactName: string
  user: { id: number; name: string } | null
  timestamp: number
}

/** Hook with the list's filters from the URL. */
export function useWrittenFilter() {
  const [url] = useUrlState()
  return useMemo(
    () => ({
      searchParam: url.busca,
      from: url.de,
      to: url.ate,
      user: url.usuario ? Number(url.usuario) : undefined,
    }),
    [url.busca, url.de, url.ate, url.usuario],
  )
}

/** Column with the ticket's number. */
export const ticketColumn = <Row extends { ticketId: number }>(): Column<Row> => ({
  key: 'ticket',
  title: t('Atendimento'),
  width: 130,
  cell: (row) => <span className="g-num">{row.ticketId}</span>,
})

/** Column with the time of writing. */
export const dateColumn: Column<Written> = {
  key: 'date',
  title: t('Data'),
  width: 150,
  cell: (row) => <span className="g-num">{formatDateTime(row.timestamp)}</span>,
}

/** Hook that opens a row's ticket at the message, or previews it. */
export function useTicketDoors() {
  const navigate = useNavigate()
  const [peeking, setPeeking] = useState<number | null>(null)
  const open = (ticketId: number, timestamp?: number) =>
    void navigate({
      to: `/atendimento/${ticketId}`,
      search: timestamp === undefined ? {} : { timestamp },
    })
  const commands = (ticketId: number, timestamp?: number): Command[] => [
    {
      id: 'open',
      label: t('Abrir no atendimento'),
      icon: TicketsIcon,
      run: () => open(ticketId, timestamp),
    },
    { id: 'peek', label: t('Espiar'), icon: ShowIcon, when: mayPeek, run: () => setPeeking(ticketId) },
  ]
  const peek = peeking !== null && (
    <Suspense>
      <Peek id={peeking} doors={{ follow: open }} onClose={() => setPeeking(null)} />
    </Suspense>
  )
  return { open, commands, peek }
}

/** List of notes or protocols, newest first: search, author and period in the URL; a row opens its message. */
export function WrittenList<Row extends Written>(props: {
  title: string
  nouns: readonly [string, string]
  list: List<Row, { count: number; countIsCapped?: boolean | undefined }>
  columns: readonly Column<Row>[]
  search: string
  empty: { title: string; text: string }
  file: CsvFile<Row>
  commands?: (row: Row) => readonly Command[]
  children?: ReactNode
}) {
  const { columns, commands = () => [], children, ...screen } = props
  const [url, setUrl] = useUrlState()
  const doors = useTicketDoors()
  const people = useQuery(choices('users', { assignable: true })).data ?? []
  return (
    <ListScreen
      {...screen}
      filters={
        <>
          <ChoiceFilter
            label={t('Usuário')}
            options={people}
            chosen={url.usuario ? [Number(url.usuario)] : []}
            onChange={(ids) => setUrl({ usuario: ids.at(-1) })}
          />
          <PeriodFilter from={url.de} to={url.ate} onChange={setUrl} />
        </>
      }
      filterNames={['usuario', 'de', 'ate']}
      table={{
        columns,
        rowKey: (row) => row.id,
        hrefOf: ({ ticketId }) => `/atendimento/${ticketId}`,
        onOpen: (row) => doors.open(row.ticketId, row.timestamp),
        commands: (row) => [...doors.commands(row.ticketId, row.timestamp), ...commands(row)],
      }}
    >
      {doors.peek}
      {children}
    </ListScreen>
  )
}
