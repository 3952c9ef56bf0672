import { useQuery } from '@tanstack/react-query'
import { whyTitle } from '#features/distribution/web/title.ts'
import { WhyGiven } from '#features/distribution/web/WhyGiven.tsx'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { runMacro } from '#features/macros/web/run.ts'
import { UseMacro } from '#features/macros/web/UseMacro.tsx'
import { flowScreens } from '#features/messages/web/registries/flow-screens.ts'
import { ticketRow } from '#features/messages/web/ticket/store.ts'
import type { BulkArgs } from '#features/tickets/bulk-contract.ts'
import { ticketCommands } from '#features/tickets/commands-addresses.ts'
import { explain, taking } from '#features/tickets/web/actions/actions.ts'
import type { Asking, Doors } from '#features/tickets/web/actions/doors.ts'
import { Choice } from '#features/tickets/web/asked/Choice.tsx'
import { GroupUsers } from '#features/tickets/web/asked/GroupUsers.tsx'
import { Pause } from '#features/tickets/web/asked/Pause.tsx'
import { Snooze } from '#features/tickets/web/asked/Snooze.tsx'
import { Transfer } from '#features/tickets/web/asked/Transfer.tsx'
import { runOne } from '#features/tickets/web/bulk/one.ts'
import { useConnections } from '#features/tickets/web/choices/choices.ts'
import { ClosingOne } from '#features/tickets/web/closing/closing-dialog.tsx'
import { afterwards, close } from '#features/tickets/web/closing/resolve.ts'
import { DropTargets } from '#features/tickets/web/moving/DropTargets.tsx'
import { MoveTo } from '#features/tickets/web/moving/MoveTo.tsx'
import { WhyVisible } from '#features/tickets/web/visibility/WhyVisible.tsx'
import { call, query } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Peek } from '../conversation/Peek.tsx'

const WhyBot = lazyPart(async () => await flowScreens().loadWhy())
const CallCustomer = lazyPart(async () => (await flowScreens().loadAssistants()).CallCustomer)
const TicketAssistants = lazyPart(async () => (await flowScreens().loadAssistants()).TicketAssistants)

/** Dialog of a ticket command (target, time, connection, chatbot, reason), or the “Espiar” view. */
export function Asked(props: {
  what: Asking
  id: number
  leaves: boolean | undefined
  doors: Doors
  onClose: () => void
}) {
  const { what, id, leaves, doors, onClose } = props
  const row = ticketRow(id)
  const name = row?.name ?? ''
  const connections = useConnections()
  const { data: flows } = useQuery({ ...query(ticketCommands.chatFlows), enabled: what === 'chatbot' })
  if (what === 'transfer') return <Transfer id={id} onDone={() => doors.gone(id)} onClose={onClose} />
  if (what === 'drag') return <DropTargets id={id} doors={doors} onEnd={onClose} />
  if (what === 'move') return <MoveTo id={id} doors={doors} onClose={onClose} />
  if (what === 'visibility') return <WhyVisible id={id} name={name} onClose={onClose} />
  if (what === 'distribution') return <WhyGiven id={id} title={whyTitle(row, viewer().userId)} onClose={onClose} />
  if (what === 'flow') return <WhyBot ticketId={id} name={name} onClose={onClose} />
  if (what === 'assistant') return <TicketAssistants ticketId={id} name={name} onClose={onClose} />
  if (what === 'phone-call') return <CallCustomer ticketId={id} name={name} onClose={onClose} />
  if (what === 'group') return <GroupUsers ticketId={id} name={name} onClose={onClose} />
  if (what === 'peek') return <Peek id={id} doors={doors} onClose={onClose} />
  const done = (isDone: boolean) => {
    if (!isDone) return
    onClose()
    if (leaves) doors.gone(id)
  }
  if (what === 'macro') {
    const title = t('Usar uma macro em {name}', { name })
    return (
      <UseMacro
        title={title}
        ticketId={id}
        onUse={async (macro, args) => done(await runMacro(id, macro, args))}
        onClose={onClose}
      />
    )
  }
  if (row && (what === 'resolve' || what === 'resolve-unrated')) {
    const finish = async (args: BulkArgs) => {
      if (!(await close(row, args))) return
      onClose()
      afterwards(id, doors, leaves)
    }
    return (
      <ClosingOne
        row={row}
        title={t('Resolver {name}', { name })}
        isUnrated={what === 'resolve-unrated'}
        onResolve={finish}
        onClose={onClose}
      />
    )
  }
  if (what === 'snooze') {
    const pick = async (until: string) =>
      done(await runOne(id, 'snooze', { until }, t('{name} adiado até {when}', { name, when: formatDateTime(until) })))
    return <Snooze title={t('Adiar {name}', { name })} onPick={pick} onClose={onClose} />
  }
  if (what === 'channel') {
    const pick = async (whatsappId: number) =>
      done(await runOne(id, 'channel', { whatsappId }, t('{name} continua por outro canal', { name })))
    return (
      <Choice
        title={t('Mudar o canal de {name}', { name })}
        hint={t('A conversa continua por outro canal; responsável, fila e histórico ficam.')}
        label={t('Canal')}
        missing={t('Escolha o canal.')}
        button={t('Mudar de canal')}
        rows={connections?.filter((one) => one.id !== row?.whatsappId)}
        onPick={pick}
        onClose={onClose}
      />
    )
  }
  if (what === 'chatbot') {
    const pick = async (chatFlowId: number) =>
      done(
        await tried(
          id,
          () => call(ticketCommands.toChatFlow, { params: { id }, body: { chatFlowId } }, { quiet: true }),
          t('{name} está com o chatbot', { name }),
        ),
      )
    return (
      <Choice
        title={t('Passar {name} para o chatbot', { name })}
        hint={t('O atendimento fica pendente, sem responsável nem fila, e o chatbot começa do primeiro passo.')}
        label={t('Chatbot')}
        missing={t('Escolha o chatbot.')}
        button={t('Passar para o chatbot')}
        rows={flows?.chatFlow}
        onPick={pick}
        onClose={onClose}
      />
    )
  }
  const rest = async (reason: string) =>
    done(
      await tried(
        id,
        () => call(ticketCommands.pause, { params: { id }, body: reason ? { reason } : {} }, { quiet: true }),
        t('Atendimento de {name} pausado', { name }),
      ),
    )
  return <Pause title={t('Pausar o atendimento de {name}', { name })} onPause={rest} onClose={onClose} />
}

async function tried(id: number, ask: () => Promise<TicketDetail>, title: string): Promise<boolean> {
  try {
    await taking(id, ask)
    notify({ tone: 'pos', title })
    return true
  } catch (error) {
    await explain(error)
    return false
  }
}
