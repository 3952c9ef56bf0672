import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Assistant of a connection, and its conditions. */
export type ConnectionChoice = {
  readonly assistantId: number | null
  readonly agentId: null
  readonly transcribeAudio: boolean
  readonly when: 'always' | 'closed' | 'away'
  readonly firstTicketOnly: boolean
}

/** Default choice of a connection. */
export const NO_CHOICE: ConnectionChoice = {
  ...{ assistantId: null, agentId: null, transcribeAudio: false, when: 'always', firstTicketOnly: false },
}

/** Whether a connection is there. */
export async function hasConnection(db: Queryable, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('connections')
    .select('id')
    .where('id', '=', id)
    .where('is_deleted', '=', false)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns a connection's assistant settings. */
export async function findChoice(db: Queryable, connectionId: number): Promise<ConnectionChoice> {
  const { rows } = await sql<ConnectionChoice>`
    select account_id as "assistantId", null as "agentId", transcribes as "transcribeAudio", answers_when as "when",
      answers_first_only as "firstTicketOnly"
    from connection_assistants where connection_id = ${connectionId}`.execute(db)
  return rows[0] ?? NO_CHOICE
}

/** Stores a connection's assistant settings. */
export async function saveChoice(db: Tx, connectionId: number, choice: ConnectionChoice, now: Date): Promise<void> {
  const row = {
    ...{ account_id: choice.assistantId, transcribes: choice.transcribeAudio },
    ...{ answers_when: choice.when, answers_first_only: choice.firstTicketOnly, updated_at: now },
  }
  await db
    .insertInto('connection_assistants')
    .values({ tenant_id: sql<number>`app.tenant()`, connection_id: connectionId, ...row })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'connection_id']).doUpdateSet(row))
    .execute()
}

/** Returns the company's connections, each with its assistant. */
export async function listChoices(db: Queryable) {
  const { rows } = await sql<Omit<ConnectionChoice, 'agentId'> & { whatsappId: number; name: string }>`
    select w.id as "whatsappId", w.name, a.account_id as "assistantId", coalesce(a.answers_when, 'always') as "when",
      coalesce(a.answers_first_only, false) as "firstTicketOnly", coalesce(a.transcribes, false) as "transcribeAudio"
    from connections w left join connection_assistants a on a.tenant_id = w.tenant_id and a.connection_id = w.id
    where not w.is_deleted order by w.name, w.id limit 500`.execute(db)
  return rows
}

/** Returns the company's queues, each with the assistant that replaces the connection's. */
export async function listQueueChoices(db: Queryable) {
  const { rows } = await sql<{ queueId: number; name: string; assistantId: number | null }>`
    select q.id as "queueId", q.queue as name, a.account_id as "assistantId"
    from queues q left join queue_assistants a on a.tenant_id = q.tenant_id and a.queue_id = q.id
    where q.is_active order by q.queue, q.id limit 500`.execute(db)
  return rows
}

/** Whether a queue is there. */
export const hasQueue = async (db: Queryable, id: number): Promise<boolean> =>
  (await db.selectFrom('queues').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** Stores a queue's assistant; null: the connection's. */
export async function saveQueueChoice(db: Tx, queueId: number, assistantId: number | null, now: Date): Promise<void> {
  const row = { account_id: assistantId, updated_at: now }
  await db
    .insertInto('queue_assistants')
    .values({ tenant_id: sql<number>`app.tenant()`, queue_id: queueId, ...row })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'queue_id']).doUpdateSet(row))
    .execute()
}
