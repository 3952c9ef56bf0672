import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Queryable } from '#server/db/db.ts'

// Texts in more messages than this are soon found among the newest, and are not counted further.
const FEW = 1000

/** Search of a message list: the text, and a filter on messages `m` of the list. */
export type Searched = {
  readonly text: string
  /** Message types whose text is searched (null: all); null: text is not searched. */
  readonly bodies: { readonly types: readonly string[] | null } | null
  /** Whether contacts may be found by their names. */
  readonly names: boolean
  /** Ticket whose messages all match. */
  readonly ticketId: number | null
  readonly ofList: RawBuilder<SqlBool>
}

/**
 * Returns the ids that contain every search result, if few; null if they may be many. Otherwise a search for a rare text
 * would scan the whole list.
 */
export async function findFew(
  db: Queryable,
  { text, bodies, names, ticketId, ofList }: Searched,
): Promise<string[] | null> {
  // The trigram index needs three letters in a row.
  if (!/[\p{L}\p{N}]{3}/u.test(text)) return null
  const ids: string[] = []
  if (bodies) {
    const { rows } = await sql<{ id: string; isHit: boolean }>`
      select id, is_hit as "isHit" from app.search_messages(array[${text}]::text[], null, null, null, null, null,
        ${bodies.types}::text[], null, null, ${FEW + 1})`.execute(db)
    if (rows.length > FEW || rows.some(({ isHit }) => !isHit)) return null
    ids.push(...rows.map(({ id }) => id))
  }
  if (names) {
    const { rows: persons } = await sql<{ id: number }>`
      select id from app.search_contacts(${text}, ${FEW + 1})`.execute(db)
    if (persons.length > FEW) return null
    const found = persons.map(({ id }) => id)
    // Messages remain with their original contact, also after a merge.
    const { rows } = await sql<{ id: string }>`
      select m.id from (
        select unnest(${found}::bigint[]) as id union select id from contacts where merged_into = any(${found}::bigint[])) c
      cross join lateral (select m.id from messages m
        where m.tenant_id = app.tenant() and m.contact_id = c.id and ${ofList} offset 0) m limit ${FEW + 1}`.execute(db)
    if (rows.length > FEW) return null
    ids.push(...rows.map(({ id }) => id))
  }
  if (ticketId !== null) {
    const { rows } = await sql<{ id: string }>`select m.id from messages m
      where m.tenant_id = app.tenant() and m.ticket_id = ${ticketId} and ${ofList} limit ${FEW + 1}`.execute(db)
    if (rows.length > FEW) return null
    ids.push(...rows.map(({ id }) => id))
  }
  return ids
}
