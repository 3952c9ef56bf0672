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

/** Template subjects of tickets, by ticket id. */
export type Subjects = Awaited<ReturnType<typeof findSubjects>>

/**
 * Returns a function with the current facts of each ticket's conversation. `people` are the candidates for flows that
 * distribute tickets; `known` are subjects loaded earlier.
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

/** Checks whether a flow itself distributes tickets to people. */
export const distributes = ({ configurations }: Flow): boolean => configurations.distribution !== 'N'

/** Returns the people to whom flows may distribute tickets; queried only if one of the flows distributes. */
export const peopleFor = async (ctx: ReadCtx, flows: Iterable<Flow>): Promise<Candidate[]> =>
  [...flows].some(distributes) ? candidatesOf(ctx) : []

/** Returns the same candidates, locked until the end of the transaction, so that their counts stay correct. */
export async function lockPeople(ctx: Ctx): Promise<Candidate[]> {
  await lockDistribution(ctx.db)
  return candidatesOf(ctx)
}

/** Returns the users whom flows assign directly, for flows whose texts name the assigned person; independent of queues. */
export async function namedBy(ctx: ReadCtx, flows: Iterable<Flow>): Promise<Candidate[]> {
  const naming = [...flows].filter(({ variables }) => variables.has('user') || variables.has('userEmail'))
  const ids = naming.flatMap(usersIn)
  return ids.length === 0 ? [] : (await candidatesOf(ctx, ids)).map((one) => ({ ...one, queueIds: [] }))
}
