import { sql, type Updateable } from 'kysely'
import type { Users } from '#db/types.ts'
import type { Others } from '#domain/people/manage.ts'
import { firstOf } from '#domain/present.ts'
import type { Tx } from '#server/db/db.ts'
import { forgetEverywhere } from './leaving.ts'

const tenant = sql<number>`app.tenant()`

/** Locks the company's users for the transaction, so that counts stay valid until its end. */
export async function lockPeople(db: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(7206, app.tenant()::int)`.execute(db)
}

/** Counts the active administrators other than one user. */
export async function countOthers(db: Tx, id: number): Promise<Others> {
  const { rows } = await sql<Others>`select
    count(*) filter (where profile in ('admin', 'superadmin')) as admins,
    count(*) filter (where profile = 'superadmin') as superadmins
    from users where is_active and id <> ${id}`.execute(db)
  return firstOf(rows)
}

/** Inserts a user and returns the id. */
export async function insertPerson(
  db: Tx,
  row: { name: string; email: string; profile: string; password_hash: string | null } & Updateable<Users>,
): Promise<number> {
  return (
    await db
      .insertInto('users')
      .values({ ...row, tenant_id: tenant })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
}

/** Updates a user who has not left (`onlyActive`: who is active); returns false if there is none. */
export async function updatePerson(
  db: Tx,
  id: number,
  change: Updateable<Users>,
  onlyActive = false,
): Promise<boolean> {
  const result = await db
    .updateTable('users')
    .set({ ...change, updated_at: sql`app.now()` })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$if(onlyActive, (query) => query.where('is_active', '=', true))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Whether a user of the company has this e-mail. */
export async function hasColleague(db: Tx, email: string): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()) !== undefined
}

/** Replaces a user's queues; returns false if one does not exist. */
export async function replaceQueues(db: Tx, id: number, queues: readonly number[]): Promise<boolean> {
  await db.deleteFrom('user_queues').where('user_id', '=', id).execute()
  const { numAffectedRows } = await sql`insert into user_queues (tenant_id, user_id, queue_id)
    select tenant_id, ${id}, id from queues where id = any(${[...queues]}::bigint[])`.execute(db)
  return Number(numAffectedRows) === new Set(queues).size
}

/** Replaces a user's connections; returns false if one does not exist. */
export async function replaceConnections(db: Tx, id: number, connections: readonly number[]): Promise<boolean> {
  await db.deleteFrom('user_connections').where('user_id', '=', id).execute()
  const { numAffectedRows } = await sql`insert into user_connections (tenant_id, user_id, connection_id)
    select tenant_id, ${id}, id from connections where not is_deleted and id = any(${[...connections]}::bigint[])`.execute(
    db,
  )
  return Number(numAffectedRows) === new Set(connections).size
}

/**
 * Removes a user from queues and connections, after all features have released what they store for the user (decision B26).
 * The row keeps the name.
 */
export async function forgetPerson(db: Tx, id: number, heir: number | null, at: Date): Promise<void> {
  await forgetEverywhere(db, { id, heir, at })
  await db.deleteFrom('user_queues').where('user_id', '=', id).execute()
  await db.deleteFrom('user_connections').where('user_id', '=', id).execute()
  await db
    .updateTable('users')
    .set({
      deleted_at: at,
      is_active: false,
      is_online: false,
      is_support: false,
      email: `${id}@excluido`,
      username: null,
      waiting_email: null,
      password_hash: null,
      phone: '',
      configs: '{}',
      menu_permissions: '{}',
      business_hours: null,
      updated_at: at,
    })
    .where('id', '=', id)
    .execute()
}

/** Merges the given preferences into a user's; returns all preferences. */
export async function mergeConfigs(
  db: Tx,
  id: number,
  { preferences = {}, ...rest }: { preferences?: object | undefined; [name: string]: unknown },
): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ configs: Record<string, unknown> }>`update users
    set configs = configs || ${JSON.stringify(rest)}::jsonb
      || jsonb_build_object('preferences', coalesce(configs -> 'preferences', '{}') || ${JSON.stringify(preferences)}::jsonb)
    where id = ${id} returning configs`.execute(db)
  return firstOf(rows).configs
}

/** Stores a user's phone number. */
export async function savePhone(db: Tx, tenantId: number, userId: number, phone: string): Promise<void> {
  await db.updateTable('users').set({ phone }).where('tenant_id', '=', tenantId).where('id', '=', userId).execute()
}

/** Replaces a queue's users; returns false if one does not exist. */
export async function replaceQueueUsers(db: Tx, id: number, users: readonly number[]): Promise<boolean> {
  await db.deleteFrom('user_queues').where('queue_id', '=', id).execute()
  const { numAffectedRows } = await sql`insert into user_queues (tenant_id, user_id, queue_id)
    select tenant_id, id, ${id} from users where deleted_at is null and id = any(${[...users]}::bigint[])`.execute(db)
  return Number(numAffectedRows) === new Set(users).size
}
