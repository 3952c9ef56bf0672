import { offsetMinutes } from '#domain/calendar/local-time.ts'
import type { Candidate } from '#domain/distribution/distribute.ts'
import type { Flow } from '#domain/flow/flow.ts'
import { usersIn } from '#domain/flow/read.ts'
import type { FlowFacts } from '#domain/flow/session.ts'
import { templateValues } from '#domain/messages/template.ts'
import { windowOf } from '#domain/messages/window.ts'
import { openAt } from '#features/hours/server/index.ts'
import { findSubjects } from '#features/ledger/server/texts/index.ts'
import type { LedgerTicket } from '#features/ledger/server/ticket/index.ts'
import { candidatesOf, lockDistribution, walletsRule } from '#features/ledger/server/turns/index.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { companyHours } from '#server/company-hours.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'

/** Whom tickets are about, as their texts name them. */
export type Subjects = Awaited<ReturnType<typeof findSubjects>>

/**
 * What is known now of the conversation of each of these tickets. `people` are those to whom the flows give tickets, if
 * they do; `known` are the tickets' subjects, where they were asked for already.
 */
export async function readFacts(
  ctx: Ctx,
  tickets: readonly LedgerTicket[],
  people: readonly Candidate[],
  known?: Subjects,
): Promise<(ticket: LedgerTicket, isFirstTicket: boolean) => FlowFacts> {
  const now = ctx.now.getTime()
  const ids = tickets.map(({ id }) => id)
  const subjects = known ?? (await findSubjects(ctx.db, ids))
  const offset = offsetMinutes(ctx.settings.timezone, now)
  const isOpenFor = openAt(ctx.settings, ctx.now)
  const { message } = companyHours(ctx.settings)
  return (ticket, isFirstTicket) => {
    const { own = {}, ...subject } = subjects.get(ticket.id) ?? {}
    const isOpen = isOpenFor(ticket.connection_id)
    const { buttons, list, windowHours } = capabilitiesOf(ticket.channel)
    const owners = walletsRule(ctx.settings) ? people.filter(({ id }) => ticket.wallets.includes(id)) : []
    const { isOpen: isWritable } = windowOf(ticket.last_message_received_at?.getTime() ?? null, { windowHours }, now)
    return {
      values: templateValues({ ...subject, now, offsetMinutes: offset }),
      own,
      isOpen,
      absence: isOpen ? '' : message,
      channel: { type: ticket.channel, buttons, list, isWritable },
      tagIds: ticket.tag_ids,
      isFirstTicket,
      people: owners.length > 0 ? owners : people,
    }
  }
}

/** Whether a flow itself gives tickets to people. */
export const distributes = ({ configurations }: Flow): boolean => configurations.distribution !== 'N'

/** Whom flows themselves may give tickets to; asked only where one of them does. */
export const peopleFor = async (ctx: ReadCtx, flows: Iterable<Flow>): Promise<Candidate[]> =>
  [...flows].some(distributes) ? candidatesOf(ctx) : []

/** The same until the end of the transaction, before which nobody else gives them anything: what is counted stays true. */
export async function lockPeople(ctx: Ctx): Promise<Candidate[]> {
  await lockDistribution(ctx.db)
  return candidatesOf(ctx)
}

/** Whom flows lead to themselves, where their words name whoever gets the conversation: chosen for no queue. */
export async function namedBy(ctx: ReadCtx, flows: Iterable<Flow>): Promise<Candidate[]> {
  const naming = [...flows].filter(({ variables }) => variables.has('user') || variables.has('userEmail'))
  const ids = naming.flatMap(usersIn)
  return ids.length === 0 ? [] : (await candidatesOf(ctx, ids)).map((one) => ({ ...one, queueIds: [] }))
}
