import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { formatDocument } from '#domain/documents/documents.ts'
import { formatPhone } from '#domain/phone/shown.ts'
import { loadOfContact } from '#features/attendance/web/index.ts'
import { contactEvents } from '#features/ledger/event-addresses.ts'
import { ticketNotes } from '#features/notes/addresses.ts'
import { evaluations } from '#features/ratings/addresses.ts'
import { schedules } from '#features/schedules/addresses.ts'
import { loadStageOf } from '#features/tickets/web/index.ts'
import { fieldOf } from '#kit/own-fields.ts'
import { sentence } from '#web/api.ts'
import { type Choices, useChoices } from '#web/choices.ts'
import { pages, query, queryClient } from '#web/client.ts'
import { FieldCell } from '#web/fields/field.tsx'
import { formatDate, formatDateTime } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { on } from '#web/realtime/realtime.ts'
import { useMay } from '#web/session/permissions.ts'
import { plural, t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { BackIcon, EditIcon, StartConversationIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Pill, Tag } from '#web/ui/identity/badges.tsx'
import { Pairs } from '#web/ui/identity/Pairs.tsx'
import { shownOf } from '#web/ui/inputs/mask.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { SectionTabs } from '#web/ui/layout/section-tabs.tsx'
import { contacts } from '../addresses.ts'
import type { ContactDetail } from '../contract.ts'
import { ContactDrawer } from './ContactDrawer.tsx'
import { changeText } from './change-text.ts'
import { useContactCommands } from './contact-commands.tsx'
import css from './contact-page.module.css'
import { contactTabs } from './contact-tabs.ts'
import { StartConversation } from './StartConversation.tsx'

const Identities = lazyPart(async () => (await import('./Identities.tsx')).Identities)
const OtherTickets = lazyPart(async () => (await loadOfContact()).OtherTickets)
const StageOf = lazyPart(loadStageOf)

/** Page of a contact: details, addresses and history. */
export function ContactPage({ id }: { id: number }) {
  const [isGoing, setGoing] = useState(false)
  const {
    data: contact,
    error,
    refetch,
  } = useQuery({ ...query(contacts.get, { params: { id } }), retry: false, enabled: !isGoing })
  const navigate = useNavigate()
  const [editing, setEditing] = useState(false)
  const [talking, setTalking] = useState(false)
  useEffect(() => {
    const reread = (changed: { id: number }) => {
      if (changed.id === id) void queryClient.invalidateQueries({ queryKey: [contacts.get.family] })
    }
    const offs = [on(contactEvents.update, reread), on(contactEvents.delete, reread)]
    return () => {
      for (const off of offs) off()
    }
  }, [id])
  const back = () => void navigate({ to: '/contatos' })
  const { commands, dialogs } = useContactCommands(contact, (is) => {
    setGoing(is !== 'there')
    if (is === 'gone') back()
  })
  return (
    <Page>
      <PageHeader
        title={contact?.name ?? t('Contato')}
        facts={factsOf(contact)}
        actions={
          <PageActions
            contact={contact}
            commands={commands}
            onBack={back}
            onTalk={() => setTalking(true)}
            onEdit={() => setEditing(true)}
          />
        }
      />
      {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {(isGoing || !contact) && !error && <SkeletonRows kind="table" />}
      {contact && !isGoing && (
        <div className={css.columns}>
          <Facts contact={contact} />
          <History contact={contact} onOpen={(ticketId) => void navigate({ to: `/atendimento/${ticketId}` })} />
        </div>
      )}
      {editing && <ContactDrawer id={id} onClose={() => setEditing(false)} />}
      {talking && contact && <StartConversation contact={contact} onClose={() => setTalking(false)} />}
      {dialogs}
    </Page>
  )
}

function factsOf(contact: ContactDetail | undefined) {
  return (
    contact &&
    [
      formatPhone(contact.number),
      t('cliente desde {createdAt}', { createdAt: formatDate(contact.createdAt) }),
      plural(contact.ticketCount, 'atendimento', 'atendimentos'),
    ]
      .filter(Boolean)
      .join(' · ')
  )
}

function PageActions(props: {
  contact: ContactDetail | undefined
  commands: readonly Command[]
  onBack: () => void
  onTalk: () => void
  onEdit: () => void
}) {
  const { contact, commands, onBack, onTalk, onEdit } = props
  const may = useMay()
  return (
    <>
      <Button
        variant="default"
        className={css.back ?? ''}
        leftSection={<BackIcon size={17} />}
        onClick={onBack}
        aria-label={t('Contatos')}
      >
        <span>{t('Contatos')}</span>
      </Button>
      {contact && may('tickets:start') && (
        <Button variant="default" leftSection={<StartConversationIcon size={17} />} onClick={onTalk}>
          {t('Iniciar conversa')}
        </Button>
      )}
      {contact && may('contacts:write') && (
        <Button leftSection={<EditIcon size={17} />} onClick={onEdit}>
          {t('Editar')}
        </Button>
      )}
      {contact && commands.length > 0 && <CommandMenu commands={commands} label={t('Mais ações')} />}
    </>
  )
}

function Facts({ contact }: { contact: ContactDetail }) {
  const navigate = useNavigate()
  const fields = useChoices('contactFields')
  const pairs = pairsOf(contact, fields)
  return (
    <section className={css.card} aria-label={t('Dados')}>
      <header className={css.who}>
        <Avatar
          id={contact.id}
          name={contact.name}
          src={contact.profilePicUrl}
          size={52}
          channel={contact.channels[0] ?? null}
        />
        <span className={css.marks}>
          {contact.blocked && <Pill tone="neg">{t('Bloqueado')}</Pill>}
          {contact.chatbotBlocked && <Pill tone="warn">{t('Sem chatbot')}</Pill>}
          {contact.isWAContact === false && <Pill tone="warn">{t('Não alcançado')}</Pill>}
          {contact.tags.map(({ id, tag, color }) => (
            <Tag key={id} name={tag} color={color} />
          ))}
        </span>
      </header>
      <Pairs className={css.pairs} of={pairs} />
      {!contact.isGroup && (
        <Suspense>
          <Identities contact={contact} onOpen={(id) => void navigate({ to: `/contatos/${id}` })} />
        </Suspense>
      )}
    </section>
  )
}

function pairsOf(
  contact: ContactDetail,
  fields: readonly Choices['contactFields'][],
): readonly (readonly [string, ReactNode])[] {
  return [
    [t('E-mail'), contact.email],
    ['CPF/CNPJ', contact.cpf && formatDocument(contact.cpf)],
    [t('Empresa'), contact.businessName],
    [t('Aniversário'), shownOf('data', contact.birthdayDate)],
    [t('Nome no canal'), contact.pushname],
    [t('Carteira'), contact.wallets.map(({ name }) => name).join(', ')],
    [
      t('Kanban'),
      contact.kanban !== null && (
        <Suspense>
          <StageOf id={contact.kanban} />
        </Suspense>
      ),
    ],
    ...fields.map(
      (field) =>
        [
          field.name,
          contact.fields[field.id] !== undefined && (
            <FieldCell field={fieldOf(field)} value={contact.fields[field.id]} />
          ),
        ] as const,
    ),
    ...contact.extraInfo
      .filter(({ id }) => !String(id).startsWith('field:'))
      .map(({ name, value }) => [name, value] as const),
  ]
}

function History({ contact, onOpen }: { contact: ContactDetail; onOpen: (ticketId: number) => void }) {
  const [tab, setTab] = useState('tickets')
  const may = useMay()
  const sections = [
    { key: 'tickets', name: t('Atendimentos'), isThere: may('tickets:read') },
    { key: 'notes', name: t('Notas'), isThere: may(ticketNotes.list.can) },
    { key: 'ratings', name: t('Avaliações'), isThere: may(evaluations.list.can) },
    { key: 'schedules', name: t('Agendamentos'), isThere: may(schedules.list.can) },
    ...contactTabs.map(({ key, name, can }) => ({ key, name, isThere: !contact.isGroup && may(can) })),
    { key: 'changes', name: t('Alterações'), isThere: true },
  ].filter(({ isThere }) => isThere)
  const Added = contactTabs.find(({ key }) => key === tab)
  return (
    <section className={css.card} aria-label={t('História')}>
      <SectionTabs sections={sections} open={tab} onOpen={setTab} />
      {tab === 'tickets' && (
        <Suspense>
          <OtherTickets ticket={{ id: 0, contactId: contact.id }} onOpen={onOpen} />
        </Suspense>
      )}
      {tab === 'notes' && <Notes contactId={contact.id} />}
      {tab === 'ratings' && <Ratings contactId={contact.id} />}
      {tab === 'schedules' && <Schedules contactId={contact.id} />}
      {Added && (
        <Suspense>
          <Added.Part contactId={contact.id} />
        </Suspense>
      )}
      {tab === 'changes' && <Changes contactId={contact.id} />}
    </section>
  )
}

type Entry = { key: string | number; text: ReactNode; about: ReactNode; to?: string; search?: Record<string, unknown> }

function Entries(props: {
  read: {
    isPending: boolean
    error: Error | null
    refetch: () => unknown
    hasNextPage: boolean
    fetchNextPage: () => unknown
  }
  entries: readonly Entry[]
  none: string
}) {
  const { read, entries, none } = props
  if (read.isPending) return <SkeletonRows kind="table" rows={4} />
  if (read.error) return <LoadError text={sentence(read.error)} retry={() => void read.refetch()} />
  if (entries.length === 0) return <p className={css.none}>{none}</p>
  return (
    <>
      <ul className={css.entries}>
        {entries.map(({ key, text, about, to, search = {} }) => (
          <li key={key}>
            {to ? (
              <Link to={to} search={search}>
                {text}
              </Link>
            ) : (
              <b>{text}</b>
            )}
            <small>{about}</small>
          </li>
        ))}
      </ul>
      {read.hasNextPage && (
        <Button variant="default" onClick={() => void read.fetchNextPage()}>
          {t('Mostrar mais')}
        </Button>
      )}
    </>
  )
}

function Notes({ contactId }: { contactId: number }) {
  const read = useInfiniteQuery(pages(ticketNotes.list, { query: { contactId } }))
  const entries = (read.data?.pages ?? []).flatMap(({ ticketNotes: rows }) =>
    rows.map((note) => ({
      key: note.id,
      text: note.notes,
      about: [note.user?.name, formatDateTime(note.timestamp)].filter(Boolean).join(' · '),
      to: `/atendimento/${note.ticketId}`,
      search: { timestamp: note.timestamp },
    })),
  )
  return <Entries read={read} entries={entries} none={t('Ninguém escreveu notas sobre este contato.')} />
}

function Ratings({ contactId }: { contactId: number }) {
  const read = useInfiniteQuery(pages(evaluations.list, { query: { contactId } }))
  const entries = (read.data?.pages ?? []).flatMap(({ ticketEvaluations: rows }) =>
    rows.map((one) => ({
      key: one.id,
      text: one.evaluation === null ? t('Sem nota') : `${one.evaluation} ${'★'.repeat(one.evaluation)}`,
      about: [t('Atendimento {id}', { id: one.ticketId }), one.user?.name, formatDateTime(one.createdAt)]
        .filter(Boolean)
        .join(' · '),
      to: `/atendimento/${one.ticketId}`,
    })),
  )
  return <Entries read={read} entries={entries} none={t('Este contato ainda não foi convidado a avaliar.')} />
}

function Schedules({ contactId }: { contactId: number }) {
  const read = useInfiniteQuery(pages(schedules.list, { query: { contactId } }))
  const entries = (read.data?.pages ?? []).flatMap(({ messages }) =>
    messages.map((one) => ({
      key: one.id,
      text: one.body || t('Arquivo'),
      about: one.scheduleDate ? t('para {at}', { at: formatDateTime(one.scheduleDate) }) : '',
      to: `/atendimento/${one.ticketId}`,
    })),
  )
  return <Entries read={read} entries={entries} none={t('Nada agendado para este contato.')} />
}

function Changes({ contactId }: { contactId: number }) {
  const read = useInfiniteQuery(pages(contacts.changes, { params: { id: contactId }, query: {} }))
  const entries = (read.data?.pages ?? []).flatMap(({ changes }) =>
    changes.map((one) => ({
      key: one.id,
      text: changeText(one),
      about: [one.userName ?? t('Sem ninguém: veio do canal ou de uma regra'), formatDateTime(one.createdAt)].join(
        ' · ',
      ),
    })),
  )
  return <Entries read={read} entries={entries} none={t('Nada foi alterado desde que este registro começou.')} />
}
