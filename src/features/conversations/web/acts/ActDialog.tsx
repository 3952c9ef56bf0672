import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import type { BulkArgs } from '../../bulk-contract.ts'
import type { Macro } from '../../macros-contract.ts'
import type { TicketDetail } from '../../ticket-rows.ts'
import { AskVariables } from '../composer/AskVariables.tsx'
import { flowScreens } from '../flow-screens.ts'
import { runMacro } from '../macros/run.ts'
import { UseMacro } from '../macros/UseMacro.tsx'
import { DayDialog } from '../thread/DayDialog.tsx'
import type { Moment } from '../thread/thread-data.ts'
import { AnswerComment } from './AnswerComment.tsx'
import type { Acting } from './acting.ts'
import { acting as store } from './acting.ts'
import { ExtraDialog } from './ExtraDialog.tsx'
import { ForwardDialog } from './ForwardDialog.tsx'
import { ReactDialog } from './ReactDialog.tsx'
import { TemplateDialog } from './TemplateDialog.tsx'

const InteractiveDialog = lazyPart(async () => (await import('./interactive/InteractiveDialog.tsx')).InteractiveDialog)
const WhyBot = lazyPart(async () => await flowScreens().loadWhy())

const close = (): void => store.set(null)

/** The dialog of what somebody is about to do with a message, to send that is no text, or to look for. */
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
  if (acting.what === 'template') return <TemplateDialog ticket={acting.ticket} onClose={close} />
  if (acting.what === 'interactive') return <InteractiveDialog ticket={acting.ticket} onClose={close} />
  if (acting.what === 'fill') return <AskVariables {...acting} onClose={close} />
  if (acting.ticket) return <ExtraDialog what={acting.what} ticket={acting.ticket} onClose={close} />
  if (acting.what === 'forward') {
    const several = acting.all ?? [acting.message]
    return <ForwardDialog messages={several} onOpen={onOpen} onClose={close} />
  }
  if (acting.what === 'flow') {
    const { ticketId, id } = acting.message
    return <WhyBot ticketId={ticketId} name={ticket.name} messageId={id} onClose={close} />
  }
  if (acting.what === 'comment') return <AnswerComment comment={acting.message} ticket={ticket} onClose={close} />
  // It is changed where it stands.
  if (acting.what === 'edit') return null
  return <ReactDialog message={acting.message} onClose={close} />
}
