import { keysIn } from '#domain/keys.ts'
import { firstOf } from '#domain/present.ts'
import type { Returned } from '#kit/contract.ts'
import { type ErrorCode, fail, required } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import { countLocked } from '#server/db/caps.ts'
import type { Queryable } from '#server/db/db.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { slaEvents, slaPolicies } from '../contract.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { followClocks } from './follow.ts'
import { type Conditions, NAMED, namesOf, type SlaRecord, saveConditions, slaRows } from './queries.ts'

export { mergeTagsOfPolicies } from './queries.ts'

type Serialized = Returned<typeof slaPolicies.get>

const MOST_POLICIES = 50
const KEYS = keysIn(NAMED)
const NOTHING: Conditions = { queueIds: [], connectionIds: [], tagIds: [], walletIds: [] }
const GONE: Record<keyof Conditions, ErrorCode> = {
  queueIds: 'ERR_NO_QUEUE_FOUND',
  connectionIds: 'ERR_NO_WAPP_FOUND',
  tagIds: 'ERR_NO_TAG_FOUND',
  walletIds: 'ERR_NO_USER_FOUND',
}

const routes = implement(slaPolicies, {
  list: async ({ db }, { query }) => {
    const { rows, page } = await slaRows.list(db, query)
    return { items: await serialized(db, rows), ...page }
  },
  get: ({ db }, { params }) => one(db, params.id),
  create: async (ctx, { body }) => {
    if ((await countLocked(ctx.db, 'sla_policies')) >= MOST_POLICIES) fail('ERR_MAX_SLA')
    requireMinutes({ firstMinutes: null, nextMinutes: null, solutionMinutes: null, ...body })
    const conditions = await conditionsOf(ctx.db, body, NOTHING)
    const { id } = await slaRows.insert(ctx.db, body, ctx.now)
    await saveConditions(ctx.db, id, conditions)
    return written(ctx, id, 'create')
  },
  update: async (ctx, { params: { id }, body }) => {
    const before = required(await slaRows.lock(ctx.db, id), 'ERR_NO_SLA_FOUND')
    requireMinutes({ ...before, ...body })
    const conditions = await conditionsOf(ctx.db, body, before)
    await slaRows.update(ctx.db, id, body, ctx.now)
    await saveConditions(ctx.db, id, conditions)
    return written(ctx, id, 'update')
  },
  remove: async (ctx, { params: { id } }) => {
    if (!(await slaRows.remove(ctx.db, id))) fail('ERR_NO_SLA_FOUND')
    publish(ctx, id, 'delete')
    return { message: 'ok' }
  },
  arrange: async (ctx, { body: { ids } }) => {
    if (!(await slaRows.arrange(ctx.db, ids))) fail('ERR_NO_SLA_FOUND')
    for (const id of ids) publish(ctx, id, 'update')
    return { message: 'ok' }
  },
})

function requireMinutes({ firstMinutes, nextMinutes, solutionMinutes }: Promised): void {
  if (firstMinutes ?? nextMinutes ?? solutionMinutes) return
  fail('ERR_VALIDATION', { firstMinutes: 'Informe ao menos um dos prazos.' })
}

type Promised = { [K in 'firstMinutes' | 'nextMinutes' | 'solutionMinutes']?: number | null | undefined }

// Newly used records must exist; deleted ones used before are kept, and shown as deleted.
async function conditionsOf(
  db: Queryable,
  body: { [K in keyof Conditions]?: number[] | undefined },
  before: Conditions,
): Promise<Conditions> {
  const next = { ...NOTHING }
  for (const key of KEYS) {
    next[key] = [...new Set(body[key] ?? before[key])]
    const added = next[key].filter((id) => !before[key].includes(id))
    if ((await namesOf(db, NAMED[key], added)).size < added.length) fail(GONE[key])
  }
  return next
}

async function written(ctx: Ctx, id: number, action: 'create' | 'update'): Promise<Serialized> {
  publish(ctx, id, action)
  return one(ctx.db, id)
}

// Wakes the counting of the company's clocks.
function publish(ctx: Ctx, id: number, action: 'create' | 'update' | 'delete'): void {
  ctx.stale(`settings ${ctx.tenantId}`)
  ctx.emit(slaEvents.changed, { id, action }, { kind: 'tenant' })
}

const one = async (db: Queryable, id: number): Promise<Serialized> =>
  firstOf(await serialized(db, [required(await slaRows.find(db, id), 'ERR_NO_SLA_FOUND')]))

async function serialized(db: Queryable, rows: readonly SlaRecord[]): Promise<Serialized[]> {
  const names = { ...NAMED } as unknown as Record<keyof Conditions, ReadonlyMap<number, string>>
  for (const key of KEYS)
    names[key] = await namesOf(
      db,
      NAMED[key],
      rows.flatMap((row) => row[key]),
    )
  return rows.map(({ queueIds, connectionIds, tagIds, walletIds, ...row }) => ({
    ...row,
    queues: named(names.queueIds, queueIds),
    connections: named(names.connectionIds, connectionIds),
    tags: named(names.tagIds, tagIds),
    wallets: named(names.walletIds, walletIds),
  }))
}

const named = (names: ReadonlyMap<number, string>, ids: readonly number[]) =>
  ids.map((id) => ({ id, name: names.get(id) ?? null }))

/** Server part of the feature `sla`: SLA policies, and the clocks of tickets. */
export const slaFeature: Feature = {
  name: 'sla',
  titles: { slaPolicies: 'Políticas de SLA' },
  permissions,
  errors,
  routes,
  start: followClocks,
}
