import { sql } from 'kysely'
import type { FlowDocument } from '#domain/flow/document.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Stored secret of a flow. */
export type StoredSecret = {
  readonly id: string
  readonly name: string
  readonly origin: string
  readonly hint: string
  readonly encrypted: string
}

/** Returns the secrets of a flow, oldest first. */
export const listSecrets = (db: Queryable, flowId: number): Promise<StoredSecret[]> =>
  db
    .selectFrom('flow_secrets')
    .select(['id', 'name', 'origin', 'hint', 'encrypted'])
    .where('chat_flow_id', '=', flowId)
    .orderBy('id')
    .execute()

/** Inserts secrets of a flow. */
export async function insertSecrets(
  db: Tx,
  flowId: number,
  secrets: readonly StoredSecret[],
  now: Date,
): Promise<void> {
  if (secrets.length === 0) return
  await db
    .insertInto('flow_secrets')
    .values(secrets.map((one) => ({ tenant_id: sql`app.tenant()`, chat_flow_id: flowId, ...one, created_at: now })))
    .execute()
}

/** Sets the origin of secrets that have none. */
export async function bindSecrets(db: Tx, origins: readonly { id: string; origin: string }[]): Promise<void> {
  if (origins.length === 0) return
  await sql`update flow_secrets s set origin = o.origin
    from jsonb_to_recordset(${JSON.stringify(origins)}::jsonb) as o (id uuid, origin text)
    where s.tenant_id = app.tenant() and s.id = o.id and s.origin = ''`.execute(db)
}

/** Deletes secrets that neither the flow's draft nor a version refers to. */
export async function removeUnusedSecrets(db: Tx, flowId: number): Promise<void> {
  await sql`
    with documents as (
      select definition::text as document from chat_flows where id = ${flowId}
      union all select definition::text from chat_flow_versions where chat_flow_id = ${flowId}
    ), used as (
      select distinct found[1]::uuid as id from documents, regexp_matches(document, '\{\{secret:([0-9a-f-]{36})\}\}', 'g') found
    )
    delete from flow_secrets s where s.chat_flow_id = ${flowId} and not exists (select from used where used.id = s.id)`.execute(
    db,
  )
}

/** Returns flows with a document that still contains secrets; requires platform database access. */
export async function flowsWithSecrets(db: Tx): Promise<{ tenantId: number; flowId: number }[]> {
  const { rows } = await sql<{ tenantId: number; flowId: number }>`
    select tenant_id as "tenantId", id as "flowId" from chat_flows where not secrets_apart
    union select tenant_id, chat_flow_id from chat_flow_versions where not secrets_apart order by 1, 2`.execute(db)
  return rows
}

/** Returns the documents of a flow that contain secrets, locked until the end of the transaction; the draft has no version. */
export async function documentsWithSecrets(
  db: Tx,
  flowId: number,
): Promise<{ version: number | null; definition: FlowDocument }[]> {
  await sql`select from chat_flows where id = ${flowId} for update`.execute(db)
  const { rows } = await sql<{ version: number | null; definition: FlowDocument }>`
    select null as version, definition from chat_flows where id = ${flowId} and not secrets_apart
    union all select version, definition from chat_flow_versions where chat_flow_id = ${flowId} and not secrets_apart`.execute(
    db,
  )
  return rows
}

/** Stores a document without its secrets; its masked form stays the same. */
export async function saveWithoutSecrets(
  db: Tx,
  flowId: number,
  { version, definition }: { version: number | null; definition: object },
): Promise<void> {
  const change = { definition: JSON.stringify(definition), secrets_apart: true }
  if (version === null) await db.updateTable('chat_flows').set(change).where('id', '=', flowId).execute()
  else
    await db
      .updateTable('chat_flow_versions')
      .set(change)
      .where('chat_flow_id', '=', flowId)
      .where('version', '=', version)
      .execute()
}

/** Returns the ids of the keys that encrypt secrets; requires platform database access. */
export async function keysOfFlows(db: Tx): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct split_part(encrypted, '.', 1) as key from flow_secrets`.execute(db)
  return rows.map(({ key }) => key)
}
