import { Modal, MultiSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatPhone } from '#domain/phone/shown.ts'
import { tickets } from '#features/ledger/addresses.ts'
import { membersOf } from '#features/messages/web/mentions/members.ts'
import { useTicket } from '#features/messages/web/ticket/ticket.ts'
import { sentence } from '#web/api.ts'
import { call } from '#web/client.ts'
import { may } from '#web/session/permissions.ts'
import { plural, t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { explain, taking } from '../actions/actions.ts'
import { useColleagues } from '../choices/choices.ts'
import own from './ticket-acts.module.css'

/** Dialog of a group's members, admins first, and of the team members who see its conversation. */
export function GroupUsers(props: { ticketId: number; name: string; onClose: () => void }) {
  const { ticketId, name, onClose } = props
  const { data, error, refetch } = useQuery({ ...membersOf(ticketId), staleTime: 0 })
  const all = data?.participants ?? []
  return (
    <Modal opened onClose={onClose} size={440} title={t('Usuários do Grupo')}>
      <Viewers ticketId={ticketId} />
      <h3 className={own.title}>
        {data ? t('{name}: {count}', { name, count: plural(all.length, t('participante'), t('participantes')) }) : name}
      </h3>
      {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="ticket" rows={4} />}
      <ul className={own.members}>
        {all.map(({ userId, name: member, number, isAdmin }) => (
          <li key={userId}>
            <Avatar id={userId} name={member} size={34} />
            <span className={own.member}>
              <b className="g-cut">{member}</b>
              {number && <span className="g-cut">{formatPhone(number)}</span>}
            </span>
            {isAdmin && <Pill tone="brand">{t('administra')}</Pill>}
          </li>
        ))}
      </ul>
    </Modal>
  )
}

// Users who see the group besides its owner: decision A4.
function Viewers({ ticketId }: { ticketId: number }) {
  const { ticket } = useTicket(ticketId)
  const colleagues = useColleagues()
  const [busy, setBusy] = useState(false)
  if (!ticket || !colleagues || !may('tickets:write')) return null
  const save = async (ids: string[]) => {
    setBusy(true)
    try {
      await taking(ticketId, () =>
        call(
          tickets.update,
          { params: { id: ticketId }, body: { groupUserIdArray: ids.map(Number) } },
          { quiet: true },
        ),
      )
      notify({ tone: 'pos', title: t('Acesso ao grupo salvo') })
    } catch (error) {
      await explain(error)
    }
    setBusy(false)
  }
  return (
    <MultiSelect
      label={t('Quem da equipe vê este grupo')}
      description={t(
        'Além de quem o atende. Em branco, só quem atende, ou os administradores enquanto ninguém atende.',
      )}
      searchable
      disabled={busy}
      data={colleagues.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={(ticket.groupUserIdArray ?? []).map(String)}
      onChange={(ids) => void save(ids)}
    />
  )
}
