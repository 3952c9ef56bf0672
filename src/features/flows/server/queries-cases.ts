import { sql } from 'kysely'
import type { Expected } from '#domain/flow/cases.ts'
import type { Simulation } from '#domain/flow/simulate.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** A simulated conversation: its contact and type of channel; null for an invented contact on any channel. */
export type Conversation = Simulation & {
  readonly contactId: number | null
  readonly channel: string | null
  /** What was known of a real one when it began. */
  readonly known?: Known | undefined
}

type Known = {
  readonly tagIds: readonly number[]
  readonly isFirstTicket: boolean
  readonly values: Readonly<Record<string, string>>
}

const NOTHING: Conversation = { at: 0, events: [], answers: [], contactId: null, channel: null }

/** A case as it is stored. */
export type StoredCase = {
  readonly id: number
  readonly name: string
  readonly conversation: Conversation
  readonly expect: Expected
}

/** The cases of a flow, oldest first. */
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

/** Stores a case, which may be of a ticket, and answers its id. */
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

/** Removes a case of a flow; false where there is none. */
export async function deleteCase(db: Tx, flowId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('flow_cases')
    .where('chat_flow_id', '=', flowId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
