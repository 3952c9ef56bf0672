import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Returns the provider's unexpired id of an uploaded file; null if there is none. */
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

/** Stores an upload, and deletes the connection's expired ones. */
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

/** Deletes an upload that the provider no longer has. */
export const forgetUpload = (db: Tx, connectionId: number, content: string) =>
  db.deleteFrom('channel_uploads').where('connection_id', '=', connectionId).where('content', '=', content).execute()
