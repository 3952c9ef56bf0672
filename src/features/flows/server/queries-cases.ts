import { sql } from 'kysely'
import type { Expected } from '#domain/flow/cases.ts'
import type { Simulation } from '#domain/flow/simulate.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Simulated conversation with its contact and channel type; null for an invented contact, or any channel. */
export type Conversation = Simulation & {
  readonly contactId: number | null
  readonly channel: string | null
  /** Facts of a real conversation at its start. */
  readonly known?: Known | undefined
}

type Known = {
  readonly tagIds: readonly number[]
  readonly isFirstTicket: boolean
  readonly values: Readonly<Record<string, string>>
}

const NOTHING: Conversation = { at: 0, events: [], answers: [], contactId: null, channel: null }

/** Row of a case. */
export type StoredCase = {
  readonly id: number
  readonly name: string
  readonly conversation: Conversation
  readonly expect: Expected
}

/** Returns the cases of a flow, oldest first. */
export async function listCases(db: Queryable, flowId: number): Promise<StoredCase[]> {
  const rows = await db
    .selectFrom('flow_cases')
    .select(['id', 'name', 'conversation', 'expect'])
    .where('chat_flow_id', '=', flowId)
    .orderBy('id')
    .execute()
  return rows.map(({ conversation, expect, ...row }) => ({
    ...row,
    conversation: { ...NOTHING, ...(conversation as Partial<Conversation>) },
    expect: expect,
  }))
}

/** Inserts a case, optionally of a ticket, and returns its id. */
export async function insertCase(
  db: Tx,
  flowId: number,
  {
    name,
    conversation,
    expect,
    ticketId,
    now,
  }: Omit<StoredCase, 'id'> & { readonly ticketId: number | null; readonly now: Date },
): Promise<number> {
  const { id } = await db
    .insertInto('flow_cases')
    .values({
      tenant_id: sql`app.tenant()`,
      chat_flow_id: flowId,
      name,
      conversation: JSON.stringify(conversation),
      expect: JSON.stringify(expect),
      ticket_id: ticketId,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Deletes a case of a flow; returns false if it does not exist. */
export async function deleteCase(db: Tx, flowId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('flow_cases')
    .where('chat_flow_id', '=', flowId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
