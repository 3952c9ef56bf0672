import { sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { personOf } from '#server/db/person.ts'

/** Address whose picture is due, and the connection to request it by. */
export type DuePicture = { readonly contactId: number; readonly identity: string; readonly connectionId: number }

// Due addresses with a conversation on a connected connection; those requested after `since` wait.
const due = (channel: string, since: Date | null) => sql`
  from contact_identities i join contacts c on c.tenant_id = i.tenant_id and c.id = i.contact_id
  cross join lateral (
    select t.connection_id, t.contact_id from tickets t
    join connections n on n.tenant_id = t.tenant_id and n.id = t.connection_id
    where t.tenant_id = i.tenant_id and t.contact_id = ${personOf('c')}
      and t.channel = i.channel and t.conversation_key = i.identity
      and n.status = 'CONNECTED' and not n.is_deleted order by t.id desc limit 1) t
  where i.channel = ${channel} and i.picture_due_at is not null
    and (${since}::timestamptz is null or i.picture_asked_at is null or i.picture_asked_at < ${since})`

/**
 * Claims the next due addresses of a channel, so that at most `most` are requested since `since`. The caller runs alone for
 * tenant and channel.
 */
export async function claimPictures(
  db: Tx,
  channel: string,
  { most, since, now }: { most: number; since: Date; now: Date },
): Promise<DuePicture[]> {
  const { rows } = await sql<DuePicture>`
    with told as (select count(*)::int as n from contact_identities
      where channel = ${channel} and picture_asked_at is not null and picture_asked_at >= ${since}),
    chosen as materialized (select i.tenant_id, i.channel, i.identity, t.connection_id, t.contact_id ${due(channel, since)}
      order by i.picture_due_at limit greatest(0, ${most} - (select n from told)))
    update contact_identities i set picture_asked_at = ${now} from chosen c
    where i.tenant_id = c.tenant_id and i.channel = c.channel and i.identity = c.identity
    returning c.contact_id as "contactId", i.identity, c.connection_id as "connectionId"`.execute(db)
  return rows
}

/** Checks whether a channel has more due pictures. */
export async function hasDuePictures(db: Queryable, channel: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select exists (select ${due(channel, null)}) as is`.execute(db)
  return firstOf(rows).is
}

/** Marks an address's picture as known at `askedAt`; later changes remain due. */
export const pictureKnown = (db: Tx, channel: string, identity: string, askedAt: Date) =>
  sql`update contact_identities set picture_due_at = null
    where channel = ${channel} and identity = ${identity} and picture_due_at <= ${askedAt}`.execute(db)

/** Marks pictures of addresses as due, after the claimed ones. */
export const picturesDue = (db: Tx, addresses: readonly { channel: string; identity: string }[], now: Date) =>
  sql`update contact_identities i set picture_due_at = greatest(${now}, i.picture_asked_at + interval '1 millisecond')
    from jsonb_to_recordset(${JSON.stringify(addresses)}::jsonb) as a (channel text, identity text)
    where i.channel = a.channel and i.identity = a.identity`.execute(db)

/** Returns the picture file of a contact. */
export const findPicture = async (db: Queryable, id: number): Promise<string | null> =>
  (await db.selectFrom('contacts').select('profile_pic_file').where('id', '=', id).executeTakeFirst())
    ?.profile_pic_file ?? null

/** Returns contacts' addresses on a channel. */
export const addressesOn = (db: Queryable, channel: string, contactIds: readonly number[]) =>
  db
    .selectFrom('contact_identities')
    .select(['channel', 'identity'])
    .where('channel', '=', channel)
    .where('contact_id', 'in', contactIds.length > 0 ? contactIds : [0])
    .execute()

/** Returns the name of a contact. */
export const findName = async (db: Queryable, id: number): Promise<string | undefined> =>
  (await db.selectFrom('contacts').select('name').where('id', '=', id).executeTakeFirst())?.name
