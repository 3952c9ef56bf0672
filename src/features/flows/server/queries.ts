import { type SqlBool, sql } from 'kysely'
import type { FlowDocument } from '#domain/flow/document.ts'
import type { Configurations } from '#domain/flow/flow.ts'
import type { StartingFlow, StartingVersions } from '#domain/flow/start.ts'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

const drawn = (db: Queryable, id: number) =>
  db
    .selectFrom('chat_flows')
    .selectAll()
    .where('id', '=', id)
    .where('is_deleted', '=', false)
    .where('auto_reply_id', 'is', null)

/** Returns a chat flow, except those compiled from auto replies. */
export const findFlow = (db: Queryable, id: number) => drawn(db, id).executeTakeFirst()

/** Returns a chat flow, locked until the end of the transaction. */
export const lockFlow = (db: Tx, id: number) => drawn(db, id).forUpdate().executeTakeFirst()

/** Returns the draft's revision and the published and trial versions of a flow. */
export const findState = (db: Queryable, id: number) =>
  db
    .selectFrom('chat_flows')
    .select(['revision', 'published_version as version', 'trial_version as trial'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** Row of a chat flow. */
export type FlowRecord = NonNullable<Awaited<ReturnType<typeof findFlow>>>

/** Inserts an unpublished flow with its draft and returns its id. */
export async function insertFlow(
  db: Tx,
  row: { name: string; isActive: boolean; testNumber: string; definition: object; autoReplyId?: number; now: Date },
): Promise<number> {
  const { id } = await db
    .insertInto('chat_flows')
    .values({
      tenant_id: sql`app.tenant()`,
      name: row.name,
      is_active: row.isActive,
      test_number: row.testNumber,
      definition: JSON.stringify(row.definition),
      published_version: null,
      auto_reply_id: row.autoReplyId ?? null,
      secrets_apart: true,
      created_at: row.now,
      updated_at: row.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changeable fields of a chat flow; a `definition` increments the draft's revision. */
export type FlowChange = {
  name?: string | undefined
  isActive?: boolean | undefined
  testNumber?: string | undefined
  definition?: object
  isDeleted?: true
}

/** Changes a chat flow. */
export async function updateFlow(db: Tx, id: number, change: FlowChange, now: Date): Promise<void> {
  const { name, isActive, testNumber, definition, isDeleted } = change
  await db
    .updateTable('chat_flows')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(isActive === undefined ? {} : { is_active: isActive }),
      ...(testNumber === undefined ? {} : { test_number: testNumber }),
      ...(definition
        ? { definition: JSON.stringify(definition), revision: sql<number>`revision + 1`, secrets_apart: true }
        : {}),
      ...(isDeleted ? { is_deleted: true, is_active: false } : {}),
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
}

/** Inserts a document as the flow's next version and returns its number. */
export async function insertVersion(
  db: Tx,
  { flowId, definition, userId, now }: { flowId: number; definition: object; userId: number; now: Date },
): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    insert into chat_flow_versions (tenant_id, chat_flow_id, version, definition, user_id, created_at, secrets_apart)
    select app.tenant(), ${flowId}, coalesce(max(version), 0) + 1, ${JSON.stringify(definition)}::jsonb, ${userId}, ${now}, true
      from chat_flow_versions where chat_flow_id = ${flowId}
    returning version`.execute(db)
  return firstOf(rows).version
}

/** Makes a version the published one, with its start conditions. */
export async function publishVersion(
  db: Tx,
  {
    flowId,
    version,
    begins: { keyword, startsOn },
    now,
  }: { flowId: number; version: number; begins: Pick<Configurations, 'keyword' | 'startsOn'>; now: Date },
): Promise<void> {
  const trial = { trial_version: null, trial_share: null }
  await db
    .updateTable('chat_flows')
    .set({ published_version: version, keyword, starts_on: startsOn ?? '', ...trial, updated_at: now })
    .where('id', '=', flowId)
    .execute()
}

/** Sets the trial version and its share of new conversations in percent; null ends the trial. */
export async function setTrial(
  db: Tx,
  flowId: number,
  trial: { version: number; share: number } | null,
  now: Date,
): Promise<void> {
  await db
    .updateTable('chat_flows')
    .set({ trial_version: trial?.version ?? null, trial_share: trial?.share ?? null, updated_at: now })
    .where('id', '=', flowId)
    .execute()
}

/** Returns a version with its document; undefined if it does not exist. */
export async function findVersion(
  db: Queryable,
  flowId: number,
  version: number,
): Promise<{ definition: FlowDocument; createdAt: Date } | undefined> {
  const row = await db
    .selectFrom('chat_flow_versions')
    .select(['definition', 'created_at as createdAt'])
    .where('chat_flow_id', '=', flowId)
    .where('version', '=', version)
    .executeTakeFirst()
  return row
}

/** Returns the versions of a flow, newest first. */
export const listVersions = (db: Queryable, flowId: number) =>
  db
    .selectFrom('chat_flow_versions as v')
    .leftJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 'v.tenant_id').onRef('u.id', '=', 'v.user_id'))
    .select(['v.version', 'v.created_at', 'u.name as user_name'])
    .where('v.chat_flow_id', '=', flowId)
    .orderBy('v.version', 'desc')
    .limit(500)
    .execute()

const published = (db: Queryable) =>
  db
    .selectFrom('chat_flows')
    .where('is_active', '=', true)
    .where('is_deleted', '=', false)
    .where('published_version', 'is not', null)

/** Returns the flows that conversations may start, oldest first. */
export async function listStarting(db: Queryable): Promise<(StartingFlow & StartingVersions)[]> {
  const rows = await published(db)
    .select(['id', 'keyword', 'starts_on', 'test_number', 'published_version', 'trial_version', 'trial_share'])
    .orderBy('id')
    .limit(500)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    keyword: row.keyword,
    startsOn: row.starts_on || null,
    testNumber: row.test_number,
    version: row.published_version!,
    trial: trialOf(row),
  }))
}

/** Returns the published version of a flow; null if it cannot be started. */
export async function publishedVersion(db: Queryable, flowId: number): Promise<number | null> {
  const row = await published(db).select('published_version').where('id', '=', flowId).executeTakeFirst()
  return row?.published_version ?? null
}

/** Returns the versions of flows that new conversations may follow, without flows that cannot be started. */
export async function startingVersions(
  db: Queryable,
  flowIds: readonly number[],
): Promise<Map<number, StartingVersions>> {
  const rows = await published(db)
    .select(['id', 'published_version', 'trial_version', 'trial_share'])
    .where(sql<SqlBool>`id = any(${[...new Set(flowIds)]}::bigint[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, { version: row.published_version!, trial: trialOf(row) }]))
}

/** Returns the trial version of a flow; null if there is none. */
export const trialOf = ({ trial_version: version, trial_share: share }: TrialColumns): StartingVersions['trial'] =>
  version === null || share === null ? null : { version, share }

type TrialColumns = { readonly trial_version: number | null; readonly trial_share: number | null }

/** Returns the published documents of all startable flows, by id. */
export async function publishedDocuments(db: Queryable): Promise<Map<number, FlowDocument>> {
  const { rows } = await sql<{ id: number; definition: FlowDocument }>`
    select f.id, v.definition from chat_flows f
    join chat_flow_versions v on v.tenant_id = f.tenant_id and v.chat_flow_id = f.id and v.version = f.published_version
    where f.is_active and not f.is_deleted`.execute(db)
  return new Map(rows.map(({ id, definition }) => [id, definition]))
}

/** Checks whether the draft of a flow differs from its published version. */
export async function isUnpublished(db: Queryable, id: number): Promise<boolean> {
  const { rows } = await sql<{ differs: boolean }>`
    select f.definition is distinct from v.definition as differs from chat_flows f
    left join chat_flow_versions v on v.tenant_id = f.tenant_id and v.chat_flow_id = f.id and v.version = f.published_version
    where f.id = ${id}`.execute(db)
  return rows[0]?.differs ?? false
}

/** Returns the names of the kanban stages, by id. */
export async function stageNames(db: Queryable): Promise<ReadonlyMap<number, string>> {
  const rows = await db.selectFrom('stages').select(['id', 'name']).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Returns a connection of one of these types: the one with the id, else the first connected one, else the first. */
export const findConnectionOf = (db: Queryable, types: readonly string[], id: number | null) =>
  db
    .selectFrom('connections')
    .select(['id', 'type'])
    .where('type', 'in', types)
    .where('is_deleted', '=', false)
    .$if(id !== null, (all) => all.where('id', '=', id))
    .orderBy(sql`status <> 'CONNECTED'`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** Returns the ids of all records that a flow may refer to. */
export async function existingIds(db: Queryable) {
  const [queues, users, tags, stages, pipelineStages, calendars, reasons, connections] = await Promise.all([
    db.selectFrom('queues').select(['id', 'queue']).where('is_active', '=', true).orderBy('queue').execute(),
    db.selectFrom('users').select(['id', 'name']).where('is_active', '=', true).orderBy('name').execute(),
    db.selectFrom('tags').select('id').execute(),
    db.selectFrom('stages').select('id').execute(),
    db.selectFrom('pipeline_stages').select('id').execute(),
    db.selectFrom('provider_settings').select('id').where('kind', '=', 'calendar').execute(),
    db.selectFrom('reasons').select('id').where('is_active', '=', true).execute(),
    db.selectFrom('connections').select(['id', 'type']).where('is_deleted', '=', false).execute(),
  ])
  return { queues, users, tags, stages, pipelineStages, calendars, reasons, connections }
}
