import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { Queryable } from '#server/db/db.ts'
import type { variables } from '../contract.ts'

/** Maximum number of rows of a result. */
const MOST = 5000

type Use = z.output<typeof variables.uses.returns>['uses'][number]

/** Returns the name of a constant; undefined if deleted. */
export async function nameOfConstant(db: Queryable, id: number): Promise<string | undefined> {
  const row = await db.selectFrom('template_constants').select('name').where('id', '=', id).executeTakeFirst()
  return row?.name
}

/** Returns the company's constants, by name. */
export const listConstants = (db: Queryable) =>
  db.selectFrom('template_constants').select(['id', 'name', 'value']).orderBy('name').limit(MOST).execute()

/** Returns the custom contact fields with their variable names, in form order. */
export const listFieldVariables = (db: Queryable) =>
  db
    .selectFrom('contact_fields')
    .select(['id', 'name', 'type', 'options', 'variable'])
    .orderBy('position')
    .orderBy('id')
    .execute()

/** Returns the variables that flow drafts store: answers by name, and (ending in a point) results of HTTP calls. */
export async function listCaptured(db: Queryable): Promise<{ id: number; flow: string; name: string }[]> {
  const { rows } = await sql<{ id: number; flow: string; name: string }>`
    select distinct f.id, f.name as flow, k.name from chat_flows f cross join lateral (
      select key #>> '{}' as name from jsonb_path_query(f.definition, '$.**.variableKey') key
      union select (key #>> '{}') || '.' from jsonb_path_query(f.definition, '$.**.saveAs') key
    ) k where f.tenant_id = app.tenant() and not f.is_deleted and k.name ~ '^[^[:space:]{}|.:]+[.]?$'
    order by k.name, f.id limit ${MOST}`.execute(db)
  return rows
}

// Pattern of a variable in braces, as the renderer reads it (`domain/messages/template.ts`).
const NAMES = '\\{\\{\\s*([^[:space:]{}|.:]+(?:\\.[^[:space:]{}|.:]+)*)\\s*(?:\\|[^{}]*)?\\}\\}'

// All texts that may use variables, and the variable names in flows' conditions; `isTheirs` filters users' own texts.
const usesIn = (isTheirs: RawBuilder<SqlBool>) => sql`
  select distinct n.name[1] as name, t.kind, t.id, t.title from (
    select 'fastReply' as kind, id, '/' || key as title, message as text from fast_replies where is_public or ${isTheirs}
    union all select 'farewell', id, name, message from farewells
    union all select 'absence', 0, '', value from settings where key = 'messageBusinessHours'
    union all select case when key like 'rating%' then 'rating' else 'setting' end, 0, '', value from settings
      where key in ('autoCloseMessage', 'callRejectMessage', 'rating', 'ratingStore', 'ratingStoreError', 'ratingStoreAttemp')
    union all select 'queue', id, queue, message_business_hours || ' ' || auto_close_message from queues
    union all select 'connection', id, name, farewell_message from connections where not is_deleted
    union all select 'birthday', c.id, c.name, b.message from birthday_settings b join connections c
      on c.tenant_id = b.tenant_id and c.id = b.connection_id and not c.is_deleted
    union all select 'macro', id, name, actions::text from macros where audience <> 'person' or ${isTheirs}
    union all select 'rule', id, name, actions::text from rules
    union all select 'flow', f.id, f.name, f.definition::text || coalesce(v.definition::text, '') || coalesce(w.definition::text, '') || coalesce((
        select string_agg('{{' || (k.name #>> '{}') || '}}', ' ')
        from jsonb_path_query(jsonb_build_array(f.definition, v.definition, w.definition), '$[*].**.variable') k (name)), '') from chat_flows f
      left join chat_flow_versions v on v.tenant_id = f.tenant_id and v.chat_flow_id = f.id and v.version = f.published_version
      left join chat_flow_versions w on w.tenant_id = f.tenant_id and w.chat_flow_id = f.id and w.version = f.trial_version
      where not f.is_deleted and f.auto_reply_id is null
    union all select 'autoReply', id, name, steps::text from auto_replies
  ) t cross join lateral regexp_matches(t.text, ${NAMES}, 'g') n (name)`

/** Returns all uses of variables in the company's texts and a user's own. */
export async function listUses(db: Queryable, userId: number): Promise<Use[]> {
  const { rows } = await sql<Use>`${usesIn(sql<SqlBool>`user_id = ${userId}`)}
    order by 1, t.kind, t.title, t.id limit ${MOST}`.execute(db)
  return rows
}

/** Whether any text of any user uses a variable. */
export async function isUsed(db: Queryable, name: string): Promise<boolean> {
  const { rows } = await sql`select from (${usesIn(sql<SqlBool>`true`)}) u where u.name = ${name} limit 1`.execute(db)
  return rows.length > 0
}
