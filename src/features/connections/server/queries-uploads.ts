import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Under which id the provider of a connection knows a file that it holds still; null where it does not. */
export async function findUpload(
  db: Queryable,
  connectionId: number,
  content: string,
  now: Date,
): Promise<string | null> {
  const found = await db
    .selectFrom('channel_uploads')
    .select('provider_id')
    .where('connection_id', '=', connectionId)
    .where('content', '=', content)
    .where('used_until', '>', now)
    .executeTakeFirst()
  return found?.provider_id ?? null
}

type SavedUpload = {
  readonly connectionId: number
  readonly content: string
  readonly providerId: string
  readonly until: Date
}

/** Notes that a provider holds a file; what it holds no more of the connection's is forgotten. */
export async function saveUpload(
  db: Tx,
  { connectionId, content, providerId, until }: SavedUpload,
  now: Date,
): Promise<void> {
  await db
    .deleteFrom('channel_uploads')
    .where('connection_id', '=', connectionId)
    .where('used_until', '<=', now)
    .execute()
  await sql`insert into channel_uploads (tenant_id, connection_id, content, provider_id, used_until)
    values (app.tenant(), ${connectionId}, ${content}, ${providerId}, ${until})
    on conflict (tenant_id, connection_id, content) do update set provider_id = excluded.provider_id, used_until = excluded.used_until`.execute(
    db,
  )
}

/** A provider does not have a file any more. */
export const forgetUpload = (db: Tx, connectionId: number, content: string) =>
  db.deleteFrom('channel_uploads').where('connection_id', '=', connectionId).where('content', '=', content).execute()
