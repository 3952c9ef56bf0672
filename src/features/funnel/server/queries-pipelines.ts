import { sql } from 'kysely'
import type { StageDraft } from '#domain/funnel/templates.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

const bigints = (ids: readonly number[]) => sql`${[...ids]}::bigint[]`

/** Row of a stage. */
export type StageRow = Awaited<ReturnType<typeof listStages>>[number]

/** Returns the stages of a pipeline, or of all, in order. */
export const listStages = async (db: Queryable, pipelineId?: number) =>
  db
    .selectFrom('pipeline_stages')
    .select(['id', 'pipeline_id as pipelineId', 'name', 'color', 'position', 'chance', 'stale_days as staleDays'])
    .select(['exits', 'advances'])
    .$if(pipelineId !== undefined, (query) => query.where('pipeline_id', '=', pipelineId!))
    .orderBy('pipeline_id')
    .orderBy('position')
    .orderBy('id')
    .limit(2000)
    .execute()

/** Returns a stage. */
export const findStage = async (db: Queryable, id: number): Promise<StageRow | undefined> =>
  db
    .selectFrom('pipeline_stages')
    .select(['id', 'pipeline_id as pipelineId', 'name', 'color', 'position', 'chance', 'stale_days as staleDays'])
    .select(['exits', 'advances'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Returns the pipelines by name, or one of them. */
export const listPipelines = (db: Queryable, id?: number) =>
  db
    .selectFrom('pipelines')
    .select(['id', 'name', 'created_at as createdAt', 'updated_at as updatedAt'])
    .$if(id !== undefined, (query) => query.where('id', '=', id!))
    .orderBy('id')
    .limit(200)
    .execute()

/** Inserts a pipeline and returns its id. */
export async function insertPipeline(db: Tx, name: string, now: Date): Promise<number> {
  const { id } = await db
    .insertInto('pipelines')
    .values({ tenant_id: sql<number>`app.tenant()`, name, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return Number(id)
}

/** Renames a pipeline and locks it until the end of the transaction; returns false if it does not exist. */
export async function savePipeline(db: Tx, id: number, name: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('pipelines')
    .set({ name, updated_at: now })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Locks a pipeline until the end of the transaction; returns false if it does not exist. */
export async function lockPipeline(db: Tx, id: number): Promise<boolean> {
  const { rows } = await sql`select from pipelines where id = ${id} for no key update`.execute(db)
  return rows.length > 0
}

/** Deletes a pipeline with its empty stages. */
export async function removePipeline(db: Tx, id: number): Promise<void> {
  await db.deleteFrom('pipelines').where('id', '=', id).execute()
}

/** Inserts a stage at a position of a pipeline. */
export async function insertStage(
  db: Tx,
  pipelineId: number,
  { name, color, chance, staleDays }: StageDraft,
  position: number,
  now: Date,
): Promise<number> {
  const { id } = await db
    .insertInto('pipeline_stages')
    .values({
      ...{ tenant_id: sql<number>`app.tenant()`, pipeline_id: pipelineId, name, color, chance, stale_days: staleDays },
      ...{ position, created_at: now, updated_at: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return Number(id)
}

/** Updates a stage. */
export async function saveStage(
  db: Tx,
  id: number,
  {
    name,
    color,
    chance,
    staleDays,
    position,
  }: { [K in keyof StageDraft]?: StageDraft[K] | undefined } & {
    position?: number
  },
  now: Date,
): Promise<void> {
  const given = Object.entries({ name, color, chance, stale_days: staleDays, position }).filter(
    ([, value]) => value !== undefined,
  )
  await db
    .updateTable('pipeline_stages')
    .set({ ...Object.fromEntries(given), updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** Deletes stages. */
export async function removeStages(db: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await sql`delete from pipeline_stages where id = any(${bigints(ids)})`.execute(db)
}

/** Checks whether the stages or the pipeline have any card, ended ones included. */
export async function isUsed(
  db: Queryable,
  where: { readonly stageIds: readonly number[] } | { readonly pipelineId: number },
): Promise<boolean> {
  const condition =
    'pipelineId' in where ? sql`pipeline_id = ${where.pipelineId}` : sql`stage_id = any(${bigints(where.stageIds)})`
  const { rows } = await sql`select from opportunities where ${condition} limit 1`.execute(db)
  return rows.length > 0
}
