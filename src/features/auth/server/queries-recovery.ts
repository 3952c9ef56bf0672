import type { Queryable, Tx } from '#server/db/db.ts'

/** Finds the active user for a password link, by id; requires platform database access. */
export const findReceiver = (db: Tx, tenantId: number, id: number) =>
  db
    .selectFrom('users')
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .select(['users.id', 'users.name', 'users.email', 'tenants.name as tenant_name'])
    .where('tenant_id', '=', tenantId)
    .where('users.id', '=', id)
    .where('is_active', '=', true)
    .executeTakeFirst()

/** Counts a user's unexpired directory entries of a kind. */
export async function countLiving(
  db: Tx,
  kind: string,
  tenantId: number,
  subjectId: string,
  now: Date,
): Promise<number> {
  const { n } = await db
    .selectFrom('directory')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', kind)
    .where('subject_id', '=', subjectId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return n
}

/** Returns the company's active support sessions, by master key or support users, with account and expiry. */
export const listSupport = (db: Queryable, now: Date) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.tenant_id', '=', 'sessions.tenant_id').onRef('users.id', '=', 'sessions.user_id'),
    )
    .select(['sessions.id', 'users.id as userId', 'users.name', 'sessions.ends_at as endsAt'])
    .where(({ eb }) => eb.or([eb('sessions.method', '=', 'masterkey'), eb('users.is_support', '=', true)]))
    .where('sessions.ends_at', '>', now)
    .where('sessions.revoked_at', 'is', null)
    .orderBy('sessions.ends_at')
    .execute()

/** Finds an account that support may open: active, and not of the superadmin. */
export const findSupported = (db: Queryable, id: number) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'profile'])
    .where('id', '=', id)
    .where('is_active', '=', true)
    .where('profile', '!=', 'superadmin')
    .executeTakeFirst()
