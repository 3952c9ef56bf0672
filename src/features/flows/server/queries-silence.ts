import { sql } from 'kysely'
import type { FlowTimer } from '#domain/flow/session.ts'
import type { Tx } from '#server/db/db.ts'

type KnownTimer = {
  readonly timer: FlowTimer
  readonly isConnected: boolean
  readonly backAt: Date | null
  readonly isHeard: boolean
}

/**
 * Returns a timer of an active session on an existing connection, and whether an unprocessed message of the customer is in
 * the journal.
 */
export async function findTimer(db: Tx, sessionId: string, timerId: string): Promise<KnownTimer | undefined> {
  const { rows } = await sql<KnownTimer>`
    select timer, c.status = 'CONNECTED' as "isConnected", case when c.connected_at > f.updated_at then c.connected_at end as "backAt", exists (
      select from journal j where j.tenant_id = t.tenant_id and j.processed_at is null and j.connection_id = t.connection_id
        and j.payload ->> 'type' in ('message', 'echo')
        and (app.line_of(j.payload ->> 'conversationKey') = app.line_of(t.conversation_key) or exists (
          select from contact_identities i where i.tenant_id = t.tenant_id and i.contact_id = t.contact_id
            and i.channel = t.channel and i.identity = j.payload ->> 'conversationKey'))) as "isHeard"
    from flow_sessions f
    cross join lateral jsonb_array_elements(f.state -> 'timers') timer
    join tickets t on t.tenant_id = f.tenant_id and t.id = f.ticket_id
    join connections c on c.tenant_id = t.tenant_id and c.id = t.connection_id
    where f.id = ${sessionId} and f.ended_at is null and timer ->> 'id' = ${timerId} and not c.is_deleted`.execute(db)
  return rows[0]
}
