import { includes } from '#domain/access/plan.ts'
import { answering, beginningWith, type Chosen, mayAnswer } from '#domain/assistants/choice.ts'
import type { TicketAssistant } from '#domain/tickets/assistants.ts'
import { openAt } from '#features/hours/server/index.ts'
import type { Hook, HookItem } from '#features/ledger/server/hooks/index.ts'
import { findMachines } from '#features/ledger/server/texts/index.ts'
import { lockLedgerTickets } from '#features/ledger/server/ticket/index.ts'
import { type AssistantSwitch, switchAssistants } from '#features/tickets/server/change/index.ts'
import { isOn } from '#kit/settings.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Ctx } from '#server/context.ts'
import { listAccounts, type StoredAccount } from '#server/providers/queries.ts'
import { KIND } from './accounts.ts'
import { toPeople } from './hand-over.ts'
import { everywhereBy, permittedBy } from './permitted.ts'
import { transcribingConnections } from './queries-transcripts.ts'
import {
  beginTurns,
  cancelTurns,
  findSituations,
  isNobodyOnline,
  type NewTurn,
  noteMore,
  type SituationRow,
} from './queries-turns.ts'
import { nudgeTurns } from './runner.ts'
import { hasEffects, isOffWord, situationOf } from './situation.ts'
import { transcribeJob } from './transcribe.ts'

type Item = HookItem<'onMessageSent'>

/** Time after which a session without refresh counts as unseen; an open browser refreshes every quarter of an hour. */
const UNSEEN_MS = 20 * 60_000

const isCustomers = ({ fromMe, isNote, isLate, isGroup, isClosed }: Item): boolean =>
  !fromMe && !isNote && !isLate && !isGroup && !isClosed
const isPersons = ({ fromMe, isNote, isAutomatic, isGroup }: Item): boolean =>
  fromMe && !isNote && !isAutomatic && !isGroup

/**
 * Hook that has assistants answer customers' messages: begins a turn, or records more text for a pending one. A person's
 * message cancels turns. Without permitted assistants the database is not queried.
 */
export const attendByAssistant: Hook<'onMessageSent'> = {
  name: 'assistants',
  concerns: (item) => isCustomers(item) || isPersons(item),
  run: async (ctx, batch) => {
    await listen(ctx, batch.filter(isCustomers))
    const permitted = permittedBy(ctx.settings)
    if (permitted.size === 0) return {}
    const persons = [...new Set(batch.filter(isPersons).map(({ ticketId }) => ticketId))]
    if (persons.length > 0) await cancelTurns(ctx.db, persons, ctx.now)
    const written = batch.filter(isCustomers)
    if (written.length === 0) return {}
    return { attends: await attend(ctx, written, permitted) }
  },
}

/** Schedules transcriptions of customers' recordings on connections that have them enabled. */
async function listen(ctx: Ctx, items: readonly Item[]): Promise<void> {
  const wordless = items.filter(({ text, connectionId }) => text === '' && connectionId > 0)
  if (wordless.length === 0 || !includes(ctx.settings.plan, 'assistants')) return
  const on = await transcribingConnections(ctx.db, [...new Set(wordless.map(({ connectionId }) => connectionId))])
  const tickets = new Set(wordless.flatMap(({ ticketId, connectionId }) => (on.has(connectionId) ? [ticketId] : [])))
  for (const ticketId of tickets) ctx.enqueue(transcribeJob, { ticketId, tries: 0 })
}

async function attend(ctx: Ctx, items: readonly Item[], permitted: ReadonlySet<TicketAssistant>): Promise<Set<number>> {
  const ids = [...new Set(items.map(({ ticketId }) => ticketId))]
  await lockLedgerTickets(ctx.db, ids)
  const situations = await findSituations(ctx.db, ids)
  // Automatic mails and lists are not answered: two machines could answer each other endlessly.
  const threads = items.flatMap(({ ticketId, channel }) =>
    channel && capabilitiesOf(channel).threads ? [ticketId] : [],
  )
  const ofMachines = threads.length > 0 ? await findMachines(ctx.db, threads) : new Set()
  const accounts = (await listAccounts(ctx.db, KIND)).filter((one) => one.is_active)
  const isOpenBy = openAt(ctx.settings, ctx.now)
  const switched: AssistantSwitch[] = []
  const turns: NewTurn[] = []
  const attended = new Set<number>()
  for (const ticketId of ids) {
    const row = situations.get(ticketId)
    if (!row || ofMachines.has(ticketId)) continue
    const situation = situationOf(ctx, row)
    if (!mayAnswer(situation)) continue
    const chosen = chosenOf(row, accounts)
    const begins = row.isByAgent
      ? null
      : beginningWith(situation, chosen, { permitted, everywhere: withAccounts(everywhereBy(ctx.settings), accounts) })
    const switches = begins === null ? row.switches : { ...row.switches, [begins]: true }
    const isAway =
      chosen.when === 'away' &&
      (await isNobodyOnline(ctx.db, row.queueId ?? row.connectionQueueId, new Date(ctx.now.getTime() - UNSEEN_MS)))
    const name = answering(switches, permitted, chosen, { isOpen: isOpenBy(row.connectionId), isAway })
    if (name === null) continue
    const account = accountFor(name, row, accounts)
    if (!account) continue
    if (items.some((item) => item.ticketId === ticketId && isOffWord(item.text, account))) {
      await cancelTurns(ctx.db, [ticketId], ctx.now)
      const off = { ...NOTHING_ON(switches), failed: null }
      switched.push({ ticketId, switches: off, log: { type: 'assistantOff', reason: 'O cliente pediu uma pessoa.' } })
      await toPeople(ctx, ticketId, row)
      continue
    }
    if (begins !== null)
      switched.push({ ticketId, switches: { [begins]: true }, log: { type: 'assistantOn', reason: account.name } })
    attended.add(ticketId)
    const waitSeconds = Number(account.config['waitSeconds'] ?? 2)
    const dueAt = new Date(ctx.now.getTime() + waitSeconds * 1000)
    turns.push({ id: ctx.newId(), ticketId, accountId: account.id, provider: account.provider, dueAt })
  }
  await switchAssistants(ctx, switched)
  if (turns.length > 0) await begin(ctx, turns)
  return attended
}

/**
 * Begins turns. A message that arrives during an answer restarts its turn with the new text; if the turn has side effects,
 * the message waits instead.
 */
async function begin(ctx: Ctx, turns: readonly NewTurn[]): Promise<void> {
  const underWay = await noteMore(
    ctx.db,
    turns.map(({ ticketId }) => ticketId),
  )
  const waits = isOn(ctx.settings, 'waitProcessExternalInteraction')
  const added = turns.filter(({ ticketId }) => {
    const provider = underWay.get(ticketId)
    return provider === undefined || waits || hasEffects(provider)
  })
  await beginTurns(ctx.db, added, ctx.now)
  const first = Math.min(...turns.map(({ dueAt }) => dueAt.getTime()))
  ctx.afterCommit(() => nudgeTurns(ctx.platform, first))
}

const chosenOf = ({ accountId, when, firstTicketOnly }: SituationRow, accounts: readonly StoredAccount[]): Chosen => {
  const account = accounts.find(({ id }) => id === accountId)
  return { assistant: (account?.provider as TicketAssistant | undefined) ?? null, when, firstTicketOnly }
}

const withAccounts = (names: ReadonlySet<TicketAssistant>, accounts: readonly StoredAccount[]): Set<TicketAssistant> =>
  new Set([...names].filter((name) => accounts.some(({ provider }) => provider === name)))

/** Returns the account that an assistant answers with in a ticket: the connection's, else its provider's default, else any. */
export function accountFor(
  name: TicketAssistant,
  { accountId }: Pick<SituationRow, 'accountId'>,
  accounts: readonly StoredAccount[],
): StoredAccount | undefined {
  const own = accounts.filter(({ provider }) => provider === name)
  return own.find(({ id }) => id === accountId) ?? own.find((one) => one.is_default) ?? own[0]
}

const NOTHING_ON = (switches: Readonly<Record<string, unknown>>): Record<string, boolean> =>
  Object.fromEntries(Object.keys(switches).map((name) => [name, false]))

/** Hook that switches assistants off and cancels turns in closed tickets. */
export const endAssistants: Hook<'onClosed'> = {
  name: 'assistants-at-closing',
  run: async (ctx, batch) => {
    if (permittedBy(ctx.settings).size === 0) return {}
    const ids = batch.map(({ ticketId }) => ticketId)
    await cancelTurns(ctx.db, ids, ctx.now)
    const situations = await findSituations(ctx.db, ids)
    const on = [...situations.values()].filter(({ switches }) => Object.values(switches).includes(true))
    await switchAssistants(
      ctx,
      on.map(({ ticketId, switches }) => ({ ticketId, switches: { ...NOTHING_ON(switches), failed: null } })),
    )
    return {}
  },
}
