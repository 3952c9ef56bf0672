import { sql, type Updateable } from 'kysely'
import type { Users } from '#db/types.ts'
import type { Tx } from '#server/db/db.ts'
import { sha256 } from '#server/secrets.ts'

const LOGIN = 'login'

/** Whose account somebody holds or loses a name with; as the platform. */
export type Holder = { tenantId: number; userId: number }

/** A user who has not left, with what decides about the login names; as the platform. */
export const findAddress = (db: Tx, { tenantId, userId }: Holder, hold = false) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'profile', 'email', 'username', 'proven_email', 'waiting_email', 'is_active'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .$if(hold, (query) => query.forUpdate())
    .executeTakeFirst()

/** The active user of a company with this e-mail; as the platform. */
export const findByEmail = (db: Tx, tenantId: number, email: string) =>
  db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('email', '=', email)
    .where('is_active', '=', true)
    .executeTakeFirst()

/** Who has a login name, held until the end of the transaction; a free one is theirs who ask. */
export async function holdLogin(db: Tx, name: string, asker: Holder): Promise<Holder> {
  const key = sha256(name)
  await db
    .insertInto('directory')
    .values({ kind: LOGIN, key_hash: key, tenant_id: asker.tenantId, subject_id: String(asker.userId) })
    .onConflict((c) => c.columns(['kind', 'key_hash']).doNothing())
    .execute()
  const row = await db
    .selectFrom('directory')
    .select(['tenant_id', 'subject_id'])
    .where('kind', '=', LOGIN)
    .where('key_hash', '=', key)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { tenantId: row.tenant_id, userId: Number(row.subject_id) }
}

/** Gives a login name to somebody, whoever had it. */
export async function moveLogin(db: Tx, name: string, to: Holder): Promise<void> {
  await db
    .updateTable('directory')
    .set({ tenant_id: to.tenantId, subject_id: String(to.userId) })
    .where('kind', '=', LOGIN)
    .where('key_hash', '=', sha256(name))
    .execute()
}

/** Takes every login name from somebody but these. */
export async function keepOnly(db: Tx, { tenantId, userId }: Holder, names: readonly string[]): Promise<void> {
  await sql`delete from directory where tenant_id = ${tenantId} and kind = ${LOGIN}
    and subject_id = ${String(userId)} and key_hash <> all (${names.map((name) => sha256(name))}::bytea[])`.execute(db)
}

/** Changes somebody's login names; as the platform. */
export async function updateAddress(
  db: Tx,
  { tenantId, userId }: Holder,
  change: Pick<Updateable<Users>, 'email' | 'username' | 'proven_email' | 'waiting_email' | 'updated_at'>,
): Promise<void> {
  await db.updateTable('users').set(change).where('tenant_id', '=', tenantId).where('id', '=', userId).execute()
}
