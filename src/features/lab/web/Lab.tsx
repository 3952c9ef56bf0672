import { Button, Select, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { loadOfConnection } from '#features/attendance/web/index.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { notifyError, sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { call, query } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { may } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import {
  AddIcon,
  BlockIcon,
  BroadcastIcon,
  DeleteIcon,
  DownloadIcon,
  LabIcon,
  PhoneIcon,
  RefreshIcon,
  TeamsIcon,
  TrailIcon,
} from '#web/ui/icons.ts'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { lab } from '../addresses.ts'
import type { LabPhone } from '../contract.ts'
import { AgentScreen } from './AgentScreen.tsx'
import { Devices } from './Devices.tsx'
import { removePhone, watchPhones } from './data.ts'
import { FaultPanel } from './FaultPanel.tsx'
import { groupable } from './groupable.ts'
import { LogPanel } from './LogPanel.tsx'
import css from './lab.module.css'
import { createLog } from './log.ts'
import { NewPhone } from './NewPhone.tsx'
import { saveOlder } from './older.ts'
import { Phone } from './Phone.tsx'
import { ScriptButton, ScriptStrip } from './script-bar.tsx'
import type { Hands } from './scripts.ts'
import { TurnPanel } from './TurnPanel.tsx'
import { createTrace } from './trace.ts'
import { useScript } from './use-script.ts'

const NewGroup = lazyPart(async () => (await import('./NewGroup.tsx')).NewGroup)
const ImportDialog = lazyPart(async () => (await loadOfConnection()).ImportDialog)
const GroupMembers = lazyPart(async () => (await import('./GroupMembers.tsx')).GroupMembers)

// Within its own agent screen the lab would nest endlessly.
const isFramed = window.self !== window.top

// Phones in the strip load and draw their conversations; the others stay in the list until selected.
const inStrip = 12

// Scrolls as little as needed, and not the page.
function reveal(strip: HTMLElement, phone: HTMLElement): void {
  const left = phone.offsetLeft - strip.offsetLeft
  const right = left + phone.offsetWidth - strip.clientWidth
  strip.scrollLeft = Math.min(left, Math.max(right, strip.scrollLeft))
}

/** Screen of the Laboratório de canais: virtual phones beside the real attendance screen, faults, and the log. */
export function Lab() {
  const { data, error, refetch } = useQuery(query(lab.list))
  const { phones = [], most = 0 } = data ?? {}
  const isFull = data !== undefined && phones.length >= most
  const names = useRef(new Map<number, string>())
  names.current = new Map(phones.map(({ id, name }) => [id, name]))
  const [log] = useState(createLog)
  const [trace] = useState(() => createTrace(log, (id) => names.current.get(id)?.split(' ')[0] ?? t('alguém')))
  const [activeId, setActive] = useState<number | null>(null)
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set())
  const activate = (id: number) => {
    setActive(id)
    setPicked((before) => (before.has(id) ? before : new Set(before).add(id)))
  }
  const [isAdding, setAdding] = useState(false)
  const [isGrouping, setGrouping] = useState(false)
  const [importing, setImporting] = useState<LabPhone | null>(null)
  const [managed, setManaged] = useState<number | null>(null)
  const group = phones.find(({ id }) => id === managed)
  const [ticketId, openTicket] = useState<number | null>(null)
  const hands = useRef(new Map<number, Hands>())
  const script = useScript((id) => hands.current.get(id))
  const isNarrow = useMediaQuery('(max-width: 599px)', false, { getInitialValueInEffect: false })
  const isWide = useMediaQuery('(min-width: 1024px)', true, { getInitialValueInEffect: false })
  const hasRoom = useMediaQuery('(min-width: 1280px), (min-width: 600px) and (max-width: 1023px)', true, {
    getInitialValueInEffect: false,
  })
  const strip = useRef<HTMLDivElement>(null)
  const active = phones.find(({ id }) => id === activeId) ?? phones[0]
  const shown = isNarrow && active ? [active] : phones.filter(({ id }, index) => index < inStrip || picked.has(id))
  useEffect(watchPhones, [])
  useEffect(() => trace.start(), [trace])
  const isThere = phones.some(({ id }) => id === activeId)
  useEffect(() => {
    const phone = isThere && strip.current?.querySelector<HTMLElement>(`[data-phone="${activeId}"]`)
    if (phone) reveal(strip.current as HTMLElement, phone)
  }, [activeId, isThere])

  const startOver = async (some: readonly LabPhone[]) => {
    const [one] = some
    const sure = await confirm({
      title:
        some.length === 1 && one
          ? t('Recomeçar o telefone de {name}?', { name: one.name })
          : t('Recomeçar o laboratório?'),
      text: t('As mensagens somem só da tela do telefone. Contatos e atendimentos continuam com tudo.'),
      action: t('Recomeçar'),
      tone: 'brand',
    })
    if (!sure) return
    script.stop()
    log.clear()
    await Promise.all(some.map(({ id }) => call(lab.clear, { params: { id } }))).catch(notifyError)
  }
  const remove = async (phone: LabPhone) => {
    const sure = await confirm({
      title: t('Excluir o telefone de {name}?', { name: phone.name }),
      text: t('O telefone sai do laboratório. O contato e os atendimentos dele continuam.'),
      action: t('Excluir telefone'),
    })
    if (!sure) return
    removePhone(phone.id)
    await call(lab.remove, { params: { id: phone.id } }).catch((error) => {
      notifyError(error)
      void refetch()
    })
  }
  const commandsOf = (phone: LabPhone) => [
    ...(phone.isGroup
      ? [{ id: 'members', label: t('Participantes e nome…'), icon: TeamsIcon, run: () => setManaged(phone.id) }]
      : []),
    {
      ...{ id: 'older', label: t('Guardar uma conversa antiga'), icon: TrailIcon },
      when: () => capabilitiesOf(phone.type).history,
      run: () => void saveOlder(phone, () => setImporting(phone)),
    },
    {
      ...{ id: 'import', label: t('Importar o que os telefones guardam…'), icon: DownloadIcon },
      when: () => capabilitiesOf(phone.type).history && may('messages:import'),
      run: () => setImporting(phone),
    },
    {
      ...{ id: 'opt-out', label: t('Pedir para não receber mais (SAIR)'), icon: BlockIcon },
      when: () => capabilitiesOf(phone.type).optOut,
      run: () => void hands.current.get(phone.id)?.send({ text: 'SAIR' }),
    },
    {
      ...{ id: 'ring', label: t('Ligar para a empresa'), icon: PhoneIcon },
      when: () => phone.isLinked && !phone.isGroup,
      run: () => void attempt(() => call(lab.ring, { params: { id: phone.id } }, { quiet: true })),
    },
    {
      ...{ id: 'burst', label: t('Rajada de 50 mensagens'), icon: BroadcastIcon },
      when: () => !phone.isGroup,
      run: () =>
        void attempt(() => call(lab.burst, { params: { id: phone.id }, body: { count: 50 } }, { quiet: true })),
    },
    { id: 'over', label: t('Recomeçar'), icon: RefreshIcon, run: () => void startOver([phone]) },
    {
      id: 'remove',
      label: t('Excluir telefone…'),
      icon: DeleteIcon,
      tone: 'neg' as const,
      run: () => void remove(phone),
    },
  ]

  if (error) return <LoadError text={sentence(error)} retry={refetch} />
  return (
    <Page wide>
      <PageHeader
        title={t('Laboratório de canais')}
        facts={t('Telefones virtuais, atendimento de verdade. Nada sai deste servidor.')}
        actions={
          active && (
            <>
              {!isNarrow && (
                <Button
                  variant="default"
                  leftSection={<RefreshIcon size={17} />}
                  onClick={() => void startOver(phones)}
                >
                  {t('Recomeçar')}
                </Button>
              )}
              {!isNarrow && groupable(phones).size > 0 && (
                <Button variant="default" leftSection={<TeamsIcon size={17} />} onClick={() => setGrouping(true)}>
                  {t('Novo grupo')}
                </Button>
              )}
              {!active.isGroup && !capabilitiesOf(active.type).smsParts && (
                <ScriptButton script={script} phone={active} />
              )}
              <Tooltip
                label={t('O laboratório comporta {most} telefones. Exclua um antes.', { most })}
                disabled={!isFull}
              >
                <Button
                  leftSection={<AddIcon size={17} />}
                  data-disabled={isFull || undefined}
                  aria-disabled={isFull}
                  onClick={() => !isFull && setAdding(true)}
                >
                  {t('Novo telefone')}
                </Button>
              </Tooltip>
            </>
          )
        }
      />
      <Devices phones={phones} />
      {!data && <SkeletonRows kind="card" rows={3} />}
      {data && !active && (
        <EmptyState
          title={t('Um WhatsApp para experimentar')}
          text={t('Crie um telefone virtual, escreva como se fosse o cliente e responda na tela de atendimento.')}
          step={{ label: t('Novo telefone'), run: () => setAdding(true), icon: <LabIcon size={17} /> }}
        />
      )}
      {data && active && (
        <div className={css.lab}>
          {phones.length > (hasRoom ? 2 : 1) && (
            <Select
              className={css.picker}
              aria-label={t('Telefone')}
              data={phones.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={String(active.id)}
              allowDeselect={false}
              onChange={(value) => activate(Number(value))}
            />
          )}
          <div className={css.desk}>
            <div ref={strip} className={css.phones}>
              {shown.map((phone) => (
                <Phone
                  key={phone.id}
                  phone={phone}
                  company={data.company}
                  trace={trace}
                  isActive={!isNarrow && phones.length > 1 && phone.id === active.id}
                  onActive={() => activate(phone.id)}
                  commands={commandsOf(phone)}
                  hands={(hand) => {
                    if (hand) hands.current.set(phone.id, hand)
                    else hands.current.delete(phone.id)
                  }}
                />
              ))}
            </div>
            {isWide && !isFramed && <AgentScreen log={log} ticketId={ticketId} />}
          </div>
          <ScriptStrip script={script} nameOf={(id) => names.current.get(id) ?? ''} />
          <Suspense>
            <TurnPanel log={log} />
          </Suspense>
          <div className={css.below}>
            <FaultPanel phone={active} />
            <LogPanel log={log} onTicket={openTicket} />
          </div>
        </div>
      )}
      <Suspense>
        {isGrouping && (
          <NewGroup
            phones={phones}
            of={active}
            onClose={() => setGrouping(false)}
            onMade={({ id }) => {
              setGrouping(false)
              activate(id)
            }}
          />
        )}
        {importing && (
          <ImportDialog id={importing.connectionId} name={t('Laboratório')} onClose={() => setImporting(null)} />
        )}
        {group && <GroupMembers group={group} phones={phones} onClose={() => setManaged(null)} />}
      </Suspense>
      {isAdding && (
        <NewPhone
          phones={phones}
          onClose={() => setAdding(false)}
          onMade={({ id }) => {
            setAdding(false)
            activate(id)
          }}
        />
      )}
    </Page>
  )
}
