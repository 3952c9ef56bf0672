import { openTime } from '#domain/calendar/open-time.ts'
import { lastOf, lookUp } from '#domain/present.ts'
import {
  advance,
  beginClocks,
  type Clocks,
  policyFor,
  readClocks,
  type SlaReading,
  type TimeOf,
} from '#domain/sla/clocks.ts'
import {
  type CountedClocks,
  findClocks,
  findCounted,
  findDue,
  findLeads,
  findPromises,
  forgetCounting,
  lockClocks,
  nextLive,
  type Policy,
  removeClocks,
  type SlaChange,
  saveClocks,
  saveCounted,
  showClocks,
  slaFactsOf,
  someCounted,
  takeChanges,
} from '#features/ledger/server/clocks/index.ts'
import { deltaOf, factsOf, loadTicketRows, slaOf, type TicketRecord } from '#features/ledger/server/rows/index.ts'
import { ticketsById } from '#features/ledger/server/sets/index.ts'
import { ticketEvents } from '#features/ledger/ticket-rows.ts'
import { maySee } from '#features/visibility/server/index.ts'
import { type Actor, may, readActors } from '#server/actors.ts'
import { companyHours } from '#server/company-hours.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'

/** Maximum number of tickets counted in one transaction. */
const BLOCK = 200

/**
 * Updates the SLA clocks of a company's tickets: after changes, at due times, and, after changes of policies, hours or
 * holidays, of all tickets page by page. Idempotent; several processes may run it concurrently.
 */
export async function countClocks(platform: Platform, tenantId: number): Promise<void> {
  while (await unit(platform, { tenantId, user: null }, countBlock));
}

async function countBlock(ctx: Ctx): Promise<boolean> {
  await lockClocks(ctx.db)
  const { policies, queues } = await findPromises(ctx.db)
  const { version, before, ...counted } = await findCounted(ctx.db, ctx.settings)
  if (policies.length === 0) return before !== null && forgetBlock(ctx)
  const { week, holidays } = companyHours(ctx.settings)
  const { timezone: zone } = ctx.settings
  const position = before === version ? counted.position : 0
  const changes = await takeChanges(ctx.db, BLOCK)
  const due = await findDue(ctx.db, ctx.now, BLOCK)
  const page = position === null ? [] : await nextLive(ctx.db, position, BLOCK)
  const times = new Map(queues.map(({ id, week }) => [id, openTime({ week, holidays, zone })]))
  const company = openTime({ week, holidays, zone })
  const timeOf: TimeOf = (queueId) => times.get(queueId ?? 0) ?? company
  await countTickets(ctx, { changes, due, page: new Set(page) }, policies, timeOf)
  // Only a full page has a next one; the cursor is its last ticket.
  const next = page.length === BLOCK ? lastOf(page) : null
  if (before !== version || counted.position !== next) await saveCounted(ctx.db, version, next)
  await ctx.platform.checkpoint('clocks counted')
  return changes.length === BLOCK || due.length === BLOCK || next !== null
}

type Work = {
  readonly changes: readonly SlaChange[]
  readonly due: readonly number[]
  /** Tickets to evaluate again without a change. */
  readonly page: ReadonlySet<number>
}

async function countTickets(
  ctx: Ctx,
  { changes, due, page }: Work,
  policies: readonly Policy[],
  timeOf: TimeOf,
): Promise<void> {
  const ids = [...new Set([...changes.map(({ ticketId }) => ticketId), ...due, ...page])]
  const tickets = await ticketsById(ctx.db, ids, true)
  const known = await findClocks(ctx.db, ids)
  const happened = Map.groupBy(changes, ({ ticketId }) => ticketId)
  const counted: (CountedClocks & Pick<SlaReading, 'shown' | 'alarm'>)[] = []
  for (const ticket of tickets.values()) {
    const before = known.get(ticket.id)
    const clocks = clocksOf(ticket, before?.clocks ?? null, happened.get(ticket.id) ?? [], timeOf)
    const isJudged = !before || page.has(ticket.id) || before.clocks.facts.queueId !== clocks.facts.queueId
    const policy = isJudged
      ? policyFor(policies, subjectOf(ticket, clocks))
      : (policies.find(({ id }) => id === before.policyId) ?? null)
    const reading = readClocks(clocks, policy, ctx.now.getTime(), timeOf)
    counted.push({ ticketId: ticket.id, policyId: policy?.id ?? null, ...reading })
  }
  if (counted.length === 0) return
  await saveClocks(
    ctx.db,
    counted.map(({ ticketId, policyId, clocks, lookAt }) => ({ ticketId, policyId, clocks, lookAt })),
  )
  await show(ctx, tickets, counted)
  await alarm(
    ctx,
    counted.flatMap(({ ticketId, alarm }) => (alarm ? [{ ticket: lookUp(tickets, ticketId), ...alarm }] : [])),
  )
}

function clocksOf(ticket: TicketRecord, before: Clocks | null, changes: readonly SlaChange[], timeOf: TimeOf): Clocks {
  const [first] = changes
  let clocks =
    before ??
    (first?.isNew
      ? beginClocks(first.facts, first.at, false)
      : beginClocks(
          first?.facts ?? slaFactsOf(ticket),
          ticket.created_at.getTime(),
          ticket.started_attendance_at !== null,
        ))
  for (const { facts, at } of changes) clocks = advance(clocks, facts, at, timeOf)
  return clocks
}

const subjectOf = (ticket: TicketRecord, { facts }: Clocks) => ({
  queueId: facts.queueId,
  connectionId: ticket.connection_id,
  tagIds: ticket.tag_ids,
  walletIds: ticket.wallet_ids,
})

/** Stores changed SLA states and publishes them to those who see the tickets. */
async function show(
  ctx: Ctx,
  tickets: ReadonlyMap<number, TicketRecord>,
  counted: readonly { readonly ticketId: number; readonly shown: SlaReading['shown'] }[],
): Promise<void> {
  const changed = counted.filter(({ ticketId, shown }) => {
    const before = slaOf(lookUp(tickets, ticketId))
    return JSON.stringify(before) !== JSON.stringify(shown)
  })
  if (changed.length === 0) return
  await showClocks(ctx.db, changed)
  for (const { ticketId, shown } of changed) {
    const ticket = lookUp(tickets, ticketId)
    const facts = factsOf(ticket)
    const audience = { kind: 'ticket', ticketId, before: facts, after: facts } as const
    ctx.emit(ticketEvents.delta, { ...deltaOf(ticket), sla: shown }, audience)
  }
}

type Alarm = { readonly ticket: TicketRecord } & NonNullable<SlaReading['alarm']>

/** Notifies the agent that a clock is at risk; also leads if it is missed, or there is no agent. */
async function alarm(ctx: Ctx, alarms: readonly Alarm[]): Promise<void> {
  if (alarms.length === 0) return
  const leads = await findLeads(ctx.db)
  const owners = alarms.flatMap(({ ticket }) => ticket.user_id ?? [])
  const asked = [...new Set([...leads, ...owners])]
  if (asked.length === 0) return
  const people = await readActors(ctx.db, ctx.tenantId, asked)
  const rows = await loadTicketRows(
    ctx.db,
    alarms.map(({ ticket }) => ticket.id),
    ctx,
  )
  for (const { ticket, clock, isMissed } of alarms) {
    const { row, facts } = lookUp(rows, ticket.id)
    const isForLeads = isMissed || ticket.user_id === null
    const isConcerned = (person: Actor) =>
      (person.id === ticket.user_id ||
        (isForLeads && leads.includes(person.id) && may(person, ctx.settings, 'tickets:all'))) &&
      maySee(person, ctx.settings, facts)
    const ids = people.filter(isConcerned).map(({ id }) => id)
    if (ids.length === 0) continue
    const published = { clock, isMissed, publishedAt: ctx.now.getTime() }
    ctx.emit(ticketEvents.due, { ...row, draft: null, ...published }, { kind: 'users', ids })
  }
}

/** Deletes tickets' clocks page by page, when no policy is active any more. */
async function forgetBlock(ctx: Ctx): Promise<boolean> {
  const ids = await someCounted(ctx.db, BLOCK)
  const tickets = await ticketsById(ctx.db, ids, true)
  await removeClocks(ctx.db, ids)
  await show(
    ctx,
    tickets,
    ids.map((ticketId) => ({ ticketId, shown: null })),
  )
  if (ids.length < BLOCK) await forgetCounting(ctx.db)
  return ids.length === BLOCK
}
