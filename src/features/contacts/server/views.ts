import { fail, required } from '#kit/errors.ts'
import { type Actor, may } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { lockCount } from '#server/db/caps.ts'
import { implement } from '#server/http/route.ts'
import { type ContactView, contactViews, viewFilter } from '../contract.ts'
import { insertView, listViews, MOST_VIEWS, removeView, updateView, type ViewRecord } from './queries-views.ts'

type UserCtx = Pick<ReadCtx, 'db' | 'settings'> & { user: Actor }

/** Route handlers of saved contact views. */
export const contactViewRoutes = implement(contactViews, {
  list: async (ctx) => ({
    views: (await listViews(ctx.db, ctx.user.id)).map((view) => serialized(ctx, view)),
  }),
  create: async (ctx, { body: { audience = 'person', ...body } }) => {
    requireRight(ctx, audience)
    await requireRoom(ctx, audience)
    return one(ctx, await insertView(ctx.db, { ...body, audience, userId: ctx.user.id }, ctx.now))
  },
  update: async (ctx, { params, body }) => {
    const before = await changeable(ctx, params.id)
    const { name = before.name, filter = filterOf(before.filter), audience = before.audience } = body
    requireRight(ctx, audience)
    if (audience !== before.audience) await requireRoom(ctx, audience)
    await updateView(ctx.db, params.id, { name, filter, audience, userId: ctx.user.id }, ctx.now)
    return one(ctx, params.id)
  },
  remove: async (ctx, { params }) => {
    await changeable(ctx, params.id)
    await removeView(ctx.db, params.id)
    return { message: 'ok' }
  },
})

// A personal view is visible to its owner only (`listViews`).
const mayChange = ({ user, settings }: Pick<UserCtx, 'user' | 'settings'>, audience: ViewRecord['audience']): boolean =>
  audience === 'person' || may(user, settings, 'tickets:all')

function requireRight(ctx: UserCtx, audience: ViewRecord['audience']): void {
  if (!mayChange(ctx, audience)) fail('ERR_NO_PERMISSION')
}

// The lock serialises concurrent inserts, so that the limit holds.
async function requireRoom({ db, user }: Pick<Ctx, 'db'> & { user: Actor }, audience: ViewRecord['audience']) {
  await lockCount(db, 'contact_views')
  const same = (await listViews(db, user.id)).filter((view) => view.audience === audience)
  if (same.length >= MOST_VIEWS) fail('ERR_TOO_MANY_CONTACT_VIEWS')
}

const find = async (ctx: UserCtx, id: number) =>
  required((await listViews(ctx.db, ctx.user.id, id))[0], 'ERR_NO_CONTACT_VIEW_FOUND')

const one = async (ctx: UserCtx, id: number) => serialized(ctx, await find(ctx, id))

async function changeable(ctx: UserCtx, id: number): Promise<ViewRecord> {
  const view = await find(ctx, id)
  requireRight(ctx, view.audience)
  return view
}

// Stored filters of older versions that are no longer valid become empty.
const filterOf = (stored: unknown): ContactView['filter'] => viewFilter.safeParse(stored).data ?? {}

const serialized = (ctx: UserCtx, { id, name, filter, audience }: ViewRecord): ContactView => ({
  id,
  name,
  filter: filterOf(filter),
  audience,
  mayChange: mayChange(ctx, audience),
})
