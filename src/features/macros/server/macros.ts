import { z } from 'zod'
import { type Action, type Named, namedIn, whyGone } from '#domain/actions/actions.ts'
import { firstOf, itemAt } from '#domain/present.ts'
import { performOn } from '#features/tickets/server/actions/index.ts'
import { requireVisible } from '#features/visibility/server/index.ts'
import type { Returned } from '#kit/contract.ts'
import { errorText, fail, required } from '#kit/errors.ts'
import { type Actor, may } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import type { Queryable } from '#server/db/db.ts'
import { implement } from '#server/http/route.ts'
import { macroEvents, macros } from '../contract.ts'
import { actionForm } from '../forms.ts'
import { macroTable } from '../table.ts'
import { type MacroReader, type MacroRecord, macroRows, namesOf, saveMacro, seenBy } from './queries.ts'

type Asking = Pick<ReadCtx, 'db' | 'settings'> & { readonly user: Actor }
type WriteCtx = Ctx & { user: Actor }
type Serialized = Returned<typeof macros.get>

/** Routes of macros. */
export const macroRoutes = implement(macros, {
  list: async (ctx, { query }) => {
    const { rows, page } = await macroRows.list(ctx.db, query, seenBy(readerOf(ctx)))
    return { items: await serialized(ctx, rows), ...page }
  },
  get: async (ctx, { params }) => one(ctx, params.id),
  preview: async (ctx, { params: { id, ticketId }, query }) => {
    const actions = await actionsOf(ctx, id)
    const known = await requireVisible(ctx, ticketId)
    const performed = await performOn(ctx, actions, new Map([[ticketId, known]]), query.reasons)
    const steps = performed.get(ticketId)?.steps ?? []
    return {
      steps: steps.map((step) => ({ ...step, refusal: step.refusal && errorText(step.refusal) })),
      mayRun: steps.every(({ refusal }) => refusal === null),
    }
  },
  create: async (ctx, { body }) => {
    const { name, color = macroTable.fields.color.default, audience = 'company', actions } = body
    const queueId = await sharedQueue(ctx, audience, body.queueId)
    await requireNamed(ctx.db, actions, [])
    const more = { actions: JSON.stringify(actions), user_id: ctx.user.id, queue_id: queueId }
    const { id } = await macroRows.insert(ctx.db, { name, color, audience }, ctx.now, more)
    return written(ctx, id, 'create')
  },
  update: async (ctx, { params: { id }, body }) => {
    const before = await seen(ctx, id)
    const { name, color, audience = before.audience, queueId = before.queueId } = body
    const earlier = read(before.actions)
    const { actions = earlier } = body
    await requireNamed(ctx.db, actions, earlier)
    const isMoved = audience !== before.audience || queueId !== before.queueId
    const shared = {
      queueId: isMoved ? await sharedQueue(ctx, audience, queueId) : before.queueId,
      userId: ctx.user.id,
    }
    await macroRows.update(ctx.db, id, { name, color, audience }, ctx.now)
    await saveMacro(ctx.db, id, { ...shared, actions })
    return written(ctx, id, 'update')
  },
  remove: async (ctx, { params: { id } }) => {
    await seen(ctx, id)
    await macroRows.remove(ctx.db, id)
    publish(ctx, id, 'delete')
    return { message: 'ok' }
  },
})

/** Returns the actions of a macro; throws 404 if not visible to the user. */
export const actionsOf = async (ctx: Asking, id: number): Promise<Action[]> => read((await seen(ctx, id)).actions)

const readerOf = ({ user, settings }: Asking): MacroReader => ({ ...user, isLead: may(user, settings, 'macros:write') })

const seen = async (ctx: Asking, id: number): Promise<MacroRecord> =>
  required(await macroRows.find(ctx.db, id, seenBy(readerOf(ctx))), 'ERR_NO_MACRO_FOUND')

const one = async (ctx: Asking, id: number): Promise<Serialized> =>
  firstOf(await serialized(ctx, [await seen(ctx, id)]))

// Stored actions that this version cannot read count as none.
const stored = z.array(actionForm)
const read = (actions: unknown): Action[] => stored.safeParse(actions).data ?? []

async function sharedQueue(
  { db }: Asking,
  audience: MacroRecord['audience'],
  queueId: number | null | undefined,
): Promise<number | null> {
  if (audience !== 'queue') return null
  if (queueId == null) return fail('ERR_VALIDATION', { queueId: 'Escolha a fila.' })
  const { queue } = await namesOf(db, namedIn([{ kind: 'queue', queueId }]))
  return queue.has(queueId) ? queueId : fail('ERR_NO_QUEUE_FOUND')
}

const KINDS = ['tag', 'queue', 'user', 'stage', 'pipelineStage', 'reason'] as const

/**
 * Throws 404 unless records that actions newly refer to exist. Deleted ones referred to before are kept, and shown as a
 * problem.
 */
export async function requireNamed(
  db: Queryable,
  actions: readonly Action[],
  earlier: readonly Action[],
): Promise<void> {
  const names = await namesOf(db, namedIn(actions))
  const known = namedIn(earlier)
  const permitted = idsOf((kind) => [...names[kind].keys(), ...known[kind]])
  for (const action of actions) {
    const refusal = whyGone(action, permitted)
    if (refusal) fail(refusal)
  }
}

const idsOf = (ids: (kind: keyof Named) => readonly number[]): Named => ({
  tag: ids('tag'),
  queue: ids('queue'),
  user: ids('user'),
  stage: ids('stage'),
  pipelineStage: ids('pipelineStage'),
  reason: ids('reason'),
})

async function written(ctx: WriteCtx, id: number, action: 'create' | 'update'): Promise<Serialized> {
  publish(ctx, id, action)
  return one(ctx, id)
}

const publish = (ctx: WriteCtx, id: number, action: 'create' | 'update' | 'delete') =>
  ctx.emit(macroEvents.changed, { id, action }, { kind: 'tenant' })

async function serialized({ db }: Asking, rows: readonly MacroRecord[]): Promise<Serialized[]> {
  const all = rows.map((row) => ({ ...row, actions: read(row.actions) }))
  const steps = await describeActions(
    db,
    all.map(({ actions }) => actions),
  )
  return all.map(({ actions: _, ...row }, n) => ({ ...row, steps: itemAt(steps, n) }))
}

/** Returns actions with the names of their records, and problems for deleted ones. */
export async function describeActions(
  db: Queryable,
  lists: readonly (readonly Action[])[],
): Promise<Serialized['steps'][]> {
  const names = await namesOf(db, namedIn(lists.flat()))
  const there = idsOf((kind) => [...names[kind].keys()])
  return lists.map((actions) =>
    actions.map((action) => {
      const problem = whyGone(action, there)
      const named = namedIn([action])
      return {
        action: action as Serialized['steps'][number]['action'],
        names: KINDS.flatMap((kind) => named[kind].flatMap((id) => names[kind].get(id) ?? [])),
        problem: problem && errorText(problem),
      }
    }),
  )
}
