import { Suspense, useState } from 'react'
import { formatPhone, isHiddenNumber } from '#domain/phone/shown.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { contactScreens } from '#features/messages/web/registries/contact-screens.ts'
import { useTicket } from '#features/messages/web/ticket/ticket.ts'
import type { Doors } from '#features/tickets/web/actions/doors.ts'
import { formatDate, formatDateTime } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { isRestricted, useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { BackIcon, ChevronRightIcon, CloseIcon, EditIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Pairs } from '#web/ui/identity/Pairs.tsx'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import css from './context.module.css'
import { TagsSection } from './TagsSection.tsx'

const OtherTickets = lazyPart(async () => (await import('./OtherTickets.tsx')).OtherTickets)
const Logs = lazyPart(async () => (await import('./Logs.tsx')).Logs)
const ContactDrawer = lazyPart(async () => await contactScreens().loadDrawer())
const ContactSections = lazyPart(async () => await contactScreens().loadSections())
const OutcomeSection = lazyPart(async () => (await import('./OutcomeSection.tsx')).OutcomeSection)
const ScheduledList = lazyPart(
  async () => (await import('#features/schedules/web/scheduled-message.tsx')).ScheduledList,
)
const StageSection = lazyPart(async () => (await import('./StageSection.tsx')).StageSection)
const FunnelPanel = lazyPart(async () => await contactScreens().loadOpportunities())
const Files = lazyPart(async () => (await import('./Files.tsx')).Files)

/** View of the panel: the contact, or one of the lists behind its rows. */
export type ContextView = 'contact' | 'others' | 'files' | 'logs'

const titles: Record<Exclude<ContextView, 'contact'>, string> = {
  others: t('Outros atendimentos'),
  files: t('Mídia, links e documentos'),
  logs: t('Histórico do atendimento'),
}

/** Context panel of a conversation: the contact, and details of the ticket. */
export function ContextPanel(props: {
  id: number
  view: ContextView
  onView: (view: ContextView) => void
  doors: Doors
  onClose: () => void
}) {
  const { id, view, onView, doors, onClose } = props
  const { ticket } = useTicket(id)
  if (!ticket) return <div className={css.panel} aria-busy="true" />
  if (view === 'contact')
    return (
      <div className={css.panel}>
        <ContactView ticket={ticket} onView={onView} />
      </div>
    )
  return (
    <div className={css.panel}>
      <header className={css.sub}>
        <IconButton aria-label={t('Voltar aos dados do contato')} onClick={() => onView('contact')}>
          <BackIcon size={19} />
        </IconButton>
        <h2>{titles[view]}</h2>
        <IconButton aria-label={t('Esconder os dados')} onClick={onClose}>
          <CloseIcon size={18} />
        </IconButton>
      </header>
      <Suspense>
        {view === 'others' && <OtherTickets ticket={ticket} onOpen={doors.open} />}
        {view === 'files' && <Files ticketId={id} />}
        {view === 'logs' && <Logs ticketId={id} />}
      </Suspense>
    </div>
  )
}

/** Masks the middle of a document: recognisable, but not to be copied. */
const hidden = (document: string): string =>
  document.length === 11 ? `${document.slice(0, 3)}.•••.•••-${document.slice(-2)}` : document

/** Text of a number that WhatsApp hides. */
const hiddenNumber = ({ writesTo }: TicketDetail): string =>
  isHiddenNumber(writesTo.address) ? t('Número oculto') : ''

function ContactView({ ticket, onView }: { ticket: TicketDetail; onView: (view: ContextView) => void }) {
  const restricted = isRestricted()
  const [editing, setEditing] = useState(false)
  const may = useMay()
  const mayEdit = may('contacts:write') && !restricted && !ticket.isGroup
  return (
    <>
      <ContactHeader ticket={ticket} restricted={restricted} onEdit={mayEdit ? () => setEditing(true) : null} />
      {editing && (
        <Suspense>
          <ContactDrawer id={ticket.contactId} onClose={() => setEditing(false)} />
        </Suspense>
      )}
      <Details ticket={ticket} restricted={restricted} />
      <TagsSection ticket={ticket} hasWallets={!mayEdit} />
      <Suspense>
        <StageSection ticket={ticket} />
        <OutcomeSection ticket={ticket} />
        {mayEdit && <ContactSections contactId={ticket.contactId} />}
        {may('funnel:read') && !ticket.isGroup && (
          <FunnelPanel contact={{ id: ticket.contactId, name: ticket.contact.name }} />
        )}
      </Suspense>
      {ticket.scheduledMessages.length > 0 && (
        <section className={css.section}>
          <h2>{t('Mensagens agendadas')}</h2>
          <Suspense>
            <ScheduledList ticket={ticket} />
          </Suspense>
        </section>
      )}
      <nav className={css.rows} aria-label={t('Mais sobre este atendimento')}>
        {!restricted && (
          <Row name={titles.others} count={ticket.contactDetail.otherTickets} onOpen={() => onView('others')} />
        )}
        <Row name={titles.files} onOpen={() => onView('files')} />
        <Row name={titles.logs} onOpen={() => onView('logs')} />
      </nav>
    </>
  )
}

function Details({ ticket, restricted }: { ticket: TicketDetail; restricted: boolean }) {
  const { contactDetail, protocol, rating } = ticket
  const { email, cpf, businessName, createdAt, extraInfo } = contactDetail
  const details: [string, string][] = [
    [t('E-mail'), email],
    [t('CPF/CNPJ'), hidden(cpf)],
    [t('Empresa'), businessName],
    ...extraInfo.map(({ name, value }): [string, string] => [name, value]),
    [t('Cliente desde'), formatDate(createdAt)],
  ]
  const pairs: [string, string][] = [
    ...(restricted ? [] : details),
    [t('Canal'), ticket.whatsapp.name],
    [t('Protocolo'), protocol],
    [t('Avaliação'), rating === null ? '' : `${rating} ${'★'.repeat(rating)}${'☆'.repeat(5 - rating)}`],
    [t('Iniciado em'), formatDateTime(ticket.createdAt)],
    [t('Quem segue'), ticket.followers.map(({ name }) => name).join(', ')],
  ]
  return <Pairs className={css.pairs} of={pairs} />
}

function ContactHeader(props: { ticket: TicketDetail; restricted: boolean; onEdit: (() => void) | null }) {
  const { ticket, restricted, onEdit } = props
  const { contact } = ticket
  return (
    <header className={css.header}>
      <Avatar id={ticket.contactId} name={ticket.name} src={ticket.profilePicUrl} size={52} />
      <span>
        <b>{contact.name}</b>
        <span>
          {restricted ? t('Dados do contato protegidos') : formatPhone(contact.number) || hiddenNumber(ticket)}
        </span>
      </span>
      {onEdit && (
        <IconButton aria-label={t('Editar o contato')} title={t('Editar o contato')} onClick={onEdit}>
          <EditIcon size={18} />
        </IconButton>
      )}
    </header>
  )
}

function Row({ name, count, onOpen }: { name: string; count?: number; onOpen: () => void }) {
  return (
    <button type="button" onClick={onOpen} disabled={count === 0}>
      <span>{name}</span>
      {count !== undefined && <span className={css.count}>{count}</span>}
      <ChevronRightIcon size={17} />
    </button>
  )
}
