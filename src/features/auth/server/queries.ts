import type { Queryable } from '#server/db/db.ts'

/** Finds the password hash and token version of an active user; undefined if there is none. */
export const findPassword = (db: Queryable, id: number) =>
  db
    .selectFrom('users')
    .select(['password_hash', 'token_version'])
    .where('id', '=', id)
    .where('is_active', '=', true)
    .executeTakeFirst()

/** Finds a user with queues and permitted connections. */
export async function findUserForLogin(db: Queryable, id: number) {
  const [user, queues, connections] = await Promise.all([
    db.selectFrom('users').selectAll().where('id', '=', id).where('is_active', '=', true).executeTakeFirst(),
    db
      .selectFrom('user_queues')
      .innerJoin('queues', (join) =>
        join.onRef('queues.tenant_id', '=', 'user_queues.tenant_id').onRef('queues.id', '=', 'user_queues.queue_id'),
      )
      .select(['queues.id', 'queues.queue'])
      .where('user_queues.user_id', '=', id)
      .execute(),
    db
      .selectFrom('user_connections')
      .innerJoin('connections', (join) =>
        join
          .onRef('connections.tenant_id', '=', 'user_connections.tenant_id')
          .onRef('connections.id', '=', 'user_connections.connection_id'),
      )
      .select(['connections.id', 'connections.name'])
      .where('user_connections.user_id', '=', id)
      .where('connections.is_deleted', '=', false)
      .execute(),
  ])
  if (!user) return null
  return { user, queues, connections }
}

/**
 * Reads the owner's one-time code (hash and expiry), and whether a tenant exists; `lock` locks the row until the transaction
 * ends.
 */
export async function readInstallation(db: Queryable, lock = false) {
  const [row, tenant] = await Promise.all([
    db
      .selectFrom('installation')
      .select('data')
      .$if(lock, (query) => query.forUpdate())
      .executeTakeFirstOrThrow(),
    db.selectFrom('tenants').select('id').limit(1).executeTakeFirst(),
  ])
  return { data: row.data as { ownerCode?: { hash: string; expiresAt: string } }, hasTenant: tenant !== undefined }
}

/** Finds the user of an invitation or e-mail confirmation link. */
export const findInvited = (db: Queryable, id: number) =>
  db.selectFrom('users').select(['email', 'name']).where('id', '=', id).executeTakeFirst()
