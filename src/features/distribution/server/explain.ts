import { distribute, modeOf, type Refused } from '#domain/distribution/distribute.ts'
import { entriesIn } from '#domain/keys.ts'
import { isAssisted } from '#domain/tickets/assistants.ts'
import type { TicketRecord } from '#features/ledger/server/rows/index.ts'
import {
  candidatesOf,
  findWaiting,
  lastAssignment,
  namesOf,
  rulesOf,
  walletsRule,
} from '#features/ledger/server/turns/index.ts'
import { requireVisible } from '#features/visibility/server/index.ts'
import type { Returned } from '#kit/contract.ts'
import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import type { distribution } from '../contract.ts'

type Asking = ReadCtx & { user: Actor }
type Why = Returned<typeof distribution.why>
type State = Why['state']

const NOTHING: Omit<Why, 'state'> = { mode: null, at: null, user: null, people: [], overflow: null }

/** Explains why a ticket was assigned to its agent, or why it has none. */
export async function whyOf(ctx: Asking, ticketId: number): Promise<Why> {
  const { row } = await requireVisible(ctx, ticketId)
  const state = stateOf(row)
  if (state !== null) return { ...NOTHING, state }
  return row.status === 'open' ? whyGiven(ctx, row) : whyWaiting(ctx, row)
}

// States outside of the distribution.
function stateOf(row: TicketRecord): State | null {
  if (row.status === 'closed') return 'closed'
  if (row.is_group) return 'group'
  if (row.status === 'open') return null
  if (row.user_id !== null) return 'kept'
  if (row.snoozed_until !== null) return 'snoozed'
  return row.chat_flow_id !== null || isAssisted(row.assistants) ? 'bot' : null
}

async function whyGiven({ db }: Asking, row: TicketRecord): Promise<Why> {
  const last = await lastAssignment(db, row.id)
  const given = last?.data.distribution
  if (last?.type !== 'distributed' || last.userId !== row.user_id || !given) return { ...NOTHING, state: 'taken' }
  const names = await namesOf(db, 'users', [...idsOf(given.refused), last.userId!])
  const user = { id: last.userId!, name: names.get(last.userId!) ?? '' }
  return { ...NOTHING, state: 'given', mode: given.mode, at: last.at, user, people: peopleOf(given.refused, names) }
}

async function whyWaiting(ctx: Asking, row: TicketRecord): Promise<Why> {
  const { db, settings, now } = ctx
  const rules = { ...(await rulesOf(ctx)), now: now.getTime(), seed: 0 }
  const [waiting, people] = [await findWaiting(db, walletsRule(settings)), await candidatesOf(ctx)]
  const decision = distribute(waiting, people, rules).find(({ ticketId }) => ticketId === row.id)
  const mode = modeOf(rules, row.queue_id)
  if (!decision) return { ...NOTHING, state: 'later', mode }
  if (decision.userId !== null || decision.path.length > 0) return { ...NOTHING, state: 'now', mode }
  const names = new Map(people.map(({ id, name }) => [id, name]))
  const to = row.queue_id === null ? null : (rules.queues.get(row.queue_id)?.overflowQueueId ?? null)
  const queue = to === null ? undefined : (await namesOf(db, 'queues', [to])).get(to)
  return {
    ...NOTHING,
    state: mode === 'N' ? 'off' : 'waiting',
    mode,
    people: peopleOf(decision.refused, names),
    overflow: decision.overflowAt === null || !queue ? null : { queue, at: new Date(decision.overflowAt) },
  }
}

const idsOf = (refused: Refused): number[] => Object.values(refused).flat()

const peopleOf = (refused: Refused, names: ReadonlyMap<number, string>): Why['people'] =>
  entriesIn(refused).flatMap(([reason, ids]) => (ids ?? []).map((id) => ({ id, name: names.get(id) ?? '', reason })))
