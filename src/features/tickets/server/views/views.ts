import type { z } from 'zod'
import { itemAt } from '#domain/present.ts'
import { fail, required } from '#kit/errors.ts'
import { type Actor, may } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { implement } from '#server/http/route.ts'
import { type TicketView, ticketViewEvents, ticketViews, viewFilter } from '../../views-contract.ts'
import { countListed } from '../list/list.ts'
import {
  countViews,
  findNamed,
  insertView,
  listViews,
  MOST_VIEWS,
  type Named,
  orderViews,
  removeView,
  updateView,
  type ViewReader,
  type ViewRecord,
  type ViewValues,
} from './queries.ts'

type UserCtx = ReadCtx & { user: Actor }
type WriteCtx = Ctx & { user: Actor }
type Filter = z.output<typeof viewFilter>
type Shared = Pick<ViewRecord, 'audience' | 'queueId' | 'userId'>

const COUNTED = 100
const RESTORABLE_MS = 86_400_000
const kinds = ['queue', 'tag', 'connection', 'user'] as const

/** Route handlers of saved views. */
export const ticketViewRoutes = implement(ticketViews, {
  list: async (ctx) => ({ views: await serialized(ctx, await listViews(ctx.db, readerOf(ctx))) }),
  counts: async (ctx) => {
    const counts: { id: number; count: number }[] = []
    for (const { id, filter } of await listViews(ctx.db, readerOf(ctx)))
      counts.push({ id, count: await countListed(ctx, filterOf(filter), COUNTED) })
    return { counts }
  },
  create: async (ctx, { body }) => {
    const { name, filter, audience } = body
    const shared = await sharedWith(ctx, audience, body.queueId ?? null)
    if ((await countViews(ctx.db, shared)) >= MOST_VIEWS) fail('ERR_TOO_MANY_VIEWS')
    return written(ctx, await insertView(ctx.db, { name, filter, ...shared }, ctx.now), shared)
  },
  update: async (ctx, { params, body }) => {
    const before = await changeable(ctx, params.id)
    const audience = body.audience ?? before.audience
    const isMoved = body.audience !== undefined || body.queueId !== undefined
    const shared = isMoved ? await sharedWith(ctx, audience, body.queueId ?? before.queueId) : before
    const { name = before.name, filter = filterOf(before.filter) } = body
    const values: ViewValues = { name, filter, audience, queueId: shared.queueId, userId: shared.userId }
    await updateView(ctx.db, params.id, values, ctx.now)
    if (before.audience !== audience) publish(ctx, params.id, before)
    return written(ctx, params.id, values)
  },
  order: async (ctx, { body }) => {
    const seen = new Map((await listViews(ctx.db, readerOf(ctx))).map((view) => [view.id, view]))
    const views = body.ids.map((id) => required(seen.get(id), 'ERR_NO_VIEW_FOUND'))
    if (!views.every((view) => mayChange(ctx, view))) fail('ERR_NO_PERMISSION')
    await orderViews(ctx.db, body.ids)
    for (const view of views) publish(ctx, view.id, view)
    return { message: 'ok' }
  },
  remove: async (ctx, { params }) => {
    await removed(ctx, await changeable(ctx, params.id), ctx.now)
    return { message: 'ok' }
  },
  restore: async (ctx, { params }) => {
    const view = required(await one(ctx, params.id), 'ERR_NO_VIEW_FOUND')
    if (!mayChange(ctx, view)) fail('ERR_NO_PERMISSION')
    await removed(ctx, view, null)
    return written(ctx, params.id, view)
  },
})

const readerOf = (ctx: Pick<UserCtx, 'user' | 'settings'>): ViewReader => ({ ...ctx.user, isLead: isLead(ctx) })

const isLead = ({ user, settings }: Pick<UserCtx, 'user' | 'settings'>): boolean => may(user, settings, 'tickets:all')

// A personal view is visible to its owner only (`listViews`).
const mayChange = (ctx: Pick<UserCtx, 'user' | 'settings'>, { audience }: Pick<Shared, 'audience'>): boolean =>
  audience === 'person' || isLead(ctx)

const one = async (ctx: UserCtx | WriteCtx, id: number) => (await listViews(ctx.db, readerOf(ctx), id))[0]

async function changeable(ctx: WriteCtx, id: number): Promise<ViewRecord> {
  const view = await one(ctx, id)
  if (!view || view.isDeleted) return fail('ERR_NO_VIEW_FOUND')
  return mayChange(ctx, view) ? view : fail('ERR_NO_PERMISSION')
}

/** Returns the audience fields of a view; throws if the user is no lead, or the queue does not exist. */
async function sharedWith(ctx: WriteCtx, audience: Shared['audience'], queueId: number | null): Promise<Shared> {
  const userId = ctx.user.id
  if (audience === 'person') return { audience, queueId: null, userId }
  if (!isLead(ctx)) fail('ERR_NO_PERMISSION')
  if (audience === 'company') return { audience, queueId: null, userId }
  if (queueId === null) return fail('ERR_VALIDATION', { queueId: 'Escolha a fila.' })
  const { queue } = await findNamed(ctx.db, { queue: [queueId], tag: [], connection: [], user: [] })
  return queue.length > 0 ? { audience, queueId, userId } : fail('ERR_NO_QUEUE_FOUND')
}

async function removed(ctx: WriteCtx, view: ViewRecord, at: Date | null): Promise<void> {
  await removeView(ctx.db, view.id, at, new Date(ctx.now.getTime() - RESTORABLE_MS))
  publish(ctx, view.id, view)
}

async function written(ctx: WriteCtx, id: number, shared: Shared): Promise<TicketView> {
  publish(ctx, id, shared)
  const [view] = await serialized(ctx, await listViews(ctx.db, readerOf(ctx), id))
  return view ?? fail('ERR_NO_VIEW_FOUND')
}

function publish(ctx: WriteCtx, id: number, { audience, userId }: Shared): void {
  const ids = userId === null ? [] : [userId]
  ctx.emit(ticketViewEvents.changed, { id }, audience === 'person' ? { kind: 'users', ids } : { kind: 'tenant' })
}

/** Parses a stored filter; one of an older version that is no longer valid becomes empty. */
const filterOf = (stored: unknown): Filter => viewFilter.safeParse(stored).data ?? {}

async function serialized(ctx: UserCtx | WriteCtx, views: readonly ViewRecord[]): Promise<TicketView[]> {
  const read = views.map((view) => ({ ...view, filter: filterOf(view.filter) }))
  const named = read.map(({ filter }) => namedIn(filter))
  const all = (kind: keyof Named) => named.flatMap((ids) => ids[kind])
  const there = await findNamed(ctx.db, {
    queue: all('queue'),
    tag: all('tag'),
    connection: all('connection'),
    user: all('user'),
  })
  return read.map(({ userId: _, isDeleted: __, ...view }, n) => {
    const isGone = (kind: keyof Named) => itemAt(named, n)[kind].some((id) => !there[kind].includes(id))
    const isHomeless = view.audience === 'queue' && view.queueId === null
    return {
      ...view,
      mayChange: mayChange(ctx, view),
      missing: kinds.filter((kind) => isGone(kind) || (kind === 'queue' && isHomeless)),
    }
  })
}

function namedIn({ queuesIds = [], onlyQueue, tags = [], whatsappIds = [], selectedUser, onlyUser }: Filter): Named {
  const known = (...ids: (number | 'none' | undefined)[]) => ids.filter((id) => typeof id === 'number')
  return {
    queue: known(...queuesIds, onlyQueue),
    tag: tags,
    connection: whatsappIds,
    user: known(selectedUser, onlyUser),
  }
}
