import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { type ColumnsBy, figuresOf, ofColumn } from '#domain/tickets/figures.ts'
import { tickets } from '#features/ledger/addresses.ts'
import { sentence } from '#web/api.ts'
import { pages } from '#web/client.ts'
import { formatNumber, formatSpan } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import { ClockIcon, QueuesIcon, UnsureIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { useNow } from '#web/ui/use-now.ts'
import type { PanelColumn } from '../contract.ts'
import css from './panel.module.css'
import { Rows } from './rows.tsx'

const absences = { offline: t('offline'), paused: t('ausente'), hours: t('fora do horário') } as const

/** Choice of the panel's columns. */
export type Asked = { by: ColumnsBy; groups: boolean }

/** Returns the display name of a column. */
export const nameOf = ({ name }: PanelColumn, by: ColumnsBy): string =>
  name ?? (by === 'user' ? t('Sem responsável') : t('Sem fila'))

/** Card of an agent or queue: counts, remaining capacity, and (`withTickets`) its tickets, pending first. */
export function PanelCard(props: {
  column: PanelColumn
  asked: Asked
  withTickets: boolean
  commands: () => readonly Command[]
}) {
  const { column, asked, withTickets, commands } = props
  const { by } = asked
  const name = nameOf(column, by)
  const figures = figuresOf(asked.groups)
  const rows = (key: 'open' | 'pending' | 'waiting' | 'warned' | 'missed') => ofColumn(figures[key], by, column.id)
  return (
    <section className={css.card} aria-label={name}>
      <header>
        {by === 'user' && column.id !== null ? (
          <Avatar
            id={column.id}
            name={name}
            size={34}
            status={column.absence === null ? 'online' : column.absence === 'offline' ? 'offline' : 'away'}
          />
        ) : (
          <span className={css.mark}>{column.id === null ? <UnsureIcon size={19} /> : <QueuesIcon size={19} />}</span>
        )}
        <span className={css.who}>
          <h2 className="g-cut">{name}</h2>
          <small>{stateOf(column, by)}</small>
        </span>
        <CommandMenu commands={commands} label={t('Ações de {name}', { name })} size={28} />
      </header>
      <p className={css.counts}>
        <Rows of={rows('pending')} isWide>
          <b>{formatNumber(column.pending)}</b> {column.pending === 1 ? t('pendente') : t('pendentes')}
        </Rows>
        <Rows of={rows('open')} isWide>
          <b>{formatNumber(column.open)}</b> {column.open === 1 ? t('aberto') : t('abertos')}
        </Rows>
        <Rows of={rows('waiting')} isWide>
          <b>{formatNumber(column.waiting)}</b> {t('esperando')}
        </Rows>
        {column.warned > 0 && (
          <Rows of={rows('warned')} isWide tone="warn">
            <b>{formatNumber(column.warned)}</b> {t('em risco')}
          </Rows>
        )}
        {column.missed > 0 && (
          <Rows of={rows('missed')} isWide tone="neg">
            <b>{formatNumber(column.missed)}</b> {column.missed === 1 ? t('estourado') : t('estourados')}
          </Rows>
        )}
        {column.waitingSince !== null && <Waiting since={column.waitingSince} />}
      </p>
      {column.id !== null && (by === 'user' || column.capacity > 0) && <Load column={column} />}
      {withTickets && <Tickets column={column} asked={asked} name={name} />}
    </section>
  )
}

function stateOf({ id, absence, free, capacity }: PanelColumn, by: ColumnsBy): string {
  if (id === null) return by === 'user' ? t('esperam por alguém') : t('em nenhuma fila')
  if (absence !== null) return by === 'user' ? absences[absence] : t('ninguém presente')
  if (by === 'user' && capacity === 0) return t('online')
  return free === 0 ? t('Lotado') : plural(free, t('lugar livre'), t('lugares livres'))
}

function Load({ column: { load, capacity } }: { column: PanelColumn }) {
  if (capacity === 0) return <p className={css.load}>{t('Não recebe da distribuição')}</p>
  const share = Math.min(1, load / capacity)
  return (
    <div className={css.load} title={t('Abertos que contam (sem grupos e sem pausados) e quantos cabem')}>
      <span className={css.track} data-full={load >= capacity || undefined}>
        <i style={{ width: `${100 * share}%` }} />
      </span>
      <span className="g-num">
        {t('{load} de {capacity}', { load: formatNumber(load), capacity: formatNumber(capacity) })}
      </span>
    </div>
  )
}

function Waiting({ since }: { since: number }) {
  const span = formatSpan(useNow() - since)
  return (
    <span className={css.waiting} title={t('A maior espera: há {span}', { span })}>
      <ClockIcon size={13} /> {span}
    </span>
  )
}

/** Tickets of a column, loaded when visible and after changes. */
function Tickets({ column, asked, name }: { column: PanelColumn; asked: Asked; name: string }) {
  const box = useRef<HTMLDivElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const seen = new IntersectionObserver(([entry]) => setSeen(entry?.isIntersecting === true))
    seen.observe(box.current!)
    return () => seen.disconnect()
  }, [])
  const list = ofColumn(figuresOf(asked.groups).live, asked.by, column.id)
  const { isGroup, ...only } = list
  const filter = { ...only, ...(isGroup === null ? {} : { isGroup }), showAll: true, pendingFirst: true }
  const { open, pending, waiting, changedAt } = column
  const stamp = [open, pending, waiting, changedAt].join()
  const read = useInfiniteQuery({ ...pages(tickets.list, { query: filter }), enabled: isSeen })
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = read
  const shown = useRef(stamp)
  useEffect(() => {
    if (!isSeen || shown.current === stamp) return
    shown.current = stamp
    void refetch()
  }, [isSeen, stamp, refetch])
  const rows = data?.pages.flatMap((page) => page.tickets) ?? []
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys.
    <div ref={box} className={css.list} tabIndex={0} role="group" aria-label={t('Atendimentos de {name}', { name })}>
      {error && <p role="alert">{sentence(error)}</p>}
      {data && rows.length === 0 && <p>{t('Nenhum atendimento.')}</p>}
      <ul>
        {rows.map((one) => (
          <li key={one.id}>
            <Link to={`/atendimento/${one.id}`}>
              <Avatar id={one.contactId} name={one.name} src={one.profilePicUrl} size={32} channel={one.channel} />
              <span className="g-cut">{one.name}</span>
              {one.waitingSince !== null && <Waiting since={one.waitingSince} />}
              <Pill tone={one.status === 'pending' ? 'warn' : 'pos'}>
                {one.status === 'pending' ? t('Pendente') : t('Aberto')}
              </Pill>
            </Link>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" className={css.more} disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('Mostrar mais')} <span className="g-hidden">{t('de {name}', { name })}</span>
        </button>
      )}
    </div>
  )
}
