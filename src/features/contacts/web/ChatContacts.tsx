import { Button, TextInput } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { formatPhone } from '#domain/phone/shown.ts'
import { loadOfContact } from '#features/attendance/web/index.ts'
import { mayPeek } from '#features/tickets/web/actions/may-peek.ts'
import { sentence } from '#web/api.ts'
import { pages, query } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { BackIcon, SearchIcon, StartConversationIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { useUrlState } from '#web/url-state.ts'
import { contacts } from '../addresses.ts'
import css from './chat-contacts.module.css'
import { StartConversation } from './StartConversation.tsx'

const Peek = lazyPart(async () => (await loadOfContact()).Peek)
const OtherTickets = lazyPart(async () => (await loadOfContact()).OtherTickets)

/** Contacts in the layout of the attendance screen: the list on the left, a contact's tickets beside it. */
export function ChatContacts() {
  const [url, setUrl] = useUrlState()
  const navigate = useNavigate()
  const chosen = Number(url.contato) > 0 ? Number(url.contato) : null
  return (
    <main className={css.frame} data-chosen={chosen ?? undefined}>
      <h1 className="g-hidden">{t('Contatos')}</h1>
      <section className={css.list} aria-label={t('Lista de contatos')}>
        <header className={css.header}>
          <IconButton
            aria-label={t('Voltar aos atendimentos')}
            onClick={() => void navigate({ to: '/atendimento/chats' })}
          >
            <BackIcon size={21} />
          </IconButton>
          <h2 className="g-title">{t('Contatos')}</h2>
        </header>
        <Search value={url.busca ?? ''} onChange={(busca) => setUrl({ busca })} />
        <People search={url.busca} chosen={chosen} onChoose={(contato) => setUrl({ contato })} />
      </section>
      <div className={css.pane}>
        {chosen === null ? (
          <EmptyState
            title={t('Escolha um contato')}
            text={t('As conversas que você pode ver aparecem aqui, e daqui começa outra.')}
          />
        ) : (
          <Talks key={chosen} id={chosen} onBack={() => setUrl({ contato: undefined })} />
        )}
      </div>
    </main>
  )
}

function Search({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value)
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => onChange(text.trim()), 250)
    return () => clearTimeout(timer)
  }, [text, value, onChange])
  return (
    <TextInput
      className={css.search ?? ''}
      type="search"
      value={text}
      placeholder={t('Nome, número ou e-mail')}
      aria-label={t('Buscar contato')}
      leftSection={<SearchIcon size={17} />}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  )
}

function People(props: { search: string | undefined; chosen: number | null; onChoose: (id: number) => void }) {
  const { search, chosen, onChoose } = props
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(
    pages(contacts.list, { query: search ? { searchParam: search } : {} }),
  )
  if (error && !data) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  if (!data) return <SkeletonRows kind="ticket" />
  const people = data.pages.flatMap((page) => page.contacts)
  if (people.length === 0) return <p className={css.none}>{t('Nenhum contato encontrado.')}</p>
  return (
    <div className={css.people}>
      <ul aria-label={t('Contatos')}>
        {people.map((one) => (
          <li key={one.id}>
            <button type="button" aria-current={one.id === chosen || undefined} onClick={() => onChoose(one.id)}>
              <NameCell
                picture={
                  <Avatar id={one.id} name={one.name} src={one.profilePicUrl} channel={one.channels[0] ?? null} />
                }
                name={one.name}
                detail={formatPhone(one.number) || one.email || t('Sem número')}
              >
                {one.blocked && <Pill tone="neg">{t('Bloqueado')}</Pill>}
              </NameCell>
            </button>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" className={css.more} onClick={() => void fetchNextPage()}>
          {t('Mais contatos')}
        </button>
      )}
    </div>
  )
}

/** Contact with its tickets that the person may see: open, peek, or start another one. */
function Talks({ id, onBack }: { id: number; onBack: () => void }) {
  const { data, error, refetch } = useQuery(query(contacts.get, { params: { id } }))
  const navigate = useNavigate()
  const may = useMay()
  const [isStarting, setStarting] = useState(false)
  const [peeked, setPeeked] = useState<number | null>(null)
  const open = (ticket: number) => void navigate({ to: `/atendimento/${ticket}` })
  if (error) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  if (!data) return <SkeletonRows kind="table" rows={4} />
  return (
    <section className={css.talks} aria-label={t('Conversas com {name}', { name: data.name })}>
      <header className={css.who}>
        <IconButton className={css.back ?? ''} size={40} aria-label={t('Voltar aos contatos')} onClick={onBack}>
          <BackIcon size={21} />
        </IconButton>
        <NameCell
          picture={<Avatar id={data.id} name={data.name} src={data.profilePicUrl} size={38} />}
          name={data.name}
          detail={formatPhone(data.number) || data.email || t('Sem número')}
        />
        {may('tickets:start') && !data.blocked && (
          <Button leftSection={<StartConversationIcon size={17} />} onClick={() => setStarting(true)}>
            {t('Iniciar conversa')}
          </Button>
        )}
      </header>
      <div className={css.tickets}>
        <Suspense fallback={<SkeletonRows kind="table" rows={4} />}>
          <OtherTickets
            ticket={{ id: 0, contactId: data.id }}
            onOpen={open}
            {...(mayPeek() ? { onPeek: setPeeked } : {})}
          />
        </Suspense>
      </div>
      {isStarting && <StartConversation contact={data} onClose={() => setStarting(false)} />}
      <Suspense>
        {peeked !== null && <Peek id={peeked} doors={{ follow: open }} onClose={() => setPeeked(null)} />}
      </Suspense>
    </section>
  )
}
