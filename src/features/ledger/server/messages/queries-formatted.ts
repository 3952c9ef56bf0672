import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Stores the HTML of those of the messages that are stored. */
export async function insertFormatted(
  db: Tx,
  messages: readonly { readonly id: string; readonly html?: string | null }[],
): Promise<void> {
  const formatted = messages.flatMap(({ id, html }) => (html ? [{ id, html }] : []))
  if (formatted.length === 0) return
  await sql`insert into message_html (tenant_id, message_id, html)
    select m.tenant_id, m.id, f.html from jsonb_to_recordset(${JSON.stringify(formatted)}::jsonb) as f (id uuid, html text)
    join messages m on m.tenant_id = app.tenant() and m.id = f.id`.execute(db)
}

/** Returns the HTML of a message; undefined if it has none or is deleted. */
export async function findFormatted(db: Queryable, messageId: string): Promise<string | undefined> {
  const { rows } = await sql<{ html: string }>`
    select h.html from message_html h join messages m on m.tenant_id = h.tenant_id and m.id = h.message_id
    where h.tenant_id = app.tenant() and h.message_id = ${messageId}::uuid and not m.is_deleted`.execute(db)
  return rows[0]?.html
}
