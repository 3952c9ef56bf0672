import { sql } from 'kysely'
import type { Queryable } from '#server/db/db.ts'

/** Row of a recording with its file, if stored here, and its transcript, if any. */
export type RecordingRow = {
  readonly ticketId: number
  readonly transcript: string | null
  readonly file: {
    readonly path: string
    readonly name: string
    readonly mime: string
    readonly size: number
    readonly durationMs: number | null
  } | null
}

/** Finds a recording that was not revoked. */
export async function findRecording(db: Queryable, messageId: string): Promise<RecordingRow | undefined> {
  const { rows } = await sql<RecordingRow>`
    select m.ticket_id as "ticketId", m.data->>'transcript' as transcript,
      case when f.id is not null then jsonb_build_object('path', f.path, 'name', f.name, 'mime', f.mime, 'size', f.size,
        'durationMs', f.duration_ms) end as file
    from messages m left join files f on f.tenant_id = m.tenant_id and f.id = m.file_id
    where m.id = ${messageId}::uuid and m.media_type in ('audio', 'voice') and not m.is_deleted`.execute(db)
  return rows[0]
}

/** Returns a customer's recordings without transcript among the last messages of a ticket. */
export async function listRecordings(db: Queryable, ticketId: number): Promise<{ id: string; isHere: boolean }[]> {
  const { rows } = await sql<{ id: string; isHere: boolean }>`
    select id, file_id is not null as "isHere" from (
      select id, file_id, media_type, from_me, is_deleted, data from messages
      where ticket_id = ${ticketId} order by timestamp desc, seq desc limit 20) latest
    where media_type in ('audio', 'voice') and not from_me and not is_deleted and data->>'transcript' is null
      and coalesce((data->>'viewOnce')::boolean, false) = false`.execute(db)
  return rows
}

/** Returns those of the given connections that have transcription enabled. */
export async function transcribingConnections(db: Queryable, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('connection_assistants')
    .select('connection_id')
    .where('connection_id', 'in', ids)
    .where('transcribes', '=', true)
    .execute()
  return new Set(rows.map((row) => row.connection_id))
}
