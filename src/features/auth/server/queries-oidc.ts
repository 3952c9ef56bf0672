import { sql } from 'kysely'
import type { Tx } from '#server/db/db.ts'

/** Whether a user is already known to an issuer under some id. */
export async function findLink(
  db: Tx,
  { tenantId, userId, issuer }: { tenantId: number; userId: number; issuer: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('directory')
    .select('kind')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'oidc')
    .where('subject_id', '=', String(userId))
    .where(sql<string>`data->>'issuer'`, '=', issuer)
    .executeTakeFirst()
  return row !== undefined
}
