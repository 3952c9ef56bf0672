import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import type { Macro } from '#features/macros/contract.ts'
import { runMacro } from '#features/macros/web/run.ts'
import { UseMacro } from '#features/macros/web/UseMacro.tsx'
import { type Acting, acting as store } from '#features/messages/web/acting/acting.ts'
import { chosenMessages } from '#features/messages/web/acting/chosen.ts'
import { AnswerComment } from '#features/messages/web/acts/AnswerComment.tsx'
import { ExtraDialog } from '#features/messages/web/acts/ExtraDialog.tsx'
import { ForwardDialog } from '#features/messages/web/acts/ForwardDialog.tsx'
import { ReactDialog } from '#features/messages/web/acts/ReactDialog.tsx'
import { TemplateDialog } from '#features/messages/web/acts/TemplateDialog.tsx'
import type { Moment } from '#features/messages/web/cache/thread-data.ts'
import { flowScreens } from '#features/messages/web/registries/flow-screens.ts'
import { AskVariables } from '#features/messages/web/replies/AskVariables.tsx'
import { DayDialog } from '#features/messages/web/thread/DayDialog.tsx'
import { loadForwardToColleague } from '#features/private-chat/web/index.ts'
import type { BulkArgs } from '#features/tickets/bulk-contract.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'

const InteractiveDialog = lazyPart(
  async () => (await import('#features/messages/web/interactive/InteractiveDialog.tsx')).InteractiveDialog,
)
const WhyBot = lazyPart(async () => await flowScreens().loadWhy())
const Copilot = lazyPart(async () => (await flowScreens().loadAssistants()).Copilot)

const ForwardToColleague = lazyPart(loadForwardToColleague)

const close = (): void => store.set(null)
const closeChosen = (): void => {
  chosenMessages.set(null)
  close()
}

/** Dialog of an action on a message, a non-text message, or a search. */
export function ActDialog({
  acting,
  ticket,
  onOpen,
  onShow,
}: {
  acting: Acting
  ticket: TicketDetail
  onOpen: (id: number) => void
  onShow: (moment: Moment) => void
}) {
  if (acting.what === 'day') return <DayDialog onPick={onShow} onClose={close} />
  if (acting.what === 'macro') {
    const { id, name } = acting.ticket
    const use = async (macro: Macro, args: BulkArgs) => void ((await runMacro(id, macro, args)) && close())
    return <UseMacro title={t('Usar uma macro em {name}', { name })} ticketId={id} onUse={use} onClose={close} />
  }
  if (acting.what === 'copilot') return <Copilot ticketId={ticket.id} name={ticket.name} onClose={close} />
  if (acting.what === 'template') return <TemplateDialog ticket={acting.ticket} onClose={close} />
  if (acting.what === 'interactive') return <InteractiveDialog ticket={acting.ticket} onClose={close} />
  if (acting.what === 'fill') return <AskVariables {...acting} onClose={close} />
  if (acting.ticket) return <ExtraDialog what={acting.what} ticket={acting.ticket} onClose={close} />
  if (acting.what === 'forward') {
    const several = acting.all ?? [acting.message]
    return <ForwardDialog messages={several} onOpen={onOpen} onClose={close} />
  }
  if (acting.what === 'colleague') {
    const several = (acting.all ?? [acting.message]).map(({ id }) => id)
    return <ForwardToColleague messages={several} ticketId={acting.message.ticketId} onClose={closeChosen} />
  }
  if (acting.what === 'flow') {
    const { ticketId, id } = acting.message
    return <WhyBot ticketId={ticketId} name={ticket.name} messageId={id} onClose={close} />
  }
  if (acting.what === 'comment') return <AnswerComment comment={acting.message} ticket={ticket} onClose={close} />
  // Edited in place.
  if (acting.what === 'edit') return null
  return <ReactDialog message={acting.message} onClose={close} />
}
