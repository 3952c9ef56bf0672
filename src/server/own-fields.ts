import { type RawBuilder, sql } from 'kysely'
import { type ErrorCode, fail } from '#kit/errors.ts'
import { kindOf, schemaOf } from '#kit/fields/kinds.ts'
import { fieldOf, type OwnField, optionsOf } from '#kit/own-fields.ts'
import type { Ctx } from './context.ts'
import { countLocked } from './db/caps.ts'
import type { Queryable, Tx } from './db/db.ts'
import type { ResourceWrite } from './resource.ts'

/** Tables of custom fields: definitions, values, and the column of the row that has the values. */
export type OwnFieldTables = {
  readonly fields: 'contact_fields' | 'opportunity_fields'
  readonly values: 'contact_field_values' | 'opportunity_field_values'
  readonly owner: 'contact_id' | 'opportunity_id'
}

/** Stored value with its custom field. */
export type OwnValue = OwnField & { readonly text: string; readonly number: number | null }

/** Maximum number of custom fields that a company has on one kind of record. */
const MOST_FIELDS = 50

/** Returns the company's custom fields in order. */
export async function listFields(db: Queryable, { fields }: OwnFieldTables): Promise<OwnField[]> {
  const { rows } = await sql<OwnField>`
    select id, name, type, options, required from ${sql.table(fields)} order by position, id`.execute(db)
  return rows
}

async function fieldIsUsed(db: Queryable, { values }: OwnFieldTables, id: number): Promise<boolean> {
  const { rows } = await sql`select from ${sql.table(values)} where field_id = ${id} limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Returns the SQL of the values of the row with the id `id` (an SQL expression) within `tenant`, as a JSON list of
 * `OwnValue`.
 */
export const ownValuesOf = (
  { fields, values, owner }: OwnFieldTables,
  { tenant, id }: { readonly tenant: string; readonly id: string },
): RawBuilder<OwnValue[]> => sql<OwnValue[]>`case when exists (select from ${sql.table(fields)}) then coalesce((
  select json_agg(json_build_object('id', f.id, 'name', f.name, 'type', f.type, 'options', f.options,
    'required', f.required, 'text', v.value, 'number', v.number) order by f.position, f.id)
  from ${sql.table(values)} v join ${sql.table(fields)} f on f.tenant_id = v.tenant_id and f.id = v.field_id
  where v.tenant_id = ${sql.ref(tenant)} and v.${sql.ref(owner)} = ${sql.ref(id)}), '[]') else '[]' end`

/** Converts a value for JSON. */
export const jsonOf = ({ type, text, number }: OwnValue): string | number | boolean =>
  type === 'number' ? (number ?? 0) : type === 'boolean' ? text === 'true' : text

/** Formats a value for display. */
export const textOf = (one: OwnValue, zone: string): string =>
  kindOf(fieldOf(one)).toText(jsonOf(one), fieldOf(one), { zone })

/** Writes values of rows as texts; an empty text removes the value. */
export async function writeValues(
  db: Tx,
  tables: OwnFieldTables,
  values: readonly { readonly ownerId: number; readonly id: number; readonly value: string }[],
): Promise<void> {
  const [table, owner] = [sql.table(tables.values), sql.ref(tables.owner)]
  const given = (rows: typeof values) =>
    sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g ("ownerId" bigint, id bigint, value text)`
  const empty = values.filter(({ value }) => value === '')
  if (empty.length > 0)
    await sql`delete from ${table} v using ${given(empty)}
      where v.tenant_id = app.tenant() and v.${owner} = g."ownerId" and v.field_id = g.id`.execute(db)
  const filled = values.filter(({ value }) => value !== '')
  if (filled.length === 0) return
  await sql`
    insert into ${table} (tenant_id, ${owner}, field_id, value, number)
    select f.tenant_id, g."ownerId", f.id, g.value, case when f.type = 'number' then g.value::double precision end
    from ${given(filled)} join ${sql.table(tables.fields)} f on f.tenant_id = app.tenant() and f.id = g.id
    order by g."ownerId", f.id
    on conflict (tenant_id, ${owner}, field_id) do update set value = excluded.value, number = excluded.number`.execute(
    db,
  )
}

/** Refuses a field without options, with an option that has a comma, of another type while in use, or one too many. */
export async function checkField(
  ctx: Ctx,
  write: ResourceWrite,
  {
    tables,
    tooMany,
    typeInUse,
  }: { readonly tables: OwnFieldTables; readonly tooMany: ErrorCode; readonly typeInUse: string },
): Promise<void> {
  if (write.action === 'delete') return
  if (write.action === 'create' && (await countLocked(ctx.db, tables.fields)) >= MOST_FIELDS) fail(tooMany)
  const all = await listFields(ctx.db, tables)
  const before = write.action === 'update' ? all.find(({ id }) => id === write.id) : undefined
  const { type = 'text', options = '' }: Partial<OwnField> = { ...before, ...write.values }
  if (type === 'choice' && optionsOf(options).length === 0)
    fail('ERR_VALIDATION', { options: 'Escreva as opções, uma por linha.' })
  if (type === 'choice' && options.includes(','))
    fail('ERR_VALIDATION', { options: 'Escreva uma opção por linha, sem vírgulas.' })
  if (before && before.type !== type && (await fieldIsUsed(ctx.db, tables, before.id)))
    fail('ERR_VALIDATION', { type: typeInUse })
}

/**
 * Returns values of a form as they are stored, by field id. A new record's form that has such fields (`isNew`) has all that
 * are required. 400 at `fields.N`.
 */
export function checkedValues(
  fields: readonly OwnField[],
  given: Readonly<Record<string, unknown>>,
  isNew: boolean,
): Record<number, string> {
  const known = new Map(fields.map((one) => [String(one.id), one]))
  const missing = isNew ? fields.filter(({ id, required }) => required && !(String(id) in given)) : []
  const all = { ...given, ...Object.fromEntries(missing.map(({ id }) => [String(id), null])) }
  return Object.fromEntries(Object.entries(all).map(([id, value]) => [Number(id), stored(known.get(id), id, value)]))
}

function stored(field: OwnField | undefined, id: string, value: unknown): string {
  const refuse = (sentence: string) => fail('ERR_VALIDATION', { [`fields.${id}`]: sentence })
  if (!field) return refuse('Este campo não existe mais.')
  const isEmpty = value === null || (typeof value === 'string' && value.trim() === '')
  if (isEmpty) return field.required ? refuse(`${field.name}: preencha este campo.`) : ''
  const { data, error } = schemaOf(fieldOf(field)).safeParse(value)
  return error ? refuse(`${field.name}: ${error.issues[0]?.message}`) : String(data)
}

/** Filter on a field: any of some values, a prefix, or a range. */
export type FieldFilter =
  | { readonly id: number; readonly oneOf: readonly string[] }
  | { readonly id: number; readonly begins: string }
  | {
      readonly id: number
      readonly from?: string | undefined
      readonly to?: string | undefined
      readonly isNumber: boolean
    }

/** Parses filters on fields (`12:value`, `12:from..to`): one for each field, null where the field no longer exists. */
export function fieldFilters(fields: readonly OwnField[], asked: readonly string[]): (FieldFilter | null)[] {
  const byId = Map.groupBy(asked, (one) => one.slice(0, one.indexOf(':')))
  return [...byId].flatMap(([key, all]): (FieldFilter | null)[] => {
    const id = Number(key)
    const field = fields.find((one) => one.id === id)
    if (!field) return [null]
    const values = all.map((one) => one.slice(one.indexOf(':') + 1))
    if (field.type === 'text') return values.map((begins) => ({ id, begins }))
    if (field.type === 'choice' || field.type === 'boolean') return [{ id, oneOf: values }]
    return values.map((range) => rangeOf(field, range))
  })
}

function rangeOf(field: OwnField, range: string): FieldFilter {
  const [from, to] = range.split('..')
  const isNumber = field.type === 'number'
  const end = (text: string | undefined) => {
    if (!text) return undefined
    const value = isNumber ? Number(text) : text
    const { success } = schemaOf({ ...fieldOf(field), required: true }).safeParse(value)
    return success ? text : fail('ERR_VALIDATION', { field: `${field.name}: escreva de..até.` })
  }
  return { id: field.id, from: end(from), to: end(to), isNumber }
}

/** Returns a filter's condition on a value `v`; serves both the index and the check of one record. */
export function fieldCondition(filter: FieldFilter): RawBuilder<boolean> {
  const all: RawBuilder<unknown>[] = [sql`v.field_id = ${filter.id}`]
  if ('oneOf' in filter)
    all.push(sql`v.sorted = any(array(select left(app.fold(o), 200) from unnest(${[...filter.oneOf]}::text[]) o))`)
  else if ('begins' in filter)
    all.push(
      sql`v.sorted >= left(app.fold(${filter.begins}), 200)`,
      // Upper bound of the prefix.
      sql`v.sorted < left(app.fold(${filter.begins}), 199) || chr(1114111)`,
    )
  else {
    const [column, type] = filter.isNumber ? [sql`v.number`, 'double precision'] : [sql`v.sorted`, 'text']
    if (filter.from !== undefined) all.push(sql`${column} >= ${filter.from}::${sql.raw(type)}`)
    if (filter.to !== undefined) all.push(sql`${column} <= ${filter.to}::${sql.raw(type)}`)
  }
  return sql<boolean>`(${sql.join(all, sql` and `)})`
}
