import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { formatPhone } from '#domain/phone/shown.ts'
import { tickets } from '#features/ledger/addresses.ts'
import type { Reached } from '#features/messages/reach-fields.ts'
import { contactScreens } from '#features/messages/web/registries/contact-screens.ts'
import { explain, take } from '#features/tickets/web/actions/actions.ts'
import { isApiError, sentence } from '#web/api.ts'
import { call, query } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { openingProblem } from '#web/opening-problem.ts'
import { may } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import css from '#web/ui/feedback/dialogs.module.css'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { ChevronRightIcon } from '#web/ui/icons.ts'
import { channelLook } from '#web/ui/identity/channels.ts'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { BeginWithTemplate, type Receiver } from './BeginWithTemplate.tsx'
import ways from './new-conversation.module.css'

const ContactChoice = lazyPart(async () => await contactScreens().loadChoice())

type Way = Reached['ways'][number]

/**
 * “Iniciar conversa” dialog: a contact or typed number, and a channel that reaches it. Opens the existing ticket instead of
 * creating a second one. `contact` preselects the receiver.
 */
export function NewConversation(props: { contact?: Receiver; onOpen: (id: number) => void; onClose: () => void }) {
  const { contact, onOpen, onClose } = props
  const [to, setTo] = useState<Receiver | null>(contact ?? null)
  const [closed, setClosed] = useState<number | null>(null)
  if (to && closed !== null) return <BeginWithTemplate {...{ to, whatsappId: closed, onOpen, onClose }} />
  return (
    <Modal opened onClose={onClose} size={480} title={t('Iniciar conversa')}>
      <div className={css.form}>
        {to === null ? (
          <Suspense fallback={<SkeletonRows kind="table" rows={4} />}>
            <ContactChoice
              chosen={null}
              onChoose={(contactId, name) => setTo({ contactId, name })}
              onNumber={(number) => setTo({ number })}
            />
          </Suspense>
        ) : (
          <Ways
            to={to}
            onBack={contact ? null : () => setTo(null)}
            onTemplate={setClosed}
            onOpen={(id) => {
              onClose()
              onOpen(id)
            }}
            onClose={onClose}
          />
        )}
      </div>
    </Modal>
  )
}

/** Channels that reach a receiver; a click opens the conversation there. */
function Ways(props: {
  to: Receiver
  onBack: (() => void) | null
  onTemplate: (whatsappId: number) => void
  onOpen: (id: number) => void
  onClose: () => void
}) {
  const { to, onBack, onTemplate, onOpen, onClose } = props
  const who = 'contactId' in to ? { contactId: to.contactId } : { number: to.number }
  const { data, error, refetch } = useQuery({ ...query(tickets.reach, { query: who }), staleTime: 0 })
  const [busy, setBusy] = useState<number | null>(null)
  const begin = async ({ id: whatsappId, ticket }: Way) => {
    if (ticket?.isVisible) return onOpen(ticket.id)
    setBusy(whatsappId)
    try {
      const begun = await call(tickets.begin, { body: { ...who, whatsappId } }, { quiet: true })
      take(begun.ticket)
      onOpen(begun.ticket.id)
    } catch (problem) {
      const code = isApiError(problem) ? problem.code : ''
      if (code === 'ERR_WINDOW_CLOSED') return onTemplate(whatsappId)
      if (code === 'ERR_OTHER_OPEN_TICKET') await explain(problem, onOpen)
      else notify({ tone: 'warn', title: openingProblem(problem) })
      setBusy(null)
    }
  }
  if (error) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  if (!data) return <SkeletonRows kind="table" rows={3} />
  if (data.ways.length === 0) return <NoChannel onClose={onClose} />
  const name = data.contact?.name ?? ('name' in to ? to.name : formatPhone(data.number))
  const open = data.ways.filter(({ obstacle, ticket }) => obstacle === null || ticket !== null)
  const others = data.ways.filter((way) => !open.includes(way))
  const firstFree = data.ways.find(({ obstacle }) => obstacle === null)?.id
  const row = (way: Way) => (
    <WayRow
      key={way.id}
      way={way}
      takesFocus={way.id === firstFree}
      isBusy={busy !== null}
      onBegin={() => void begin(way)}
    />
  )
  return (
    <>
      <p className={ways.hint}>
        {data.contact || 'name' in to
          ? t('Selecione o canal para falar com {name}.', { name })
          : t('{number} ainda não é um contato: passa a ser quando você escrever. Por qual canal?', { number: name })}
      </p>
      <ul className={ways.list}>{open.map(row)}</ul>
      {others.length > 0 && (
        <details className={ways.others} open={open.length === 0}>
          <summary>{t('Outros canais: {count}', { count: others.length })}</summary>
          <ul className={ways.list}>{others.map(row)}</ul>
        </details>
      )}
      {firstFree === undefined && <p className={ways.hint}>{t('Nenhum canal alcança {name} agora.', { name })}</p>}
      {onBack && <BackToPeople onBack={onBack} />}
    </>
  )
}

function NoChannel({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const step = {
    label: t('Conectar um canal'),
    run: () => {
      onClose()
      void navigate({ to: '/sessoes' })
    },
  }
  return (
    <EmptyState
      title={t('Nenhum canal ainda')}
      text={
        may('connections:write')
          ? t('Conecte um canal para escrever aos seus contatos.')
          : t('Quem administra a empresa precisa conectar um canal antes.')
      }
      {...(may('connections:write') && { step })}
    />
  )
}

function BackToPeople({ onBack }: { onBack: () => void }) {
  return (
    <div className={css.footer}>
      <Button variant="default" onClick={onBack}>
        {t('Escolher outra pessoa')}
      </Button>
    </div>
  )
}

function WayRow(props: { way: Way; takesFocus: boolean; isBusy: boolean; onBegin: () => void }) {
  const { way, takesFocus, isBusy, onBegin } = props
  const look = channelLook(way.type)
  return (
    <li>
      <button
        type="button"
        ref={takesFocus ? takeFocus : undefined}
        disabled={isBusy || (way.obstacle !== null && way.ticket === null)}
        onClick={onBegin}
      >
        <NameCell
          picture={
            <span className={ways.tile} style={{ color: look.color }}>
              <look.Icon size={19} />
            </span>
          }
          name={way.name}
          detail={detailOf(way, look.name)}
        />
        <ChevronRightIcon size={16} />
      </button>
    </li>
  )
}

// Only once, so that a later focus stays.
const takeFocus = (button: HTMLButtonElement | null): void => {
  if (button && !button.closest('[role="dialog"]')?.contains(document.activeElement)) button.focus()
}

const obstacles = {
  forbidden: t('Você não atende por este canal'),
  away: t('Sem conexão'),
  unreached: t('Não alcança este contato'),
} as const

function detailOf({ obstacle, ticket }: Way, type: string): string {
  if (ticket)
    return ticket.username
      ? t('Atendimento aberto · {name}', { name: ticket.username })
      : t('Atendimento aberto · sem responsável')
  return obstacle ? obstacles[obstacle] : type
}
