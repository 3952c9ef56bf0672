import { type Insertable, sql } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { type CompanyRemoval, removed } from '#server/db/removal.ts'

/** Returns those of the messages that are not deleted, with the text that may have a link. */
export const findLinked = (db: Queryable, ids: readonly string[]) =>
  db
    .selectFrom('messages')
    .select(['id', 'ticket_id', 'body', 'data'])
    .where('id', 'in', [...ids])
    .where('is_deleted', '=', false)
    .execute()

/** Returns the unexpired link card of an address; a `title` of null: nothing to show. */
export const findCard = (db: Queryable, key: string, now: Date) =>
  db
    .selectFrom('link_cards')
    .select(['id', 'title'])
    .where('key', '=', key)
    .where('expires_at', '>', now)
    .executeTakeFirst()

type Card = Pick<Insertable<DB['link_cards']>, 'key' | 'url' | 'title' | 'description' | 'site' | 'file_id'>

/** Stores the link card of an address; a card without a title only extends a known one. */
export const saveCard = (db: Tx, card: Card, { now, expiresAt }: { now: Date; expiresAt: Date }) =>
  db
    .insertInto('link_cards')
    .values({ ...card, tenant_id: sql<number>`app.tenant()`, fetched_at: now, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'key'])
        .doUpdateSet(
          card.title === null ? { expires_at: expiresAt } : { ...card, fetched_at: now, expires_at: expiresAt },
        ),
    )
    .returning(['id', 'title'])
    .executeTakeFirstOrThrow()

/** Sets or removes the link card of messages; returns the ids of the changed ones. */
export async function setCard(db: Tx, ids: readonly string[], cardId: number | null, now: Date): Promise<string[]> {
  const rows = await db
    .updateTable('messages')
    .set({ link_card_id: cardId, updated_at: now })
    .where('id', 'in', [...ids])
    .where('is_deleted', '=', false)
    .where('link_card_id', 'is distinct from', cardId)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes those of the cards that no message shows; returns the ids of their pictures. */
export async function removeUnshown(db: Tx, ids: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ fileId: string | null }>`
    delete from link_cards c where c.tenant_id = app.tenant() and c.id = any(${[...ids]}::bigint[])
      and not exists (select from messages m where m.tenant_id = c.tenant_id and m.link_card_id = c.id)
    returning c.file_id as "fileId"`.execute(db)
  return rows.flatMap(({ fileId }) => fileId ?? [])
}

/** Removes expired cards that no message shows. */
export const removeCards: CompanyRemoval = (db, before, most, tenantId) =>
  removed(
    db,
    sql`delete from link_cards where tenant_id = ${tenantId} and id in (
      select c.id from link_cards c where c.tenant_id = ${tenantId} and c.expires_at < ${before}
        and not exists (select from messages m where m.tenant_id = c.tenant_id and m.link_card_id = c.id)
      limit ${most})`,
  )
