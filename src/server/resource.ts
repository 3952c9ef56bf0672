import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { decodeCursor, encodeCursor } from '#kit/cursor.ts'
import { type ErrorCode, fail, required } from '#kit/errors.ts'
import type { Resource } from '#kit/resource.ts'
import type { Ctx } from './context.ts'
import type { Queryable } from './db/db.ts'
import { patternOf } from './db/like.ts'
import { implement, type Route } from './http/route.ts'

const PAGE = 40
const LAST_NUMBERED_PAGE = 50
const COUNTED = 1000

type Row = z.input<Resource['ops']['get']['returns']>
type Values = Readonly<Record<string, unknown>>

/** A write that is about to happen; a row that is changed or deleted is held until the transaction ends. */
export type ResourceWrite =
  | { readonly action: 'create'; readonly values: Values }
  | { readonly action: 'update'; readonly id: number; readonly values: Values }
  | { readonly action: 'delete'; readonly id: number }

/**
 * The five endpoints of a plain table. Names of table and columns come from the description alone; what is refused
 * beyond duplicates and foreign keys is refused in `beforeWrite`.
 */
export function mountResource(
  resource: Resource,
  { beforeWrite }: { beforeWrite?: (ctx: Ctx, write: ResourceWrite) => Promise<void> | void } = {},
): Route[] {
  const { spec, ops, changed } = resource
  const sqlOf = statements(resource)
  const tell = (ctx: Ctx, id: number, action: 'create' | 'update' | 'delete') =>
    ctx.emit(changed, { id, action }, { kind: 'tenant' })
  const prepare = async (ctx: Ctx, write: ResourceWrite): Promise<Row | undefined> => {
    const before = write.action === 'create' ? undefined : required(await sqlOf.lock(ctx.db, write.id), spec.notFound)
    await beforeWrite?.(ctx, write)
    return before
  }
  // What the audit log shows of a row: its fields, not when it was written.
  const shown = (row: Row): object => Object.fromEntries(Object.keys(spec.fields).map((key) => [key, row[key as 'id']]))
  return implement(ops, {
    list: async ({ db }, { query }) => {
      if (query.pageNumber > LAST_NUMBERED_PAGE && !query.cursor) fail('ERR_PAGE_TOO_FAR')
      const where = sqlOf.matches(query.searchParam)
      const rows = await sqlOf.page(db, where, query.cursor, query.pageNumber)
      const count = await sqlOf.count(db, where)
      const items = rows.slice(0, PAGE)
      const last = items.at(-1)
      const hasMore = rows.length > PAGE
      return {
        items,
        count: Math.min(count, COUNTED),
        countIsCapped: count > COUNTED,
        hasMore,
        nextCursor: hasMore && last ? encodeCursor([String(last[spec.order]), last.id]) : null,
      }
    },
    get: async ({ db }, { params }) => required(await sqlOf.find(db, params.id), spec.notFound),
    create: async (ctx, { body }) => {
      await prepare(ctx, { action: 'create', values: body })
      const row = await sqlOf.insert(ctx.db, body)
      ctx.audit({ after: shown(row) })
      tell(ctx, row.id, 'create')
      return row
    },
    update: async (ctx, { params: { id }, body }) => {
      const before = required(await prepare(ctx, { action: 'update', id, values: body }), spec.notFound)
      const row = required(await sqlOf.update(ctx.db, id, body), spec.notFound)
      ctx.audit({ before: shown(before), after: shown(row) })
      tell(ctx, id, 'update')
      return row
    },
    remove: async (ctx, { params: { id } }) => {
      const before = required(await prepare(ctx, { action: 'delete', id }), spec.notFound)
      ctx.audit({ before: shown(before) })
      await sqlOf.remove(ctx.db, id).catch((error: unknown) => refuseInUse(error, spec.inUse))
      tell(ctx, id, 'delete')
      return { message: 'ok' }
    },
  })
}

// A row that others still refer to: the database says so, whatever `beforeWrite` looked at.
function refuseInUse(error: unknown, inUse: ErrorCode | undefined): never {
  if (inUse && (error as { code?: string }).code === '23503') return fail(inUse)
  throw error
}

function statements({ spec }: Resource) {
  const table = sql.table(spec.table)
  const column = (key: string) => sql.ref(spec.fields[key]?.column ?? key)
  const folded = (value: RawBuilder<unknown>) => sql`app.fold(${value}::text)`
  const order = folded(column(spec.order))
  const columns = sql.join([
    sql`id`,
    ...Object.keys(spec.fields).map((key) => sql`${column(key)} as ${sql.id(key)}`),
    sql`created_at as "createdAt"`,
    sql`updated_at as "updatedAt"`,
  ])
  const entries = (values: Values) => Object.entries(values).filter(([, value]) => value !== undefined)

  const find = async (db: Queryable, id: number): Promise<Row | undefined> =>
    (await sql<Row>`select ${columns} from ${table} where id = ${id}`.execute(db)).rows[0]

  return {
    find,
    /** Rows whose search fields contain the text, without regard to case and accents. */
    matches(text: string | undefined): RawBuilder<SqlBool> {
      if (!text) return sql`true`
      const pattern = patternOf(text)
      return sql`(${sql.join(
        spec.search.map((key) => sql`${folded(column(key))} like ${folded(sql`${pattern}`)}`),
        sql` or `,
      )})`
    },
    async page(db: Queryable, where: RawBuilder<SqlBool>, cursor: string | undefined, page: number): Promise<Row[]> {
      const after = cursor ? decodeCursor(cursor, 2) : null
      const place = after ? sql`(${order}, id) > (${folded(sql`${after[0]}`)}, ${Number(after[1])})` : sql`true`
      const offset = after ? 0 : (page - 1) * PAGE
      const { rows } = await sql<Row>`select ${columns} from ${table} where ${where} and ${place}
        order by ${order}, id limit ${PAGE + 1} offset ${offset}`.execute(db)
      return rows
    },
    async count(db: Queryable, where: RawBuilder<SqlBool>): Promise<number> {
      const { rows } = await sql<{ n: number }>`select count(*) as n
        from (select from ${table} where ${where} limit ${COUNTED + 1}) counted`.execute(db)
      return rows[0]!.n
    },
    async lock(db: Queryable, id: number): Promise<Row | undefined> {
      return (await sql<Row>`select ${columns} from ${table} where id = ${id} for update`.execute(db)).rows[0]
    },
    async insert(db: Queryable, values: Values): Promise<Row> {
      const given = entries(values)
      const { rows } = await sql<Row>`insert into ${table}
        (${sql.join([sql`tenant_id`, ...given.map(([key]) => column(key))])})
        values (${sql.join([sql`app.tenant()`, ...given.map(([, value]) => sql`${value}`)])})
        returning ${columns}`.execute(db)
      return rows[0]!
    },
    async update(db: Queryable, id: number, values: Values): Promise<Row | undefined> {
      const set = sql.join([
        ...entries(values).map(([key, value]) => sql`${column(key)} = ${value}`),
        sql`updated_at = app.now()`,
      ])
      const { rows } = await sql<Row>`update ${table} set ${set} where id = ${id} returning ${columns}`.execute(db)
      return rows[0]
    },
    async remove(db: Queryable, id: number): Promise<void> {
      await sql`delete from ${table} where id = ${id}`.execute(db)
    },
  }
}
