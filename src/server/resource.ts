import type { z } from 'zod'
import { ownMember } from '#domain/keys.ts'
import { firstOf } from '#domain/present.ts'
import { codeOf, type ErrorCode, fail, required } from '#kit/errors.ts'
import type { Resource } from '#kit/resource.ts'
import type { Ctx } from './context.ts'
import type { Tx } from './db/db.ts'
import { implement, type Route } from './http/route.ts'
import { tableOf } from './table.ts'

type Row = z.input<Resource['ops']['get']['returns']>
type Values = Readonly<Record<string, unknown>>

/** Pending write; a row that is changed or deleted is locked until the transaction ends. */
export type ResourceWrite =
  | { readonly action: 'create'; readonly values: Values }
  | { readonly action: 'update'; readonly id: number; readonly values: Values }
  | { readonly action: 'delete'; readonly id: number }

/** Refuses values that refer to rows of other tables that do not exist. */
export async function requireKnown(rows: Pick<ReturnType<typeof tableOf>, 'missing'>, db: Tx, values: Values) {
  const missing = await rows.missing(db, values)
  if (missing) fail('ERR_VALIDATION', { [missing]: 'Este registro não existe mais. Escolha outro.' })
}

/**
 * Mounts the five endpoints of a plain table. Names of table and columns come from the description alone; `beforeWrite`
 * refuses what duplicates and foreign keys do not.
 */
export function mountResource(
  resource: Resource,
  { beforeWrite }: { beforeWrite?: (ctx: Ctx, write: ResourceWrite) => Promise<void> | void } = {},
): Route[] {
  const { spec, ops, arrange, changed } = resource
  const rowsOf = tableOf<Row>(spec)
  const publish = (ctx: Ctx, id: number, action: 'create' | 'update' | 'delete') =>
    ctx.emit(changed, { id, action }, { kind: 'tenant' })
  const prepare = async (ctx: Ctx, write: ResourceWrite): Promise<Row | undefined> => {
    const before = write.action === 'create' ? undefined : required(await rowsOf.lock(ctx.db, write.id), spec.notFound)
    if (write.action !== 'delete') await requireKnown(rowsOf, ctx.db, write.values)
    await beforeWrite?.(ctx, write)
    return before
  }
  // Recorded part of a row: its fields, without its timestamps.
  const shown = (row: Row): object =>
    Object.fromEntries(Object.keys(spec.fields).map((key) => [key, ownMember(row, key)]))
  const routes = implement(ops, {
    list: async ({ db }, { query }) => {
      const { rows, page } = await rowsOf.list(db, query)
      return { items: rows, ...page }
    },
    get: async ({ db }, { params }) => required(await rowsOf.find(db, params.id), spec.notFound),
    create: async (ctx, { body }) => {
      await prepare(ctx, { action: 'create', values: body })
      const row = await rowsOf.insert(ctx.db, body, ctx.now)
      ctx.audit({ after: shown(row) })
      publish(ctx, row.id, 'create')
      return row
    },
    update: async (ctx, { params: { id }, body }) => {
      const before = required(await prepare(ctx, { action: 'update', id, values: body }), spec.notFound)
      const row = required(await rowsOf.update(ctx.db, id, body, ctx.now), spec.notFound)
      ctx.audit({ before: shown(before), after: shown(row) })
      publish(ctx, id, 'update')
      return row
    },
    remove: async (ctx, { params: { id } }) => {
      const before = required(await prepare(ctx, { action: 'delete', id }), spec.notFound)
      ctx.audit({ before: shown(before) })
      await rowsOf.remove(ctx.db, id).catch((error: unknown) => refuseInUse(error, spec.inUse))
      publish(ctx, id, 'delete')
      return { message: 'ok' }
    },
  })
  if (!arrange) return routes
  return [
    ...routes,
    ...implement(
      { arrange },
      {
        arrange: async (ctx, { body: { ids } }) => {
          if (!(await rowsOf.arrange(ctx.db, ids))) fail(spec.notFound)
          ctx.audit({ after: { ids } })
          publish(ctx, firstOf(ids), 'update')
          return { message: 'ok' }
        },
      },
    ),
  ]
}

// A row that others refer to: the database refuses its deletion, whatever `beforeWrite` checked.
function refuseInUse(error: unknown, inUse: ErrorCode | undefined): never {
  if (inUse && codeOf(error) === '23503') return fail(inUse)
  throw error
}
