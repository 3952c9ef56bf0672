import { useInfiniteQuery } from '@tanstack/react-query'
import { tickets } from '#features/ledger/addresses.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { ownerOf, previewText } from '#features/tickets/web/choices/names.ts'
import { pages } from '#web/client.ts'
import { formatListTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { ShowIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import css from './context.module.css'

const states = {
  open: { name: t('Aberto'), tone: 'pos' },
  pending: { name: t('Pendente'), tone: 'warn' },
  closed: { name: t('Resolvido'), tone: 'plain' },
} as const

/** Other visible tickets of the contact. */
export function OtherTickets(props: {
  /** `id`: ticket to omit; 0: none. */
  ticket: Pick<TicketDetail, 'id' | 'contactId'>
  onOpen: (id: number) => void
  /** Opens a ticket in “Espiar”; absent: no button. */
  onPeek?: (id: number) => void
}) {
  const { ticket, onOpen, onPeek } = props
  const { contactId, id } = ticket
  const { data, hasNextPage, fetchNextPage } = useInfiniteQuery(pages(tickets.ofContact, { params: { contactId } }))
  if (!data) return <SkeletonRows kind="table" rows={4} />
  const others = data.pages.flatMap((page) => page.tickets).filter((one) => one.id !== id)
  if (others.length === 0)
    return (
      <p className={css.nothing}>
        {id > 0 ? t('Nenhum outro que você possa ver.') : t('Nenhum atendimento que você possa ver.')}
      </p>
    )
  return (
    <>
      <ul className={css.list}>
        {others.map((one) => (
          <li key={one.id}>
            <button type="button" onClick={() => onOpen(one.id)}>
              <span>
                <b>{t('Atendimento {id}', { id: one.id })}</b>
                <time>{formatListTime(one.lastMessageAt)}</time>
              </span>
              <span className="g-cut">{previewText(one) || t('Sem mensagens')}</span>
              <span>
                <Pill tone={states[one.status].tone}>{states[one.status].name}</Pill>
                {`${one.connectionName} · ${ownerOf(one)}`}
              </span>
            </button>
            {onPeek && (
              <IconButton aria-label={t('Espiar o atendimento {id}', { id: one.id })} onClick={() => onPeek(one.id)}>
                <ShowIcon size={19} />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" className={css.older} onClick={() => void fetchNextPage()}>
          {t('Mais antigos')}
        </button>
      )}
    </>
  )
}
