import { sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { Queryable } from '#server/db/db.ts'

/** Returns which first steps of a company are done. */
export async function companyFacts(db: Queryable) {
  const { rows } = await sql<{ channel: boolean; people: boolean; hours: boolean; bot: boolean; trial: boolean }>`
    select exists (select from connections where not is_deleted and first_connected_at is not null) as channel,
      (select count(*) from (select from users where is_active limit 2) people) > 1 as people,
      exists (select from settings where key = 'businessHours' and value <> '[]') as hours,
      exists (select from chat_flows where not is_deleted and published_version is not null) as bot,
      exists (select from lab_messages where not from_phone) as trial`.execute(db)
  return firstOf(rows)
}

/** Returns which first steps of an agent are done. */
export async function agentFacts(db: Queryable, userId: number) {
  const { rows } = await sql<{
    presence: boolean
    signature: boolean
    notices: boolean
    reply: boolean
    answer: boolean
  }>`
    select u.is_online as presence,
      coalesce(u.configs #>> '{preferences,signature}', '') <> '' as signature,
      coalesce((u.configs #>> '{preferences,notices}')::boolean, false) as notices,
      exists (select from fast_replies where user_id = u.id) as reply,
      exists (select from tickets t join messages m on m.tenant_id = t.tenant_id and m.ticket_id = t.id
        where t.user_id = u.id and m.from_me and m.user_id = u.id) as answer
    from users u where u.id = ${userId}`.execute(db)
  return firstOf(rows)
}

/** Returns the stored health of what is set up; channels by type, without those that a person disconnected. */
export async function healthFacts(db: Queryable) {
  const { rows: channels } = await sql<{ type: string; up: number; away: number }>`
    select type, count(*) filter (where status = 'CONNECTED')::int as up,
      count(*) filter (where first_connected_at is not null and status <> 'CONNECTED'
        and cause is distinct from 'person')::int as away
    from connections where not is_deleted group by type`.execute(db)
  const { rows: assistants } = await sql<{ provider: string; up: number; away: number }>`
    select provider, count(*) filter (where (state ->> 'ok')::boolean)::int as up,
      count(*) filter (where not (state ->> 'ok')::boolean)::int as away
    from provider_settings where kind = 'assistant' and is_active group by provider`.execute(db)
  const { rows } = await sql<{ mail: string | null; setAside: boolean; proxiesUp: number; proxiesAway: number }>`
    select (select value::jsonb ->> 'smtp' from settings where key = 'mail' and value <> '') as mail,
      exists (select from journal where set_aside_at is not null) as "setAside",
      count(*) filter (where failure is null and tested_at is not null)::int as "proxiesUp",
      count(*) filter (where failure is not null)::int as "proxiesAway"
    from proxies where is_active`.execute(db)
  return { channels, assistants, ...firstOf(rows) }
}
