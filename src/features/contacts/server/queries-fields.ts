import { type RawBuilder, sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

/** A field of the company's own, as values are checked by it. */
export type FieldRecord = {
  readonly id: number
  readonly name: string
  readonly type: 'text' | 'number' | 'date' | 'choice' | 'boolean'
  readonly options: string
  readonly required: boolean
}

/** The company's own fields in their order. */
export const listFields = (db: Queryable): Promise<FieldRecord[]> =>
  db
    .selectFrom('contact_fields')
    .select(['id', 'name', 'type', 'options', 'required'])
    .orderBy('position')
    .orderBy('id')
    .execute() as Promise<FieldRecord[]>

/** Whether any contact has a value in a field. */
export async function fieldIsUsed(db: Queryable, id: number): Promise<boolean> {
  const value = await db
    .selectFrom('contact_field_values')
    .select('contact_id')
    .where('field_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return value !== undefined
}

/** Gives a contact values as texts by the ids of fields; an empty one takes what was there away. */
export const writeFieldValues = (db: Tx, contactId: number, values: Readonly<Record<number, string>>): Promise<void> =>
  writeValues(
    db,
    Object.entries(values).map(([id, value]) => ({ contactId, id: Number(id), value })),
  )

/** Gives contacts values of fields; an empty one takes what was there away. */
export async function writeValues(
  db: Tx,
  values: readonly { readonly contactId: number; readonly id: number; readonly value: string }[],
): Promise<void> {
  const given = (rows: typeof values) =>
    sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g ("contactId" bigint, id bigint, value text)`
  const empty = values.filter(({ value }) => value === '')
  if (empty.length > 0)
    await sql`delete from contact_field_values v using ${given(empty)}
      where v.tenant_id = app.tenant() and v.contact_id = g."contactId" and v.field_id = g.id`.execute(db)
  const filled = values.filter(({ value }) => value !== '')
  if (filled.length === 0) return
  await sql`
    insert into contact_field_values (tenant_id, contact_id, field_id, value, number)
    select f.tenant_id, g."contactId", f.id, g.value, case when f.type = 'number' then g.value::double precision end
    from ${given(filled)} join contact_fields f on f.tenant_id = app.tenant() and f.id = g.id
    order by g."contactId", f.id
    on conflict (tenant_id, contact_id, field_id) do update set value = excluded.value, number = excluded.number`.execute(
    db,
  )
}

/** What is asked of a field: one of some values, a beginning, or from and to. */
export type FieldFilter =
  | { readonly id: number; readonly oneOf: readonly string[] }
  | { readonly id: number; readonly begins: string }
  | {
      readonly id: number
      readonly from?: string | undefined
      readonly to?: string | undefined
      readonly isNumber: boolean
    }

/** The condition on `contact_field_values v` that a filter is; both its index and a look at one contact serve it. */
export function fieldCondition(filter: FieldFilter): RawBuilder<boolean> {
  const all: RawBuilder<unknown>[] = [sql`v.field_id = ${filter.id}`]
  if ('oneOf' in filter)
    all.push(sql`v.sorted = any(array(select left(app.fold(o), 200) from unnest(${[...filter.oneOf]}::text[]) o))`)
  else if ('begins' in filter)
    all.push(
      sql`v.sorted >= left(app.fold(${filter.begins}), 200)`,
      // Behind whatever else begins like that.
      sql`v.sorted < left(app.fold(${filter.begins}), 199) || chr(1114111)`,
    )
  else {
    const [column, type] = filter.isNumber ? [sql`v.number`, 'double precision'] : [sql`v.sorted`, 'text']
    if (filter.from !== undefined) all.push(sql`${column} >= ${filter.from}::${sql.raw(type)}`)
    if (filter.to !== undefined) all.push(sql`${column} <= ${filter.to}::${sql.raw(type)}`)
  }
  return sql<boolean>`(${sql.join(all, sql` and `)})`
}
