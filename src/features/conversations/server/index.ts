import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { settings } from '../settings.ts'
import { refuseJob } from './calls/refuse.ts'
import { closeQuiet } from './closing/auto-close.ts'
import { followDistribution } from './distribution/follow.ts'
import { distributionRoutes } from './distribution/routes.ts'
import { groupRoutes } from './groups/routes.ts'
import { importJob } from './history/import.ts'
import { historyRoutes, timesJob } from './history/imports.ts'
import { hookJob } from './hooks.ts'
import { recoverIngest, resumeIngest, stopIngest } from './ingest/ingest.ts'
import { linkCardJob } from './links/cards.ts'
import { macroRoutes } from './macros/macros.ts'
import { downloadJob, recoverDownloads } from './media/download.ts'
import { showFormatted } from './messages/formatted.ts'
import { lookerOf, readJob } from './messages/presence.ts'
import { messageRoutes } from './messages/routes.ts'
import { sendJob, stopJob } from './outbox/outbox.ts'
import { recoverSends, resumeJob } from './outbox/wake.ts'
import { reconcileJob } from './persons/persons.ts'
import { dueJob, recoverDue } from './schedules/release.ts'
import { scheduleRoutes } from './schedules/schedule.ts'
import { followClocks } from './sla/follow.ts'
import { ticketBulkRoutes } from './tickets/bulk.ts'
import { ticketCommandRoutes } from './tickets/commands.ts'
import { mendJob } from './tickets/mend.ts'
import { notificationRoutes } from './tickets/notifications.ts'
import { ticketRoutes } from './tickets/routes.ts'
import { wakeJob } from './tickets/snooze.ts'
import { ticketViewRoutes } from './views/views.ts'
import { writtenRoutes } from './written/written.ts'

export { removeWaitingActs } from './acts/queries.ts'
export {
  adapterOf,
  answerWithin,
  type ChannelConversation,
  type OutboxSender,
  provideChannels,
  stopConnection,
} from './channels.ts'
export { closeQuiet, sendFarewell } from './closing/auto-close.ts'
export { closeByKeyword } from './closing/close-keywords.ts'
export { isOffered } from './closing/queries.ts'
export {
  type ContactBook,
  type KnownContact,
  registerContactBook,
  type Sender,
  type StagePosition,
} from './contact-book.ts'
export {
  beginContinuation,
  type Continuation,
  noteContinuation,
  withdrawContinuation,
} from './continuation/continuation.ts'
export { candidatesOf, walletsRule } from './distribution/people.ts'
export { lockDistribution, noteTurns } from './distribution/queries.ts'
export { registerStaff } from './distribution/staff.ts'
export { groupUsersOf, setGroupUsers } from './groups/users.ts'
export { publishRefresh } from './history/progress.ts'
export { type Hook, type HookCause, type HookItem, type Hooks, registerHooks } from './hooks.ts'
export { type Delay, EVERYBODY, listDelays, onDelays } from './ingest/delays.ts'
export { ingestIdle, wakeIngest } from './ingest/ingest.ts'
export { type LedgerTicket, ledgerFacts, lockLedgerTicket, lockLedgerTickets } from './ingest/ingest-queries.ts'
export { appendEvents, hasRoom, isBehind, receive } from './ingest/journal.ts'
export { releaseEvents, removeJournal, removeProcessed } from './ingest/journal-queries.ts'
export { removeCards } from './links/queries.ts'
export { describeActions, requireNamed } from './macros/macros.ts'
export { forgetMacros, namesOf } from './macros/queries.ts'
export { ledgerOf } from './messages/ledger.ts'
export { readReceipts, receivePresence } from './messages/presence.ts'
export { removeTrail } from './messages/queries.ts'
export { filledIn, sendSystemMessages } from './messages/system-message.ts'
export { findSubjects } from './messages/system-message-queries.ts'
export { writeToContacts } from './messages/to-contacts.ts'
export { type MessageDraft, writeMessages } from './messages/write.ts'
export { endAutomatic, leaveToPeople } from './outbox/end-automatic.ts'
export { conversationsOf, enqueueSending, findSent, sendTurn, stopJob } from './outbox/outbox.ts'
export { resumeSending } from './outbox/wake.ts'
export { followPersons } from './persons/persons.ts'
export { lockIngest, pairsOf } from './persons/queries.ts'
export { forgetConversations, forgetMessages, forgetTrail, messagesToForget } from './persons/queries-forget.ts'
export { enqueueDue } from './schedules/due.ts'
export { adoptSchedules, countScheduled } from './schedules/schedule.ts'
export { registerTemplates } from './templates.ts'
export { type KnownTicket, lockTicket, requireVisible, visibleSql } from './tickets/access.ts'
export { performerOf, refusalOf } from './tickets/actions.ts'
export { type AssistantSwitch, switchAssistants } from './tickets/assistants.ts'
export { startClosing, startClosingOf, ticketsKind } from './tickets/bulk.ts'
export { closeUnattended, moveUnattended } from './tickets/change.ts'
export { decideNext } from './tickets/decide-next.ts'
export { endWindow } from './tickets/end-window.ts'
export { inList } from './tickets/list.ts'
export { mergeTagsOfTickets } from './tickets/merge-tags.ts'
export { notifyReceivers } from './tickets/notifications.ts'
export { notifyReplay } from './tickets/notify-replay.ts'
export { announcingTickets } from './tickets/of-contact.ts'
export { changeTags, ticketsById } from './tickets/queries-bulk.ts'
export { setWaiting } from './tickets/queries-change.ts'
export { findSession, saveFlowPositions, saveSession } from './tickets/queries-commands.ts'
export { openTicketsByConnection } from './tickets/queries-connections.ts'
export { contactsShownAs, searchContacts } from './tickets/queries-list.ts'
export { followedNews } from './tickets/queries-notifications.ts'
export { forgetColleague } from './tickets/queries-reassign.ts'
export { leaveStage, liveTickets } from './tickets/queries-stage.ts'
export { findLostTickets } from './tickets/queries-visibility.ts'
export { closeTicketsOfConnection, moveTicketsOfQueue, releaseTicketsOf } from './tickets/reassign.ts'
export { liveTicketsOf, removeTicketsOf, surveyTicketsOf } from './tickets/removal.ts'
export { copyStages } from './tickets/stage.ts'
export { findTarget } from './tickets/targets.ts'
export { actUnattended } from './tickets/unattended.ts'
export { forgetViews } from './views/queries.ts'

const RECOVER_EVERY_MS = 5000
const CLOSE_EVERY_MS = 60_000
/** So often it is tried again to let leave what could not at its time. */
const DUE_RECOVERY_MS = 3000
const OVERDUE_MS = 1000
const RECOVER_SENDS_EVERY_MS = 300_000
/** Longer than the longest wait between two attempts. */
const SEND_UNTOUCHED_MS = 600_000

/** Tickets and what is said in them: the operations on both, what concerns a person, and the ledger behind them. */
export const conversationsFeature: Feature = {
  name: 'conversations',
  titles: {
    tickets: 'Atendimentos',
    ticketCommands: 'Comandos de atendimentos',
    ticketsBulk: 'Atendimentos em lote',
    messages: 'Mensagens',
    groups: 'Grupos',
    schedules: 'Mensagens agendadas',
    history: 'Importação de conversas',
    notifications: 'Sino: menções e transferências',
    ticketViews: 'Visões salvas dos atendimentos',
    macros: 'Macros',
    ticketNotes: 'Notas internas',
    ticketProtocols: 'Protocolos',
    distribution: 'Distribuição',
  },
  settings,
  permissions,
  errors,
  routes: [
    ...ticketRoutes,
    ...ticketCommandRoutes,
    ...ticketBulkRoutes,
    ...notificationRoutes,
    ...messageRoutes,
    ...groupRoutes,
    ...scheduleRoutes,
    ...historyRoutes,
    ...ticketViewRoutes,
    ...macroRoutes,
    ...writtenRoutes,
    ...distributionRoutes,
  ],
  constraints: {
    tickets_one_open: 'ERR_OTHER_OPEN_TICKET',
    tickets_one_line: 'ERR_OTHER_OPEN_TICKET',
    tickets_one_person: 'ERR_OTHER_OPEN_TICKET',
  },
  jobs: [
    ...[sendJob, readJob, hookJob, wakeJob, mendJob, dueJob, importJob, timesJob, linkCardJob],
    ...[downloadJob, reconcileJob, refuseJob, resumeJob, stopJob],
  ],
  attach(platform, { io, http }) {
    showFormatted(platform, http)
    // Who is looking at which ticket: told by the browser, kept nowhere.
    io.on('connection', (socket) => {
      const { tenantId, userId } = socket.data as { tenantId: number; userId: number }
      const lookAt = lookerOf(platform, { tenantId, userId })
      socket.on(`${tenantId}:joinChatBox`, (ticketId: unknown) =>
        lookAt(typeof ticketId === 'number' ? ticketId : null),
      )
      socket.on('disconnect', () => lookAt(null))
    })
  },
  async start(platform) {
    const carefully = (work: () => Promise<void>) => () =>
      work().catch((err) => platform.log.warn({ err }, 'recovery failed'))
    const recover = carefully(() => recoverIngest(platform))
    await recover()
    const resume = carefully(() => resumeIngest(platform))
    platform.bus.onMissed((state) => state === 'recovered' && void resume())
    await carefully(() => recoverSends(platform, 0))()
    const stopFollowing = [await followDistribution(platform), await followClocks(platform)]
    const timers = [
      setInterval(recover, RECOVER_EVERY_MS),
      ...(plays(platform.env, 'worker')
        ? [
            setInterval(
              carefully(() => closeQuiet(platform)),
              CLOSE_EVERY_MS,
            ),
            setInterval(
              carefully(() => recoverDue(platform, OVERDUE_MS)),
              DUE_RECOVERY_MS,
            ),
            setInterval(
              carefully(() => recoverDownloads(platform)),
              RECOVER_SENDS_EVERY_MS,
            ),
          ]
        : []),
      setInterval(
        carefully(() => recoverSends(platform, SEND_UNTOUCHED_MS)),
        RECOVER_SENDS_EVERY_MS,
      ),
    ]
    return async () => {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(stopFollowing.map((stop) => stop()))
      await stopIngest(platform)
    }
  },
}
