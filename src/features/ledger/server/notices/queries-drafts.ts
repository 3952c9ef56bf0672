import { sql } from 'kysely'
import type { MailDraft } from '#domain/messages/mail.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Stored draft; `revision` counts its versions. */
export type StoredDraft = {
  body: string
  is_note: boolean
  quoted_id: string | null
  mail: MailDraft | null
  revision: number
}

/** Returns a user's draft; undefined if there never was one. */
export const findDraft = (db: Queryable, userId: number, ticketId: number): Promise<StoredDraft | undefined> =>
  db
    .selectFrom('drafts')
    .select(['body', 'is_note', 'quoted_id', 'mail', 'revision'])
    .$castTo<StoredDraft>()
    .where('user_id', '=', userId)
    .where('ticket_id', '=', ticketId)
    .executeTakeFirst()

/**
 * Saves a user's draft over version `base` (null: any) and returns its revision; undefined on a conflict. An equal text
 * changes nothing, and an emptied draft is no conflict for version 0.
 */
export async function saveDraft(
  db: Tx,
  draft: {
    userId: number
    ticketId: number
    body: string
    isNote: boolean
    quotedId: string | null
    mail: MailDraft | null
    base: number | null
    now: Date
  },
): Promise<number | undefined> {
  const isSame = sql`(d.body, d.is_note, d.quoted_id, d.mail) is not distinct from
    (excluded.body, excluded.is_note, excluded.quoted_id, excluded.mail)`
  const { rows } = await sql<{ revision: number }>`
    insert into drafts as d (tenant_id, user_id, ticket_id, body, is_note, quoted_id, mail, updated_at)
    values (app.tenant(), ${draft.userId}, ${draft.ticketId}, ${draft.body}, ${draft.isNote}, ${draft.quotedId},
      ${draft.mail && JSON.stringify(draft.mail)}::jsonb, ${draft.now})
    on conflict (tenant_id, user_id, ticket_id) do update
      set body = excluded.body, is_note = excluded.is_note, quoted_id = excluded.quoted_id, mail = excluded.mail, updated_at = excluded.updated_at,
        revision = case when ${isSame} then d.revision else d.revision + 1 end
      where ${isSame} or d.revision = coalesce(${draft.base}::int, d.revision) or (${draft.base === 0} and d.body = '' and d.quoted_id is null and d.mail is null)
    returning revision`.execute(db)
  return rows[0]?.revision
}
