import { sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { StoredSecrets } from '#kit/provider.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { OWNER_LOCK } from '#server/db/ownership.ts'
import type { Forgetting } from '#server/forgetting.ts'
import type { StoredProxy } from './queries-proxies.ts'

/** Lease of a connection: its holder and number, which reject writes of an earlier holder. */
export type Lease = {
  readonly tenantId: number
  readonly connectionId: number
  readonly holder: string
  readonly epoch: number
}

/**
 * Connection held by a lease, with its settings; `isDue`: it should be open, `opening`: rises when a person requests a
 * reopening, `forgetsKeys`: its state is still to be deleted.
 */
export type LeasedConnection = Lease & {
  readonly type: string
  readonly config: Readonly<Record<string, unknown>>
  readonly secrets: StoredSecrets
  /** Path that its provider calls, encrypted. */
  readonly webhook: string | null
  readonly isDue: boolean
  readonly opening: number
  readonly pairing: string | null
  readonly forgetsKeys: boolean
  /** Its proxy; null: direct. */
  readonly proxy: StoredProxy | null
}

/** Whether a connection `c` of a working company is one of these types that is to be open. */
const isDue = (types: readonly string[]) =>
  sql`c.type = any(${types}) and c.config ->> 'standIn' is null and not c.is_deleted and c.status <> 'DISCONNECTED'`

/** Counts the connections of these types that should be open; requires platform database access. */
export async function countDue(db: Queryable, types: readonly string[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from connections c
    join tenants t on t.id = c.tenant_id and t.status = 'active' where ${isDue(types)}`.execute(db)
  return firstOf(rows).n
}

/**
 * Takes connections of these types that should be open and have no living holder, until this one has `most`; returns
 * all its connections. Concurrent takers get each once; platform role.
 */
export async function takeLeases(
  db: Tx,
  { holder, types, most }: { holder: string; types: readonly string[]; most: number },
): Promise<LeasedConnection[]> {
  await sql`
    with free as materialized (
      select c.tenant_id, c.id, coalesce(l.epoch, 0) + 1 as epoch from connections c
      join tenants t on t.id = c.tenant_id and t.status = 'active'
      left join connection_leases l on l.tenant_id = c.tenant_id and l.connection_id = c.id
      where ${isDue(types)}
        and l.holder is distinct from ${holder}::uuid
        and (l.holder is null or pg_try_advisory_xact_lock(hashtextextended(l.holder::text, ${sql.lit(OWNER_LOCK)})))
      order by c.tenant_id, c.id
      limit greatest(0, ${most} - (select count(*) from connection_leases where holder = ${holder}::uuid))
    )
    insert into connection_leases (tenant_id, connection_id, holder, epoch, taken_at)
      select tenant_id, id, ${holder}::uuid, epoch, app.now() from free
    on conflict (tenant_id, connection_id) do update
      set holder = excluded.holder, epoch = excluded.epoch, taken_at = excluded.taken_at
      where connection_leases.epoch < excluded.epoch`.execute(db)
  const { rows } = await sql<LeasedConnection>`
    select l.tenant_id as "tenantId", l.connection_id as "connectionId", l.holder, l.epoch, c.type, c.config, c.secrets, c.webhook,
      c.opening, c.pairing, c.forgets_keys as "forgetsKeys",
      (select jsonb_build_object('id', p.id, 'type', p.type, 'host', p.host, 'port', p.port, 'username', p.username,
        'isActive', p.is_active, 'secrets', p.secrets)
        from proxies p where p.tenant_id = c.tenant_id and p.id = c.proxy_id) as proxy,
      c.type = any(${types}) and not c.is_deleted and c.status <> 'DISCONNECTED' and t.status = 'active' as "isDue"
    from connection_leases l
    join connections c on c.tenant_id = l.tenant_id and c.id = l.connection_id
    join tenants t on t.id = l.tenant_id
    where l.holder = ${holder}::uuid`.execute(db)
  return rows
}

/** Throws if the lease is lost; otherwise it cannot change until the transaction ends. */
export async function requireLease(db: Tx, lease: Lease): Promise<void> {
  if (!(await hasLease(db, lease))) throw new Error('this process no longer has the connection')
}

/** Whether a row is the lease: neither taken by another since, nor given up. */
const isOf = ({ connectionId, holder, epoch }: Lease) => sql`
  tenant_id = app.tenant() and connection_id = ${connectionId} and holder = ${holder}::uuid and epoch = ${epoch}`

/** Whether the lease is still valid; it cannot change until the transaction ends. */
export async function hasLease(db: Tx, lease: Lease): Promise<boolean> {
  const { rows } = await sql`select from connection_leases where ${isOf(lease)} for share`.execute(db)
  return rows.length > 0
}

/** Releases a connection if this holder still holds it; returns whether it did. */
export async function releaseLease(db: Tx, lease: Lease): Promise<boolean> {
  const { rows } = await sql`update connection_leases set holder = null where ${isOf(lease)} returning epoch`.execute(
    db,
  )
  return rows.length > 0
}

/** Returns the existing, encrypted state entries of a connection among these names. */
export const findState = (db: Queryable, connectionId: number, names: readonly string[]) =>
  db
    .selectFrom('connection_state')
    .select(['name', 'value'])
    .where('connection_id', '=', connectionId)
    .where(sql<boolean>`name = any(${names})`)
    .execute()

/** Writes encrypted state entries of a connection; null removes an entry. */
export async function writeState(
  db: Tx,
  connectionId: number,
  entries: readonly { name: string; value: string | null }[],
): Promise<void> {
  const removed = entries.filter(({ value }) => value === null).map(({ name }) => name)
  const written = entries.filter(({ value }) => value !== null)
  if (removed.length > 0)
    await sql`delete from connection_state
      where tenant_id = app.tenant() and connection_id = ${connectionId} and name = any(${removed})`.execute(db)
  if (written.length > 0)
    await sql`insert into connection_state (tenant_id, connection_id, name, value, updated_at)
      select app.tenant(), ${connectionId}::bigint, name, value, app.now()
      from unnest(${written.map(({ name }) => name)}::text[], ${written.map(({ value }) => value)}::text[]) as e (name, value)
      on conflict (tenant_id, connection_id, name) do update set value = excluded.value, updated_at = excluded.updated_at`.execute(
      db,
    )
}

/** Removes a connection's whole state. */
export async function removeState(db: Tx, connectionId: number): Promise<void> {
  await db.deleteFrom('connection_state').where('connection_id', '=', connectionId).execute()
}

/** Deletes the state of a connection whose keys are to be deleted, once, under its lease. */
export async function forgetKeys(db: Tx, lease: Lease): Promise<void> {
  await requireLease(db, lease)
  const { rows } = await sql`update connections set forgets_keys = false
    where tenant_id = app.tenant() and id = ${lease.connectionId} and forgets_keys returning id`.execute(db)
  if (rows.length > 0) await removeState(db, lease.connectionId)
}

/**
 * Erases connection state under a person's addresses, such as sessions with their phone; a new one begins when they
 * write again.
 */
export const forgetStates: Forgetting = async ({ db }, { identifiers }) => {
  const bare = identifiers.map((one) => one.replace(/@.*/, '')).filter((one) => /^\d{8,}$/.test(one))
  await sql`delete from connection_state
    where tenant_id = app.tenant() and regexp_split_to_array(name, '[^0-9]+') && ${bare}::text[]`.execute(db)
}

/** Removes the state of a connection that no process has. */
export async function removeFreeState(db: Tx, connectionId: number): Promise<void> {
  await sql`delete from connection_state s where s.tenant_id = app.tenant() and s.connection_id = ${connectionId}
    and not exists (select from connection_leases l
      where l.tenant_id = s.tenant_id and l.connection_id = s.connection_id and l.holder is not null)`.execute(db)
}

/** Returns connections with the status of an open one whose holding process has ended; platform role. */
export async function findAbandoned(db: Tx, types: readonly string[]): Promise<Lease[]> {
  const { rows } = await sql<Lease>`
    select l.tenant_id as "tenantId", l.connection_id as "connectionId", l.holder, l.epoch
    from connection_leases l
    join connections c on c.tenant_id = l.tenant_id and c.id = l.connection_id
    where l.holder is not null and c.type = any(${types}) and not c.is_deleted
      and c.status in ('CONNECTED', 'PAIRING', 'qrcode')
      and pg_try_advisory_xact_lock(hashtextextended(l.holder::text, ${sql.lit(OWNER_LOCK)}))
    limit 1000`.execute(db)
  return rows
}
