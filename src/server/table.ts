import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { firstOf, memberOf, present } from '#domain/present.ts'
import { kindOf } from '#kit/fields/kinds.ts'
import { rangeOf } from '#kit/range.ts'
import { isByHand, type TableSpec } from '#kit/resource.ts'
import type { Queryable, Tx } from './db/db.ts'
import { patternOf } from './db/like.ts'
import { type Asked, COUNTED, countOf, type PageStart, pageOf, pageStartOf } from './paging.ts'

/** Filters and order of a list: the fields' filters, a text to search for, a field to sort by. */
export type Narrowing = Readonly<Record<string, unknown>> & {
  readonly searchParam?: string | undefined
  readonly sort?: string | undefined
  readonly down?: boolean | undefined
}
type Values = Readonly<Record<string, unknown>>
/** Row with its sort value, as text. */
export type Sorted<Row> = Row & { readonly sortValue: string }

const all = sql<SqlBool>`true`

/**
 * Builds the SQL of a table from its description; table and column names come only from it. `also` are additional
 * columns of each row; `seen`, where accepted, filters out invisible rows.
 */
export function tableOf<Row extends { id: number }>(spec: TableSpec, also: readonly RawBuilder<unknown>[] = []) {
  const table = sql.table(spec.table)
  const column = (key: string) => sql.ref(`${spec.table}.${spec.fields[key]?.column ?? key}`)
  const bare = (key: string) => sql.id(spec.fields[key]?.column ?? key)
  const kind = (key: string) => kindOf(memberOf(spec.fields, key))
  const byHand = isByHand(spec)
  const order = bare(spec.order)
  const folded = (value: RawBuilder<unknown>) => sql`app.fold(${value}::text)`
  const read = (key: string) => (kind(key).read ? sql`${column(key)}::${sql.raw(kind(key).read!)}` : column(key))
  const columns = sql.join([
    sql`${table}.id`,
    ...Object.keys(spec.fields).map((key) => sql`${read(key)} as ${sql.id(key)}`),
    sql`created_at as "createdAt"`,
    sql`updated_at as "updatedAt"`,
    ...also,
  ])
  const given = (values: Values) =>
    Object.entries(values)
      .filter(([key, value]) => key in spec.fields && value !== undefined && !(byHand && key === spec.order && !value))
      .map(([key, value]) => [key, kind(key).stored?.(value) ?? value] as const)

  const sorting = (key: string) => {
    const { type, last } = kind(key).sort ?? { type: 'text' }
    const cast = sql.raw(type)
    const sorted = type === 'text' ? folded(column(key)) : sql`${column(key)}::${cast}`
    return { cast, value: last ? sql`coalesce(${sorted}, ${sql.lit(last)}::${cast})` : sorted }
  }

  const filter = ([key, field]: [string, TableSpec['fields'][string]], asked: Narrowing) => {
    const { column: type, filter } = kindOf(field)
    const cast = sql.raw(type)
    const [one, from, to] = [key, ...rangeOf(key)].map((name) => asked[name])
    return [
      ...(filter === 'values' && one !== undefined ? [sql`${column(key)} = any(${one}::${cast}[])`] : []),
      ...(from !== undefined ? [sql`${column(key)} >= ${from}::${cast}`] : []),
      ...(to !== undefined ? [sql`${column(key)} <= ${to}::${cast}`] : []),
    ]
  }

  const matches = (asked: Narrowing, seen: RawBuilder<SqlBool>) => {
    const text = sql.join(spec.search.map(column), sql` || ' ' || `)
    return sql<SqlBool>`${sql.join(
      [
        seen,
        ...(asked.searchParam
          ? [sql`${folded(sql`(${text})`)} like ${folded(sql`${patternOf(asked.searchParam)}`)}`]
          : []),
        ...Object.entries(spec.fields)
          .filter(([, field]) => field.filter)
          .flatMap((entry) => filter(entry, asked)),
      ],
      sql` and `,
    )}`
  }

  // Renumbers rows from 1; of two with the same number, the one just written comes first, or last.
  async function renumber(db: Tx, written?: { id: number; last: boolean }): Promise<void> {
    const turn = written ? sql`(id = ${written.id}) ${sql.raw(written.last ? 'asc' : 'desc')}, ` : sql``
    await sql`update ${table} t set ${order} = n.place
      from (select id, row_number() over (order by ${order}, ${turn} id) as place from ${table}) n
      where t.id = n.id and t.${order} is distinct from n.place`.execute(db)
  }

  const find = async (db: Queryable, id: number, seen = all): Promise<Row | undefined> =>
    (await sql<Row>`select ${columns} from ${table} where id = ${id} and ${seen}`.execute(db)).rows[0]

  async function page(db: Queryable, asked: Narrowing, start: PageStart<[string, number]>, seen = all) {
    const { cast, value } = sorting(asked.sort ?? spec.order)
    const [beyond, way] = asked.down ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
    const { after, offset, limit } = start
    const isBeyond = after ? sql`(${value}, id) ${beyond} (${after[0]}::${cast}, ${after[1]}::bigint)` : all
    const { rows } = await sql<Sorted<Row>>`select ${columns}, ${value}::text as "sortValue" from ${table}
      where ${matches(asked, seen)} and ${isBeyond} order by ${value} ${way}, id ${way}
      limit ${limit} offset ${offset}`.execute(db)
    return rows
  }

  async function count(db: Queryable, asked: Narrowing, most: number, seen = all): Promise<number> {
    const { rows } = await sql<{ n: number }>`select count(*) as n
      from (select from ${table} where ${matches(asked, seen)} limit ${most}) counted`.execute(db)
    return firstOf(rows).n
  }

  return {
    find,
    /** Returns a page of rows, in the requested order; `after` is the last (sortValue, id) of the previous page. */
    page,
    /** Returns a page of rows with count and next cursor. */
    async list(db: Queryable, asked: Narrowing & Asked, seen = all) {
      const { rows, paging } = pageOf(await page(db, asked, pageStartOf(asked, 2), seen), (row) => [
        row.sortValue,
        row.id,
      ])
      return { rows, page: { ...countOf(await count(db, asked, COUNTED, seen)), ...paging } }
    },
    /** Returns one row, locked until the transaction ends. */
    async lock(db: Tx, id: number): Promise<Row | undefined> {
      const { rows } = await sql`select id from ${table} where id = ${id} for update`.execute(db)
      return rows.length > 0 ? find(db, id) : undefined
    },
    /** Returns the first field that refers to a row that does not exist. */
    async missing(db: Queryable, values: Values): Promise<string | undefined> {
      for (const [key, field] of Object.entries(spec.fields)) {
        if (field.kind !== 'reference' || values[key] == null) continue
        const { rows } = await sql`select from ${sql.table(field.to.table)} where id = ${values[key]}`.execute(db)
        if (rows.length === 0) return key
      }
      return undefined
    },
    /** Stores a row; `more` are columns beside its fields. */
    async insert(db: Tx, values: Values, now: Date, more: Values = {}): Promise<Row> {
      const isLast = byHand && values[spec.order] == null
      const put: (readonly [name: RawBuilder<unknown>, value: RawBuilder<unknown>])[] = [
        ...(spec.ofPlatform ? [] : [[sql.id('tenant_id'), sql`app.tenant()`] as const]),
        [sql.id('created_at'), sql`${now}`],
        [sql.id('updated_at'), sql`${now}`],
        ...Object.entries(more).map(([name, value]) => [sql.id(name), sql`${value}`] as const),
        ...given(values).map(([key, value]) => [bare(key), sql`${value}`] as const),
        ...(isLast ? [[order, sql`(select coalesce(max(${order}), 0) + 1 from ${table})`] as const] : []),
      ]
      const { rows } = await sql<{ id: number }>`insert into ${table} (${sql.join(put.map(([name]) => name))})
        values (${sql.join(put.map(([, value]) => value))}) returning id`.execute(db)
      const { id } = firstOf(rows)
      if (byHand && !isLast) await renumber(db, { id, last: false })
      return present(await find(db, id))
    },
    /** Updates a row, and returns it; undefined when there is none. */
    async update(db: Tx, id: number, values: Values, now: Date, more: Values = {}): Promise<Row | undefined> {
      const wanted = byHand ? values[spec.order] : undefined
      const before: Values | undefined = wanted == null ? undefined : await find(db, id)
      const set = sql.join([
        ...given(values).map(([key, value]) => sql`${bare(key)} = ${value}`),
        ...Object.entries(more).map(([name, value]) => sql`${sql.id(name)} = ${value}`),
        sql`updated_at = ${now}`,
      ])
      await sql`update ${table} set ${set} where id = ${id}`.execute(db)
      if (before) await renumber(db, { id, last: Number(before[spec.order]) < Number(wanted) })
      return find(db, id)
    },
    /** Removes a row; whether there was one. */
    async remove(db: Tx, id: number): Promise<boolean> {
      const { numAffectedRows } = await sql`delete from ${table} where id = ${id}`.execute(db)
      return numAffectedRows === 1n
    },
    /** Orders rows by `ids`, within the positions that they occupy; false when one does not exist. */
    async arrange(db: Tx, ids: readonly number[]): Promise<boolean> {
      await sql`select id from ${table} order by id for update`.execute(db)
      await renumber(db)
      const { numAffectedRows } = await sql`update ${table} t set ${order} = s.place
        from unnest(${[...ids]}::bigint[]) with ordinality g (id, turn)
        join (select ${order} as place, row_number() over (order by ${order}) as turn from ${table}
          where id = any(${[...ids]}::bigint[])) s using (turn)
        where t.id = g.id`.execute(db)
      return Number(numAffectedRows) === ids.length
    },
  }
}
