import { Link, useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { formatPhone } from '#domain/phone/shown.ts'
import { loadStartConversation } from '#features/contacts/web/index.ts'
import { formatSpan } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { ClockIcon, ContactsIcon, MinusIcon, StartConversationIcon, TicketsIcon, TransferIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Counter, Tag } from '#web/ui/identity/badges.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { useNow } from '#web/ui/use-now.ts'
import type { Card as Row } from '../contract.ts'
import css from './board.module.css'

const StartConversation = lazyPart(loadStartConversation)

const shownTags = 3

/** Card of a contact: name, tags, live ticket with waiting time, and actions. */
export function Card({ card, onMove, onRemove }: { card: Row; onMove?: () => void; onRemove?: () => void }) {
  const { id, name, tags, ticket } = card
  const may = useMay()
  const navigate = useNavigate()
  const [talking, setTalking] = useState(false)
  const commands = () => [
    {
      id: 'open',
      label: t('Abrir atendimento'),
      icon: TicketsIcon,
      when: () => ticket !== null,
      run: () => void navigate({ to: `/atendimento/${ticket?.id}` }),
    },
    {
      id: 'talk',
      label: t('Iniciar conversa'),
      icon: StartConversationIcon,
      when: () => may('tickets:start'),
      run: () => setTalking(true),
    },
    {
      id: 'contact',
      label: t('Ver contato'),
      icon: ContactsIcon,
      when: () => may('contacts:read'),
      run: () => void navigate({ to: '/contatos', search: { id } }),
    },
    ...(onMove ? [{ id: 'move', label: t('Mover para…'), icon: TransferIcon, run: onMove }] : []),
    ...(onRemove ? [{ id: 'remove', label: t('Remover do painel'), icon: MinusIcon, run: onRemove }] : []),
  ]
  return (
    <>
      <span className={css.who}>
        <Who card={card} />
        <CommandMenu commands={commands} label={t('Ações de {name}', { name })} size={28} />
      </span>
      {tags.length > 0 && (
        <span className={css.tags} title={tags.map(({ tag }) => tag).join(', ')}>
          {tags.slice(0, shownTags).map((one) => (
            <Tag key={one.id} name={one.tag} color={one.color} />
          ))}
          {tags.length > shownTags && <small>+{tags.length - shownTags}</small>}
        </span>
      )}
      {ticket && <LiveTicket ticket={ticket} />}
      {talking && (
        <Suspense>
          <StartConversation contact={card} onClose={() => setTalking(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Name and number of the contact; the name links to the live ticket. */
function Who({ card }: { card: Row }) {
  const { id, name, number, profilePicUrl, channels, ticket } = card
  return (
    <>
      <Avatar id={id} name={name} src={profilePicUrl} size={34} channel={channels[0] ?? null} />
      <span className={css.names}>
        {ticket ? (
          <Link className="g-cut" title={name} to={`/atendimento/${ticket.id}`} draggable={false}>
            {name}
          </Link>
        ) : (
          <span className="g-cut" title={name}>
            {name}
          </span>
        )}
        {number && <small className="g-cut">{formatPhone(number)}</small>}
      </span>
    </>
  )
}

/** Live ticket: who has it, unread messages, and how long the customer has been waiting. */
function LiveTicket({ ticket }: { ticket: NonNullable<Row['ticket']> }) {
  return (
    <span className={css.ticket}>
      <TicketsIcon size={14} />
      <span className="g-cut">{ticket.username ?? (ticket.status === 'pending' ? t('Pendente') : t('Aberto'))}</span>
      <Counter value={ticket.unreadMessages} unit={[t('não lida'), t('não lidas')]} />
      {ticket.waitingSince !== null && <Waiting since={ticket.waitingSince} />}
    </span>
  )
}

/** Waiting time of the customer. */
function Waiting({ since }: { since: number }) {
  const span = formatSpan(useNow() - since)
  return (
    <span className={css.waiting} title={t('Esperando resposta há {span}', { span })}>
      <ClockIcon size={13} />
      <span className="g-hidden">{t('esperando')}</span> {span}
    </span>
  )
}
