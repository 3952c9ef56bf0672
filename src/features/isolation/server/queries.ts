import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Tenant table with its id and text columns. */
export type TenantTable = { name: string; texts: string[]; uuids: string[]; hasId: boolean }

/** Returns the ids of the active companies. */
export async function listCompanies(db: Tx): Promise<number[]> {
  const rows = await db.selectFrom('tenants').select('id').where('status', '=', 'active').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** Returns all tenant tables from the catalogue; the directory belongs to the platform. */
export async function listTables(db: Tx): Promise<TenantTable[]> {
  const { rows } = await sql<{ name: string; texts: string[]; uuids: string[]; hasId: boolean }>`
    select c.relname as name,
      coalesce(array_agg(a.attname::text) filter (where a.atttypid = 'text'::regtype), '{}') as texts,
      coalesce(array_agg(a.attname::text) filter (where a.atttypid = 'uuid'::regtype), '{}') as uuids,
      bool_or(a.attname = 'id' and a.atttypid = 'bigint'::regtype) as "hasId"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'directory'
      and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id' and not t.attisdropped)
    group by c.relname order by c.relname`.execute(db)
  return rows
}

/** Returns some rows of one company. */
export async function sampleRows(db: Tx, table: TenantTable, tenantId: number): Promise<Record<string, unknown>[]> {
  const columns = [...(table.hasId ? ['id'] : []), ...table.texts, ...table.uuids]
  if (columns.length === 0) return []
  const { rows } = await sql<Record<string, unknown>>`select ${sql.join(columns.map((name) => sql.ref(name)))}
    from ${sql.table(table.name)} where tenant_id = ${tenantId} limit 3`.execute(db)
  return rows
}

/** Whether a company's own tables contain a text, also as part of another text. */
export async function hasText(
  db: Tx,
  tables: readonly TenantTable[],
  tenantId: number,
  text: string,
): Promise<boolean> {
  for (const { name, texts, uuids } of tables)
    for (const column of [...texts, ...uuids]) {
      const { rows } = await sql`select 1 from ${sql.table(name)}
        where tenant_id = ${tenantId} and position(${text} in ${sql.ref(column)}::text) > 0 limit 1`.execute(db)
      if (rows.length > 0) return true
    }
  return false
}

/** Counts rows of another company that the application role sees in a table, with the own tenant set. */
export async function countForeign(db: Queryable, table: string, tenantId: number): Promise<number> {
  const { rows } = await sql`select 1 from ${sql.table(table)} where tenant_id = ${tenantId} limit 1`.execute(db)
  return rows.length
}

/** Counts visible rows with another company's id. */
export async function countWithId(db: Queryable, table: string, id: unknown): Promise<number> {
  const { rows } = await sql`select 1 from ${sql.table(table)} where id = ${id} limit 1`.execute(db)
  return rows.length
}

/** Returns the first active user of each role in a company; for a role without users any user. */
export async function findPeople(db: Tx, tenantId: number): Promise<{ id: number; profile: string }[]> {
  return db
    .selectFrom('users')
    .select(['id', 'profile'])
    .where('tenant_id', '=', tenantId)
    .where('is_active', '=', true)
    .distinctOn('profile')
    .orderBy('profile')
    .orderBy('id')
    .execute()
}

/** Makes the transaction read-only. */
export const onlyRead = async (db: Queryable): Promise<void> => {
  await sql`set transaction read only`.execute(db)
}
