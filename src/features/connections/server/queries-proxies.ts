import { sql } from 'kysely'
import type { ProxyType } from '#domain/connections/proxies.ts'
import { firstOf } from '#domain/present.ts'
import type { StoredSecrets } from '#kit/provider.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { tableOf } from '#server/table.ts'
import { proxyTable } from '../table.ts'

/** Proxy with the data that a connection needs; the password encrypted. */
export type StoredProxy = {
  readonly id: number
  readonly type: ProxyType
  readonly host: string
  readonly port: number
  readonly username: string
  readonly isActive: boolean
  readonly secrets: StoredSecrets
}

/** Row of the proxy list. */
export type ProxyRow = StoredProxy & {
  readonly name: string
  readonly connectionCount: number
  readonly testedAt: Date | null
  readonly failure: string | null
}

/** Table of the proxies. */
export const proxyRows = tableOf<ProxyRow>(proxyTable, [
  sql`secrets, tested_at as "testedAt", failure`,
  sql`(select count(*) from connections c where c.tenant_id = proxies.tenant_id and c.proxy_id = proxies.id)::int
    as "connectionCount"`,
])

/** Returns the proxy of a connection; undefined if direct. */
export async function findProxyOf(db: Queryable, connectionId: number): Promise<StoredProxy | undefined> {
  const { rows } = await sql<StoredProxy>`
    select p.id, p.type, p.host, p.port, p.username, p.is_active as "isActive", p.secrets
    from connections c join proxies p on p.tenant_id = c.tenant_id and p.id = c.proxy_id
    where c.id = ${connectionId}`.execute(db)
  return rows[0]
}

/** Stores the password of a proxy. */
export const storeProxySecrets = (db: Tx, id: number, secrets: StoredSecrets) =>
  db
    .updateTable('proxies')
    .set({ secrets: JSON.stringify(secrets) })
    .where('id', '=', id)
    .execute()

/** Stores the result of a proxy's test. */
export const noteProxyTest = (db: Tx, id: number, failure: string | null, now: Date) =>
  db.updateTable('proxies').set({ tested_at: now, failure }).where('id', '=', id).execute()

/** Returns the numbers of all proxies, of those in use, and of those that failed their test. */
export async function countProxies(db: Queryable): Promise<{ total: number; active: number; failed: number }> {
  const { rows } = await sql<{ total: number; active: number; failed: number }>`
    select count(*)::int as total, count(*) filter (where is_active)::int as active,
      count(*) filter (where failure is not null)::int as failed from proxies`.execute(db)
  return firstOf(rows)
}

/** Returns the ids of the keys that encrypt passwords of proxies; platform role. */
export async function keysOfProxies(db: Tx): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct split_part(secret.value ->> 'encrypted', '.', 1) as key
    from proxies, jsonb_each(proxies.secrets) secret`.execute(db)
  return rows.map(({ key }) => key)
}
