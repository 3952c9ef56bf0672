import { sql } from 'kysely'
import type { MessageMentions } from '#domain/messages/group-mentions.ts'
import { spellingsOf } from '#domain/phone/brazil.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { numberOf } from './hidden.ts'
import type { LabMessageRow, LabSender, PhoneRow } from './rows.ts'

/** Returns the tenant's connection for phones of a type, under a transaction lock. */
export async function lockLabConnection(
  db: Tx,
  { type, isOwn }: { type: string; isOwn: boolean },
): Promise<number | undefined> {
  await sql`select pg_advisory_xact_lock(7215, app.tenant()::int)`.execute(db)
  const known = db
    .selectFrom('connections')
    .select('id')
    .where('type', '=', type)
    .where('is_deleted', '=', false)
    // A channel with its provider in this installation needs no stand-in.
    .$if(!isOwn, (query) => query.where(sql<boolean>`(config ->> 'standIn' = 'lab' or config ? 'server')`))
  return (await known.orderBy('id').limit(1).executeTakeFirst())?.id
}

const phones = (db: Queryable) =>
  db
    .selectFrom('lab_phones')
    .select(['id', 'connection_id', 'name', 'number', 'faults', 'is_group'])
    .select(['description', 'only_admins_write', 'is_own_admin'])
    .select(
      sql<PhoneRow['members']>`coalesce((
        select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'number', p.number, 'isAdmin', g.is_admin) order by g.is_admin desc, p.id)
        from lab_group_members g join lab_phones p on p.tenant_id = g.tenant_id and p.id = g.phone_id
        where g.tenant_id = lab_phones.tenant_id and g.group_id = lab_phones.id), '[]')`.as('members'),
    )
    .select((of) =>
      of
        .selectFrom('connections as c')
        .select('c.type')
        .whereRef('c.tenant_id', '=', 'lab_phones.tenant_id')
        .whereRef('c.id', '=', 'lab_phones.connection_id')
        .$asScalar()
        .$notNull()
        .as('type'),
    )
    .select((of) =>
      of
        .selectFrom('connections as c')
        .select('c.status')
        .whereRef('c.tenant_id', '=', 'lab_phones.tenant_id')
        .whereRef('c.id', '=', 'lab_phones.connection_id')
        .$asScalar()
        .$notNull()
        .as('status'),
    )
    .select((of) =>
      of
        .selectFrom('connections as c')
        .select(sql<boolean>`c.config ? 'server'`.as('is_linked'))
        .whereRef('c.tenant_id', '=', 'lab_phones.tenant_id')
        .whereRef('c.id', '=', 'lab_phones.connection_id')
        .$asScalar()
        .$notNull()
        .as('is_linked'),
    )

/** Returns the tenant's phones on existing connections, oldest first. */
export const listPhones = (db: Queryable): Promise<PhoneRow[]> =>
  phones(db)
    .where('connection_id', 'in', (q) => q.selectFrom('connections').select('id').where('is_deleted', '=', false))
    .orderBy('id')
    .execute()

/** Returns one phone. */
export const findPhone = (db: Queryable, id: number): Promise<PhoneRow | undefined> =>
  phones(db).where('id', '=', id).executeTakeFirst()

/** Locks and returns one phone, so that its messages and faults are decided one after the other. */
export const lockPhone = (db: Tx, id: number): Promise<PhoneRow | undefined> =>
  phones(db).where('id', '=', id).forUpdate().executeTakeFirst()

/** Returns the phone of a lab conversation, in any spelling of its number. */
export const findPhoneOf = (db: Queryable, connectionId: number, number: string): Promise<PhoneRow | undefined> =>
  phones(db)
    .where('connection_id', '=', connectionId)
    .where('number', 'in', spellingsOf(numberOf(number)))
    .executeTakeFirst()

/** Stores a phone; returns its id. */
export async function insertPhone(
  db: Tx,
  row: { connectionId: number; name: string; number: string; isGroup?: boolean },
): Promise<number> {
  const values = {
    tenant_id: sql<number>`app.tenant()`,
    connection_id: row.connectionId,
    name: row.name,
    number: row.number,
    is_group: row.isGroup ?? false,
  }
  return (await db.insertInto('lab_phones').values(values).returning('id').executeTakeFirstOrThrow()).id
}

/** Deletes a phone with its messages; false if there is none. */
export async function deletePhone(db: Tx, id: number): Promise<boolean> {
  return (await db.deleteFrom('lab_phones').where('id', '=', id).executeTakeFirst()).numDeletedRows > 0n
}

/** Changeable fields of a group besides its members. */
export type GroupFields = Partial<Pick<PhoneRow, 'name' | 'description' | 'only_admins_write' | 'is_own_admin'>>

/** Changes a group. */
export async function updateGroup(db: Tx, id: number, fields: GroupFields): Promise<void> {
  await db.updateTable('lab_phones').set(fields).where('id', '=', id).where('is_group', '=', true).execute()
}

/** Adds phones to a group, or changes whether they are admins. */
export async function saveMembers(
  db: Tx,
  groupId: number,
  members: readonly { phoneId: number; isAdmin: boolean }[],
): Promise<void> {
  await db
    .insertInto('lab_group_members')
    .values(
      members.map(({ phoneId, isAdmin }) => ({
        tenant_id: sql<number>`app.tenant()`,
        group_id: groupId,
        phone_id: phoneId,
        is_admin: isAdmin,
      })),
    )
    .onConflict((c) =>
      c.columns(['tenant_id', 'group_id', 'phone_id']).doUpdateSet((to) => ({ is_admin: to.ref('excluded.is_admin') })),
    )
    .execute()
}

/** Removes a phone from a group. */
export async function removeMember(db: Tx, groupId: number, phoneId: number): Promise<void> {
  await db.deleteFrom('lab_group_members').where('group_id', '=', groupId).where('phone_id', '=', phoneId).execute()
}

/** Returns the groups of a phone. */
export const groupsOf = (db: Queryable, phoneId: number): Promise<PhoneRow[]> =>
  phones(db)
    .where('id', 'in', (q) => q.selectFrom('lab_group_members').select('group_id').where('phone_id', '=', phoneId))
    .orderBy('id')
    .execute()

/** Returns the groups of a connection. */
export const groupsOfConnection = (db: Queryable, connectionId: number): Promise<PhoneRow[]> =>
  phones(db).where('connection_id', '=', connectionId).where('is_group', '=', true).orderBy('id').execute()

/** Stores the faults of a phone. */
export async function saveFaults(db: Tx, id: number, faults: object): Promise<void> {
  await db
    .updateTable('lab_phones')
    .set({ faults: JSON.stringify(faults) })
    .where('id', '=', id)
    .execute()
}

const messages = (db: Queryable) =>
  db
    .selectFrom('lab_messages as m')
    .leftJoin('files as f', (join) => join.onRef('f.tenant_id', '=', 'm.tenant_id').onRef('f.id', '=', 'm.file_id'))
    .select([
      'm.id',
      'm.provider_id',
      'm.seq',
      'm.phone_id',
      'm.from_phone',
      'm.media_type',
      'm.body',
      'm.status',
      'm.timestamp',
      'm.quoted_id',
      'm.data',
      'm.is_forwarded',
      'm.is_edited',
      'm.is_deleted',
      'm.reaction',
      'm.team_reaction',
      'm.file_id',
      'f.name as file_name',
      'f.path as file_path',
      'f.mime as file_mime',
      'f.size as file_size',
      'f.width as file_width',
      'f.height as file_height',
      'f.duration_ms as file_duration_ms',
      sql<readonly number[] | null>`f.waveform`.as('file_waveform'),
      sql<LabSender | null>`m.sender`.as('sender'),
      sql<MessageMentions | null>`m.mentions`.as('mentions'),
    ])

/** Returns a page of a phone's messages, newest first; `before`: last `seq` of the page before. */
export function pageOfPhone(
  db: Queryable,
  phoneId: number,
  { before, limit }: { before: number | null; limit: number },
): Promise<LabMessageRow[]> {
  const page = messages(db).where('m.phone_id', '=', phoneId).orderBy('m.seq', 'desc').limit(limit)
  return (before === null ? page : page.where('m.seq', '<', before)).execute()
}

/**
 * Returns a page of the messages on a phone that are not pending, newest first; `before`: time (epoch ms) and `seq` of the
 * last one of the page before.
 */
export async function savedMessages(
  db: Queryable,
  phoneId: number,
  { before, limit }: { before: readonly [number, number] | null; limit: number },
): Promise<LabMessageRow[]> {
  const page = messages(db)
    .where('m.phone_id', '=', phoneId)
    .where('m.status', '<>', 'pending')
    .where('m.is_deleted', '=', false)
    .orderBy('m.timestamp', 'desc')
    .orderBy('m.seq', 'desc')
    .limit(limit)
  if (before === null) return page.execute()
  const behind = sql<boolean>`(m.timestamp, m.seq) < (to_timestamp(${before[0]}::double precision / 1000.0), ${before[1]}::bigint)`
  return page.where(behind).execute()
}

/** Returns the next `limit` phones of a connection after an id, and their total number. */
export async function phonesOf(
  db: Queryable,
  connectionId: number,
  { after, limit }: { after: number; limit: number },
): Promise<{ rows: PhoneRow[]; total: number }> {
  const all = phones(db).where('connection_id', '=', connectionId)
  const rows = await all.where('id', '>', after).orderBy('id').limit(limit).execute()
  const { n } = await db
    .selectFrom('lab_phones')
    .select((of) => of.fn.countAll<number>().as('n'))
    .where('connection_id', '=', connectionId)
    .executeTakeFirstOrThrow()
  return { rows, total: Number(n) }
}

/** Returns the newest message of each phone. */
export async function lastMessages(db: Queryable): Promise<Map<number, LabMessageRow>> {
  const rows = await messages(db)
    .where('m.id', 'in', (q) =>
      q
        .selectFrom('lab_phones as p')
        .innerJoinLateral(
          (inner) =>
            inner
              .selectFrom('lab_messages as n')
              .select('n.id')
              .whereRef('n.tenant_id', '=', 'p.tenant_id')
              .whereRef('n.phone_id', '=', 'p.id')
              .orderBy('n.seq', 'desc')
              .limit(1)
              .as('last'),
          (join) => join.onTrue(),
        )
        .select('last.id'),
    )
    .execute()
  return new Map(rows.map((row) => [row.phone_id, row]))
}

/** Returns the newest message of a phone. */
export const findLast = (db: Queryable, phoneId: number): Promise<LabMessageRow | undefined> =>
  messages(db).where('m.phone_id', '=', phoneId).orderBy('m.seq', 'desc').limit(1).executeTakeFirst()

/** Returns the newest mail in a conversation written by a mailbox of the laboratory. */
export const findThread = (db: Queryable, connectionId: number, thread: string): Promise<LabMessageRow | undefined> =>
  messages(db)
    .where('m.phone_id', 'in', (q) =>
      q.selectFrom('lab_phones as p').select('p.id').where('p.connection_id', '=', connectionId),
    )
    .where('m.from_phone', '=', true)
    .where(sql<boolean>`coalesce(m.data ->> 'thread', '<' || m.id || '@laboratorio.example>') = ${thread}`)
    .orderBy('m.seq', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Returns and locks the mailboxes of a connection with these addresses. */
export const findMailboxes = (db: Tx, connectionId: number, addresses: readonly string[]): Promise<PhoneRow[]> =>
  phones(db)
    .where('connection_id', '=', connectionId)
    .where(sql<boolean>`number = any(${[...addresses]}::text[])`)
    .orderBy('id')
    .forUpdate()
    .execute()

/** Returns one message of a phone. */
export const findMessage = (db: Queryable, phoneId: number, id: string): Promise<LabMessageRow | undefined> =>
  messages(db).where('m.phone_id', '=', phoneId).where('m.id', '=', id).executeTakeFirst()

/** Returns messages of a phone still on their way to the product, in order of writing. */
export const pendingMessages = (db: Queryable, phoneId: number): Promise<LabMessageRow[]> =>
  messages(db)
    .where('m.phone_id', '=', phoneId)
    .where('m.from_phone', '=', true)
    .where('m.status', '=', 'pending')
    .orderBy('m.seq')
    .execute()

/** Whether a connection exists and is not removed. */
export const isConnectionThere = async (db: Queryable, connectionId: number): Promise<boolean> =>
  (await db
    .selectFrom('connections')
    .select('id')
    .where('id', '=', connectionId)
    .where('is_deleted', '=', false)
    .executeTakeFirst()) !== undefined

/** Returns the pending messages from the phones of a connection, in order of creation. */
export const pendingOf = (db: Queryable, connectionId: number): Promise<LabMessageRow[]> =>
  messages(db)
    .where('m.phone_id', 'in', (q) =>
      q.selectFrom('lab_phones as p').select('p.id').where('p.connection_id', '=', connectionId),
    )
    .where('m.from_phone', '=', true)
    .where('m.status', '=', 'pending')
    .orderBy('m.seq')
    .execute()

/** Returns a message on any phone of the lab. */
export const findOnAnyPhone = (db: Queryable, id: string): Promise<LabMessageRow | undefined> =>
  messages(db).where('m.id', '=', id).executeTakeFirst()

/** Returns a message of a phone by its provider id. */
export const findProviderMessage = (
  db: Queryable,
  phoneId: number,
  providerId: string,
): Promise<LabMessageRow | undefined> =>
  messages(db).where('m.phone_id', '=', phoneId).where('m.provider_id', '=', providerId).executeTakeFirst()

/** Stores a message on a phone; false if it is already stored. */
export async function insertMessage(
  db: Tx,
  row: {
    id: string
    /** Provider id; the message id if left out. */
    providerId?: string
    phoneId: number
    fromPhone: boolean
    mediaType: string
    body: string
    fileId: string | null
    quotedId: string | null
    data: object | null
    sender?: LabSender | null
    mentions?: MessageMentions | null
    isForwarded: boolean
    status: string
    timestamp: Date
  },
): Promise<boolean> {
  const stored = await db
    .insertInto('lab_messages')
    .values({
      tenant_id: sql<number>`app.tenant()`,
      id: row.id,
      phone_id: row.phoneId,
      provider_id: row.providerId ?? row.id,
      from_phone: row.fromPhone,
      media_type: row.mediaType,
      body: row.body,
      file_id: row.fileId,
      quoted_id: row.quotedId,
      data: row.data && JSON.stringify(row.data),
      sender: row.sender ? JSON.stringify(row.sender) : null,
      mentions: row.mentions ? JSON.stringify(row.mentions) : null,
      is_forwarded: row.isForwarded,
      status: row.status,
      timestamp: row.timestamp,
    })
    .onConflict((c) => c.constraint('lab_messages_provider').doNothing())
    .returning('id')
    .executeTakeFirst()
  return stored !== undefined
}

/** Stores older messages above all others on a phone; returns the number of new ones. */
export async function insertSaved(
  db: Tx,
  phoneId: number,
  talk: readonly { id: string; fromPhone: boolean; body: string; timestamp: number; sender: LabSender | null }[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into lab_messages (tenant_id, id, seq, phone_id, provider_id, from_phone, body, status, timestamp, sender) overriding system value
    select app.tenant(), s.id, first.seq - ${talk.length} + s.place, ${phoneId}, s.id, s."fromPhone", s.body,
      case when s."fromPhone" then 'delivered' else 'read' end, to_timestamp(s.timestamp / 1000.0), s.sender
    from (select coalesce(min(seq), 1) - 1 as seq from lab_messages where tenant_id = app.tenant() and phone_id = ${phoneId}) first,
      (select *, row_number() over (order by timestamp, ordinality) as place
        from rows from (jsonb_to_recordset(${JSON.stringify(talk)}::jsonb) as (id uuid, "fromPhone" boolean, body text, timestamp double precision, sender jsonb))
          with ordinality as all_said (id, "fromPhone", body, timestamp, sender, ordinality)) s
    on conflict do nothing`.execute(db)
  return Number(numAffectedRows)
}

/** Columns of a message on a phone that an act changes. */
export type LabChange = {
  body?: string
  is_edited?: boolean
  is_deleted?: boolean
  reaction?: string | null
  team_reaction?: string | null
  /** Mentions as JSON. */
  mentions?: string | null
  data?: string
}

/** Changes a message on a phone unless it was revoked; returns whether it did. */
export async function changeOnPhone(db: Tx, phoneId: number, id: string, change: LabChange): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('lab_messages')
    .set(change)
    .where('phone_id', '=', phoneId)
    .where('id', '=', id)
    .where('is_deleted', '=', false)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Moves messages of a phone from one of several statuses to another; returns the ids of the moved ones, in order. */
export async function moveMessages(
  db: Tx,
  phoneId: number,
  move: { from: readonly string[]; to: string; fromPhone: boolean; ids?: readonly string[] },
): Promise<string[]> {
  let update = db
    .updateTable('lab_messages')
    .set({ status: move.to })
    .where('phone_id', '=', phoneId)
    .where('from_phone', '=', move.fromPhone)
    .where('status', 'in', move.from)
  if (move.ids) update = update.where('id', 'in', move.ids)
  const rows = await update.returning(['id', 'seq']).execute()
  return rows.sort((a, b) => a.seq - b.seq).map((row) => row.id)
}

/** Returns ids of the team's messages on a phone that have one of several statuses, in order. */
export async function teamMessages(db: Queryable, phoneId: number, statuses: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('lab_messages')
    .select('id')
    .where('phone_id', '=', phoneId)
    .where('from_phone', '=', false)
    .where('status', 'in', statuses)
    .orderBy('seq')
    .execute()
  return rows.map((row) => row.id)
}

/** Whether a message is on a phone. */
export async function isOnPhone(db: Queryable, phoneId: number, id: string): Promise<boolean> {
  const message = await db
    .selectFrom('lab_messages')
    .select('id')
    .where('id', '=', id)
    .where('phone_id', '=', phoneId)
    .executeTakeFirst()
  return message !== undefined
}

/** Deletes the messages on a phone, except pending ones. */
export async function clearPhone(db: Tx, phoneId: number): Promise<void> {
  await db.deleteFrom('lab_messages').where('phone_id', '=', phoneId).where('status', '<>', 'pending').execute()
}

/** Returns the attendance's rows for a message, and its steps with their times. */
export async function traceMessage(db: Queryable, connectionId: number, id: string) {
  const found = await db
    .selectFrom('messages as m')
    .innerJoin('tickets as t', (join) =>
      join.onRef('t.tenant_id', '=', 'm.tenant_id').onRef('t.id', '=', 'm.ticket_id'),
    )
    .leftJoin('queues as q', (join) => join.onRef('q.tenant_id', '=', 't.tenant_id').onRef('q.id', '=', 't.queue_id'))
    .select(['m.id', 'm.ticket_id', 'm.is_late', 't.created_at as opened_at', 'q.queue'])
    .where('m.connection_id', '=', connectionId)
    .where('m.provider_id', '=', id)
    .execute()
  const journaled = await sql<{ received_at: Date; processed_at: Date | null; set_aside_at: Date | null }>`
    select received_at, processed_at, set_aside_at from journal_all
    where tenant_id = app.tenant() and connection_id = ${connectionId} and dedupe_key = ${id}`.execute(db)
  const trail = found[0]
    ? await db
        .selectFrom('message_trail')
        .select(['step', 'at'])
        .where('message_id', '=', found[0].id)
        .orderBy('id')
        .execute()
    : []
  return { found, journal: journaled.rows[0], trail }
}
