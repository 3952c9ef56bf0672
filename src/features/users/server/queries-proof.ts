import type { Updateable } from 'kysely'
import type { Users } from '#db/types.ts'
import type { Tx } from '#server/db/db.ts'
import type { Holder } from '#server/db/directory-steps.ts'

/** Finds a user who has not left, with the data that decides the login names; requires platform database access. */
export const findAddress = (db: Tx, { tenantId, userId }: Holder, lock = false) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'profile', 'email', 'username', 'proven_email', 'waiting_email', 'is_active'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()

/** Finds the active user of a company by e-mail; requires platform database access. */
export const findByEmail = (db: Tx, tenantId: number, email: string) =>
  db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('email', '=', email)
    .where('is_active', '=', true)
    .executeTakeFirst()

/** Updates a user's login names; requires platform database access. */
export async function updateAddress(
  db: Tx,
  { tenantId, userId }: Holder,
  change: Pick<Updateable<Users>, 'email' | 'username' | 'proven_email' | 'waiting_email' | 'updated_at'>,
): Promise<void> {
  await db.updateTable('users').set(change).where('tenant_id', '=', tenantId).where('id', '=', userId).execute()
}
