import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { loadOfConnection } from '#features/attendance/web/index.ts'
import { capabilitiesOf, registersWebhook } from '#providers/channels/configs.ts'
import { attempt } from '#web/attempt.ts'
import { call, queryClient } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { isSettingOn, may } from '#web/session/permissions.ts'
import { plural, t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import {
  CheckIcon,
  ClearIcon,
  DeleteIcon,
  DoubleCheckIcon,
  DownloadIcon,
  EditIcon,
  LateIcon,
  PhotoIcon,
  RefreshIcon,
  StarIcon,
  TransferIcon,
  UnplugIcon,
} from '#web/ui/icons.ts'
import { ChannelTile } from '#web/ui/identity/ChannelTile.tsx'
import { channelLook } from '#web/ui/identity/channels.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { connections } from '../connection-addresses.ts'
import type { ConnectionRow } from '../contract.ts'
import { contactChecks } from '../provider-addresses.ts'
import { connect, explain, isLinked } from './connect.ts'
import css from './connections.module.css'
import { HealthBar } from './HealthBar.tsx'
import { needsAttention, numberOf, slowText, stateOf } from './labels.ts'

type Closes = typeof connections.closeOpen | typeof connections.closePending

const Closing = lazyPart(async () => (await loadOfConnection()).Closing)

const openText = (count: number): string =>
  count === 0 ? t('Sem atendimentos') : plural(count, t('em aberto'), t('em aberto'))

const intoSight = (card: HTMLElement | null) => card?.scrollIntoView({ block: 'nearest' })

/** Card of one connection: type, status and its primary action. */
export function ConnectionCard(props: {
  row: ConnectionRow
  queue: string
  mayWrite: boolean
  /** Whether it was just created; the card is scrolled into view. */
  isNew: boolean
  onEdit: () => void
  onImport: () => void
  onLink: () => void
  onOutages: () => void
  onMove: () => void
}) {
  const { row, queue, mayWrite, isNew, onEdit, onImport, onLink, onOutages, onMove } = props
  const { id, name, type, status, openTickets = 0 } = row
  const [busy, setBusy] = useState(false)
  const [closing, setClosing] = useState<{ operation: Closes; title: string } | null>(null)
  const { name: channel } = channelLook(type)
  const state = stateOf(row)
  const { qr, begins, history, numberCheck } = capabilitiesOf(type)
  const isCalled = registersWebhook(type)
  const isEnded = status === 'DISCONNECTED'
  const pairs = [...(row.number ? [[t('Número'), numberOf(row)] as const] : []), [t('Fila'), queue]] as const

  const start = async () => {
    setBusy(true)
    await connect(row, onLink)
    setBusy(false)
  }
  const renew = async () => {
    const sure =
      status !== 'CONNECTED' ||
      (await confirm({
        title: t('Ler um novo QR Code em “{name}”?', { name }),
        text: t('O telefone conectado hoje é desligado deste canal, e nada entra nem sai até que o código seja lido.'),
        action: t('Novo QR Code'),
      }))
    if (!sure) return
    if (await attempt(() => call(connections.renew, { params: { id } }, { quiet: true }))) onLink()
  }
  const resetWebhook = () =>
    attempt(
      () => call(connections.setWebhook, { params: { id } }, { quiet: true }).catch(explain),
      t('O provedor voltou a avisar este canal'),
    )
  const choose = () =>
    attempt(
      () => call(connections.setDefault, { body: { whatsappId: id } }, { quiet: true }),
      t('Canal padrão definido'),
    )
  const closeAll = async (operation: Closes, reasons: { reasons?: number | undefined }) => {
    const answer = await attempt(() => call(operation, { body: { whatsappId: id, ...reasons } }, { quiet: true }))
    if (answer) (await loadOfConnection()).show(answer)
    setClosing(null)
  }
  const resolveAll = async (operation: Closes, title: string) => {
    if (isSettingOn('forceReason')) return setClosing({ operation, title })
    const text = t('A pesquisa e a despedida saem como sempre, e por alguns segundos isto pode ser desfeito.')
    if (!(await confirm({ title, text, action: t('Resolver') }))) return
    await closeAll(operation, {})
  }
  const checkContacts = async () => {
    const sure = await confirm({
      title: t('Validar os contatos por “{name}”?', { name }),
      text: t('O canal diz quais números alcança: vinte por minuto, em segundo plano, para não ser bloqueado.'),
      action: t('Validar'),
    })
    if (!sure) return
    const body = { whatsappId: id }
    const answer = await attempt(() => call(contactChecks.checkAll, { body }, { quiet: true }))
    if (answer) notify({ tone: 'pos', title: plural(answer.total, t('número a validar'), t('números a validar')) })
  }
  const removePictures = async () => {
    const sure = await confirm({
      title: t('Esquecer as fotos dos contatos de “{name}”?', { name }),
      text: t('Elas deixam de aparecer e são pedidas de novo onde o canal as mostra. Nada mais dos contatos muda.'),
      action: t('Esquecer fotos'),
    })
    if (sure)
      await attempt(
        () => call(contactChecks.removePictures, { params: { id } }, { quiet: true }),
        t('Fotos dos contatos esquecidas'),
      )
  }
  const end = async () => {
    const sure = await confirm({
      title: t('Desconectar “{name}”?', { name }),
      text: t('Nada entra nem sai até que se conecte de novo. O que for enviado enquanto isso espera.'),
      action: t('Desconectar'),
    })
    if (sure) await attempt(() => call(connections.end, { params: { id } }, { quiet: true }), t('Canal desconectado'))
  }
  const remove = async () => {
    const open =
      openTickets === 0
        ? t('Não há atendimentos em aberto.')
        : openTickets === 1
          ? t('O atendimento em aberto será resolvido.')
          : t('Os {count} atendimentos em aberto serão resolvidos.', { count: openTickets })
    const sure = await confirm({
      title: t('Remover o canal “{name}”?', { name }),
      text: `${open} ${t('As conversas continuam no histórico, mas nada mais entra nem sai por aqui. O que foi preenchido é esquecido, e isto não pode ser desfeito.')}`,
      action: t('Remover canal'),
    })
    if (!sure) return
    await attempt(() => call(connections.remove, { params: { id } }, { quiet: true }), t('Canal removido'))
    // Also reloads pickers, conversations and the channel's own screen.
    void queryClient.invalidateQueries()
  }

  return (
    <li
      ref={isNew ? intoSight : undefined}
      className={css.card}
      data-attention={needsAttention(row) || undefined}
      data-new={isNew || undefined}
      aria-label={name}
    >
      <header>
        <ChannelTile type={type} />
        <div>
          <h2>
            <span className="g-cut">{name}</span>
            {row.isDefault && <StarIcon size={15} aria-label={t('Canal padrão')} className={css.star} />}
          </h2>
          <p className="g-cut">{channel}</p>
        </div>
        {mayWrite && (
          <CommandMenu
            label={t('Ações de {name}', { name })}
            commands={[
              { id: 'edit', label: t('Editar'), icon: EditIcon, run: onEdit },
              {
                ...{ id: 'import', label: t('Importar conversas…'), icon: DownloadIcon, run: onImport },
                when: () => history && !isEnded && may('messages:import'),
              },
              { id: 'outages', label: t('Quedas'), icon: LateIcon, run: onOutages },
              {
                ...{ id: 'default', label: t('Tornar padrão'), icon: StarIcon, run: () => void choose() },
                when: () => begins === 'anyone' && !row.isDefault,
              },
              { id: 'renew', label: t('Novo QR Code…'), icon: RefreshIcon, run: () => void renew(), when: () => qr },
              {
                ...{ id: 'webhook', label: t('Revalidar Webhook'), icon: RefreshIcon, run: () => void resetWebhook() },
                when: () => isCalled && !isEnded,
              },
              {
                ...{ id: 'closeOpen', label: t('Resolver abertos…'), icon: CheckIcon },
                run: () =>
                  void resolveAll(connections.closeOpen, t('Resolver os atendimentos abertos de “{name}”?', { name })),
                when: () => openTickets > 0,
              },
              {
                ...{ id: 'closePending', label: t('Resolver pendentes…'), icon: DoubleCheckIcon },
                run: () =>
                  void resolveAll(
                    connections.closePending,
                    t('Resolver os atendimentos pendentes de “{name}”?', { name }),
                  ),
                when: () => openTickets > 0,
              },
              {
                ...{ id: 'move', label: t('Transferir canal…'), icon: TransferIcon, run: onMove },
                when: () => openTickets > 0 && may('tickets:maintain'),
              },
              {
                ...{ id: 'memory', label: t('Limpar memória dos assistentes…'), icon: ClearIcon },
                when: () => may('tickets:maintain'),
                run: () => void loadOfConnection().then(({ clearMemory }) => clearMemory({ whatsappId: id }, name)),
              },
              {
                ...{
                  id: 'check',
                  label: t('Validar contatos…'),
                  icon: DoubleCheckIcon,
                  run: () => void checkContacts(),
                },
                when: () => numberCheck && status === 'CONNECTED',
              },
              {
                ...{ id: 'pictures', label: t('Esquecer fotos dos contatos…'), icon: PhotoIcon },
                run: () => void removePictures(),
              },
              { id: 'end', label: t('Desconectar…'), icon: UnplugIcon, run: () => void end(), when: () => !isEnded },
              { id: 'remove', label: t('Remover…'), icon: DeleteIcon, tone: 'neg', run: () => void remove() },
            ]}
          />
        )}
      </header>
      <p className={css.state} data-tone={state.tone}>
        {state.text}
      </p>
      {state.advice && <p className={css.advice}>{state.advice}</p>}
      {slowText(row) && <p className={css.advice}>{slowText(row)}</p>}
      {row.health && <HealthBar name={name} health={row.health} onOpen={onOutages} />}
      <dl>
        {pairs.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="g-cut">{value}</dd>
          </div>
        ))}
      </dl>
      <footer>
        <span>{openText(openTickets)}</span>
        {mayWrite &&
          (isEnded ? (
            <BusyButton variant="default" size="sm" busy={busy} doing={t('Conectando')} onClick={() => void start()}>
              {t('Conectar')}
            </BusyButton>
          ) : isLinked(type) && status !== 'CONNECTED' && status !== 'TIMEOUT' ? (
            <Button variant="default" size="sm" onClick={onLink}>
              {t('QR Code')}
            </Button>
          ) : (
            <Button variant="subtle" size="sm" onClick={onEdit}>
              {t('Editar')}
            </Button>
          ))}
      </footer>
      {closing && (
        <Suspense>
          <Closing
            title={closing.title}
            asks="reason"
            onResolve={({ reasons }) => closeAll(closing.operation, { reasons })}
            onClose={() => setClosing(null)}
          />
        </Suspense>
      )}
    </li>
  )
}
