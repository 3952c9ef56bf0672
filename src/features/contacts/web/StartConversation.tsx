import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { connectionList } from '#features/connections/addresses.ts'
import type { ConnectionRow } from '#features/connections/contract.ts'
import { tickets } from '#features/conversations/addresses.ts'
import { loadBeginWithTemplate } from '#features/conversations/web/index.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { isApiError, sentence } from '#web/api.ts'
import { call, query } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { openingProblem } from '#web/opening-problem.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { channelLook } from '#web/ui/identity/channels.ts'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import type { ContactRow } from '../contract.ts'
import css from './contacts.module.css'

const BeginWithTemplate = lazyPart(loadBeginWithTemplate)

type Contact = Pick<ContactRow, 'id' | 'name' | 'number' | 'channels'>

/** Why a conversation cannot begin on this connection; null when it can. */
function obstacle(connection: ConnectionRow, contact: Contact): string | null {
  if (!connection.isAllowed) return t('Você não atende por este canal')
  if (connection.status !== 'CONNECTED') return t('Sem conexão')
  if (contact.channels.includes(connection.type)) return null
  if (capabilitiesOf(connection.type).begins === 'contact') return t('O contato nunca escreveu por este canal')
  return contact.number ? null : t('O contato não tem número')
}

/**
 * Asks for the channel and opens the conversation; one that is open already is offered instead of a second one. Where nobody
 * may write freely it begins with a template.
 */
export function StartConversation({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const list = useQuery(query(connectionList.list))
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [closed, setClosed] = useState<number | null>(null)
  const open = (id: number) => void navigate({ to: `/atendimento/${id}` })

  const start = async (connection: ConnectionRow) => {
    setBusy(true)
    try {
      const body = { contactId: contact.id, whatsappId: connection.id, status: 'open' as const }
      open((await call(tickets.create, { body }, { quiet: true })).id)
    } catch (error) {
      setBusy(false)
      if (isApiError(error) && error.code === 'ERR_WINDOW_CLOSED') return setClosed(connection.id)
      const ticket = isApiError(error) ? (error.details.ticket as Partial<{ id: number; username: string }>) : undefined
      notify({
        tone: 'warn',
        title: openingProblem(error),
        ...(ticket?.username ? { text: t('Quem atende: {username}.', { username: ticket.username }) } : {}),
        ...(ticket?.id ? { action: { label: t('Abrir'), run: () => open(ticket.id as number) } } : {}),
      })
      onClose()
    }
  }

  if (closed !== null)
    return (
      <Suspense>
        <BeginWithTemplate contactId={contact.id} whatsappId={closed} onOpen={open} onClose={onClose} />
      </Suspense>
    )
  const offered = (list.data?.connections ?? [])
    .map((connection) => ({ connection, reason: obstacle(connection, contact) }))
    .sort((a, b) => Number(a.reason !== null) - Number(b.reason !== null))
  return (
    <Modal opened onClose={onClose} size={420} padding={24} title={t('Iniciar conversa')}>
      <p className={css.hint}>{t('Selecione o canal para falar com {name}.', { name: contact.name })}</p>
      {list.isPending && <SkeletonRows kind="table" rows={2} />}
      {list.isError && <LoadError text={sentence(list.error)} retry={() => void list.refetch()} />}
      {list.data && offered.length === 0 && <p className={css.hint}>{t('Nenhum canal foi criado ainda.')}</p>}
      <ul className={css.channels}>
        {offered.map(({ connection, reason }) => {
          const look = channelLook(connection.type)
          return (
            <li key={connection.id}>
              <button type="button" disabled={busy || reason !== null} onClick={() => void start(connection)}>
                <NameCell
                  picture={
                    <span className={css.tile} style={{ color: look.color }}>
                      <look.Icon size={19} />
                    </span>
                  }
                  name={connection.name}
                  detail={reason ?? look.name}
                />
              </button>
            </li>
          )
        })}
      </ul>
    </Modal>
  )
}
