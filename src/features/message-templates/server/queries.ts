import { type SqlBool, sql } from 'kysely'
import type {
  MessageTemplate,
  TemplateCategory,
  TemplateContent,
  TemplateStatus,
} from '#domain/message-templates/template.ts'
import type { ProviderTemplate, TemplateNews } from '#providers/channels/port.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { tableOf } from '#server/table.ts'
import { templateTable } from '../table.ts'

/** Row of a message template. */
export type TemplateRecord = {
  id: number
  connectionId: number
  providerId: string
  name: string
  language: string
  category: TemplateCategory
  status: TemplateStatus
  quality: ProviderTemplate['quality']
  reason: string
  content: TemplateContent
  createdAt: Date
  updatedAt: Date
}

/** Table access to message templates. */
export const templateRows = tableOf<TemplateRecord>(templateTable, [
  sql`connection_id as "connectionId"`,
  sql`provider_id as "providerId"`,
  sql`reason`,
  sql`content`,
])

/** SQL filter for templates: of one connection, usable, of existing connections. */
export const narrowed = (connectionId: number | undefined, isUsable: boolean | undefined) => sql<SqlBool>`
  (${connectionId ?? null}::bigint is null or connection_id = ${connectionId ?? null})
  and (not ${isUsable ?? false} or (status = 'APPROVED' and not content ? 'isForeign'))
  and exists (select from connections c where c.tenant_id = message_templates.tenant_id
    and c.id = message_templates.connection_id and not c.is_deleted)`

/** Finds a connection's template by name and language. */
export async function findTemplate(
  db: Queryable,
  { connectionId, name, language }: { connectionId: number; name: string; language: string },
): Promise<MessageTemplate | undefined> {
  const row = await db
    .selectFrom('message_templates')
    .select(['status', 'content'])
    .where('connection_id', '=', connectionId)
    .where('name', '=', name)
    .where('language', '=', language)
    .executeTakeFirst()
  return row && { ...row.content, name, language, status: row.status }
}

const contentOf = ({
  format,
  header,
  body,
  samples,
  footer,
  buttons,
  code,
  isForeign,
}: TemplateContent): TemplateContent => ({
  ...{ format, header, body, samples, footer, buttons },
  ...(code ? { code } : {}),
  ...(isForeign ? { isForeign } : {}),
})

/** Upserts a provider's templates; news received after `asked` remain. Returns their ids. */
export async function saveTemplates(
  db: Tx,
  connectionId: number,
  templates: readonly ProviderTemplate[],
  { asked, now }: { asked: Date; now: Date },
): Promise<number[]> {
  const rows = templates.map((one) => ({
    ...{ providerId: one.id, name: one.name, language: one.language, category: one.category },
    ...{ status: one.status, quality: one.quality, reason: one.reason, content: contentOf(one) },
  }))
  const { rows: saved } = await sql<{ id: number }>`
    insert into message_templates as t (tenant_id, connection_id, provider_id, name, language, category, status, quality, reason, content, created_at, updated_at)
    select app.tenant(), ${connectionId}, r."providerId", r.name, r.language, r.category, r.status, r.quality, r.reason, r.content, ${now}, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r ("providerId" text, name text, language text, category text, status text, quality text, reason text, content jsonb)
    on conflict (tenant_id, connection_id, name, language) do update set
      provider_id = excluded.provider_id, content = excluded.content, updated_at = excluded.updated_at,
      category = case when t.told_at >= date_trunc('second', ${asked}::timestamptz) then t.category else excluded.category end,
      status = case when t.told_at >= date_trunc('second', ${asked}::timestamptz) then t.status else excluded.status end,
      quality = case when t.told_at >= date_trunc('second', ${asked}::timestamptz) then t.quality else excluded.quality end,
      reason = case when t.told_at >= date_trunc('second', ${asked}::timestamptz) then t.reason else excluded.reason end
    returning id`.execute(db)
  return saved.map(({ id }) => id)
}

/** Removes the templates of a connection that no longer exist at its provider. */
export async function removeOthers(db: Tx, connectionId: number, saved: readonly number[]): Promise<void> {
  await sql`delete from message_templates where connection_id = ${connectionId} and id <> all(${[...saved]}::bigint[])`.execute(
    db,
  )
}

/**
 * Returns the tenants of templates by their ids at the provider, of tenant `owner` only if given; requires platform database
 * access.
 */
export async function ownersOf(
  db: Tx,
  providerIds: readonly string[],
  owner: number | null,
): Promise<{ tenantId: number; providerId: string }[]> {
  const { rows } = await sql<{ tenantId: number; providerId: string }>`
    select distinct tenant_id as "tenantId", provider_id as "providerId" from message_templates
    where provider_id = any(${[...providerIds]}::text[]) and (${owner}::bigint is null or tenant_id = ${owner})`.execute(
    db,
  )
  return rows
}

/** Stores a provider's news about templates, unless newer ones are stored; returns the affected connections. */
export async function noteNews(db: Tx, news: readonly TemplateNews[], now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with latest as (
      select distinct on (n.id) n.* from jsonb_to_recordset(${JSON.stringify(news.map(asRow))}::jsonb)
        as n (id text, at double precision, status text, category text, reason text, quality text, "hasQuality" boolean)
      order by n.id, n.at desc)
    update message_templates t set told_at = to_timestamp(n.at / 1000), updated_at = ${now},
      status = coalesce(n.status, t.status), category = coalesce(n.category, t.category), reason = coalesce(n.reason, t.reason),
      quality = case when n."hasQuality" then n.quality else t.quality end
    from latest n where t.tenant_id = app.tenant() and t.provider_id = n.id
      and (t.told_at is null or t.told_at <= to_timestamp(n.at / 1000))
    returning t.connection_id as id`.execute(db)
  return [...new Set(rows.map(({ id }) => id))]
}

const asRow = ({ quality, ...rest }: TemplateNews) => ({ ...rest, quality, hasQuality: quality !== undefined })
