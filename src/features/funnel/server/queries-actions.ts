import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ActionStep } from '#domain/funnel/actions.ts'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { patternOf } from '#server/db/like.ts'
import { renameTagIn } from '#server/merged-tags.ts'
import type { PageStart } from '#server/paging.ts'

/** Row of a pipeline action. */
export type ActionRow = Awaited<ReturnType<typeof pageOfActions>>[number]

/** Filter of actions. */
export type ActionFilter = {
  readonly id?: number | undefined
  readonly pipelineId?: number | undefined
  readonly stageId?: number | undefined
  readonly searchTerm?: string | undefined
  readonly type?: string | undefined
  readonly active?: boolean | undefined
}

function narrowed(by: ActionFilter): RawBuilder<SqlBool> {
  const type =
    by.type === 'flow'
      ? sql`jsonb_array_length(a.steps) > 1`
      : sql`jsonb_array_length(a.steps) = 1 and a.steps->0->>'type' = ${by.type}`
  return sql<SqlBool>`(${sql.join(
    [
      sql`true`,
      ...(by.id === undefined ? [] : [sql`a.id = ${by.id}`]),
      ...(by.pipelineId === undefined ? [] : [sql`a.pipeline_id = ${by.pipelineId}`]),
      ...(by.stageId === undefined ? [] : [sql`a.stage_id = ${by.stageId}`]),
      ...(by.searchTerm ? [sql`app.fold(a.name) like app.fold(${patternOf(by.searchTerm)}::text)`] : []),
      ...(by.type === undefined ? [] : [type]),
      ...(by.active === undefined ? [] : [sql`a.is_active = ${by.active}`]),
    ],
    sql` and `,
  )})`
}

/** Returns a page of actions, newest first. */
export async function pageOfActions(db: Queryable, by: ActionFilter, { after, offset, limit }: PageStart<[number]>) {
  const { rows } = await sql<{
    id: number
    name: string
    description: string
    pipelineId: number
    stageId: number
    daysToTrigger: number
    hourFrom: number | null
    hourTo: number | null
    steps: ActionStep[]
    active: boolean
    activeSince: Date
    createdAt: Date
    updatedAt: Date
  }>`select a.id, a.name, a.description, a.pipeline_id as "pipelineId", a.stage_id as "stageId",
      a.days_to_trigger as "daysToTrigger", a.hour_from as "hourFrom", a.hour_to as "hourTo", a.steps,
      a.is_active as active, a.active_since as "activeSince", a.created_at as "createdAt", a.updated_at as "updatedAt"
    from pipeline_actions a where ${narrowed(by)} ${after ? sql`and a.id < ${after[0]}` : sql``}
    order by a.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Counts the actions. */
export async function countActions(db: Queryable, by: ActionFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pipeline_actions a where ${narrowed(by)}`.execute(db)
  return firstOf(rows).n
}

/** Returns an action. */
export const findAction = async (db: Queryable, id: number): Promise<ActionRow | undefined> =>
  (await pageOfActions(db, { id }, { after: null, offset: 0, limit: 1 }))[0]

/** Writable fields of an action. */
export type ActionValues = Pick<
  ActionRow,
  'name' | 'description' | 'pipelineId' | 'stageId' | 'daysToTrigger' | 'hourFrom' | 'hourTo' | 'steps' | 'active'
>

const columnsOf = (values: ActionValues) => ({
  ...{ name: values.name, description: values.description, pipeline_id: values.pipelineId, stage_id: values.stageId },
  ...{ days_to_trigger: values.daysToTrigger, hour_from: values.hourFrom, hour_to: values.hourTo },
  ...{ steps: JSON.stringify(values.steps), is_active: values.active },
})

/** Inserts an action and returns its id. */
export async function insertAction(db: Tx, values: ActionValues, now: Date): Promise<number> {
  const { id } = await db
    .insertInto('pipeline_actions')
    .values({
      tenant_id: sql<number>`app.tenant()`,
      ...columnsOf(values),
      ...{ active_since: now, created_at: now, updated_at: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return Number(id)
}

/** Updates an action; one that is switched on applies to entries from now on. */
export async function updateAction(db: Tx, id: number, values: ActionValues, now: Date): Promise<void> {
  await db
    .updateTable('pipeline_actions')
    .set({
      ...columnsOf(values),
      active_since: sql<Date>`case when is_active then active_since else ${now}::timestamptz end`,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
}

/** Deletes an action with its log. */
export async function removeAction(db: Tx, id: number): Promise<void> {
  await db.deleteFrom('pipeline_actions').where('id', '=', id).execute()
}

/** Card with a due action. */
export type Due = { readonly actionId: number; readonly opportunityId: number }

// SQL condition of a due action: once per entry after the action was switched on, the given days later, while the card
// is open and in the stage.
const due = (now: RawBuilder<unknown>, hour: RawBuilder<unknown>) => sql`a.is_active and o.status = 'open'
  and o.stage_since >= a.active_since and o.stage_since <= ${now} - a.days_to_trigger * interval '1 day'
  and (a.hour_from is null or case when a.hour_from < a.hour_to then ${hour} >= a.hour_from and ${hour} < a.hour_to
    else ${hour} >= a.hour_from or ${hour} < a.hour_to end)
  and not exists (select from pipeline_action_logs l where l.tenant_id = a.tenant_id and l.action_id = a.id
    and l.opportunity_id = o.id and l.entry = o.entry)`

/** Returns the next cards with due actions, oldest entry first; `hour` is in the company's time zone. */
export async function findDue(
  db: Queryable,
  { now, hour, most }: { readonly now: Date; readonly hour: number; readonly most: number },
): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select a.id as "actionId", o.id as "opportunityId" from pipeline_actions a
    join opportunities o on o.tenant_id = a.tenant_id and o.stage_id = a.stage_id
    where ${due(sql`${now}::timestamptz`, sql`${hour}::int`)} order by o.stage_since, o.id, a.id limit ${most}`.execute(
    db,
  )
  return rows
}

/** Returns the tenants with an active action. */
export async function tenantsWithActions(db: Queryable): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from tenants t where t.status = 'active'
      and exists (select from pipeline_actions a where a.tenant_id = t.id and a.is_active)`.execute(db)
  return rows.map(({ id }) => id)
}

/** Result of an action. */
export type ActionResult = 'done' | 'refused' | 'stopped'

/** Logs an action for an entry of a card; returns false if it is logged already. A concurrent claim waits. */
export async function claimRun(
  db: Tx,
  run: { readonly actionId: number; readonly opportunityId: number; readonly entry: number; readonly now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into pipeline_action_logs (tenant_id, action_id, opportunity_id, entry, result, at)
    values (app.tenant(), ${run.actionId}, ${run.opportunityId}, ${run.entry}, 'done', ${run.now})
    on conflict (tenant_id, action_id, opportunity_id, entry) do nothing returning id`.execute(db)
  return rows.length > 0
}

/** Stores the result of a logged action. */
export async function saveRun(
  db: Tx,
  run: { readonly actionId: number; readonly opportunityId: number; readonly entry: number },
  { result, steps }: { readonly result: ActionResult; readonly steps: readonly object[] },
): Promise<void> {
  await sql`update pipeline_action_logs set result = ${result}, steps = ${JSON.stringify(steps)}::jsonb
    where action_id = ${run.actionId} and opportunity_id = ${run.opportunityId} and entry = ${run.entry}`.execute(db)
}

/** Checks whether an action is logged for an entry of a card. */
export async function wasDone(db: Queryable, actionId: number, opportunityId: number, entry: number): Promise<boolean> {
  const { rows } = await sql`select from pipeline_action_logs where action_id = ${actionId}
    and opportunity_id = ${opportunityId} and entry = ${entry}`.execute(db)
  return rows.length > 0
}

/** Returns a page of the log of actions, newest first. */
export async function pageOfLogs(
  db: Queryable,
  actionId: number | undefined,
  { after, offset, limit }: PageStart<[number]>,
) {
  const { rows } = await sql<{
    id: number
    actionId: number
    actionName: string
    opportunityId: number
    opportunityName: string
    contactName: string
    entry: number
    result: ActionResult
    steps: { step: ActionStep; code: string | null }[]
    date: Date
  }>`select l.id, l.action_id as "actionId", a.name as "actionName", l.opportunity_id as "opportunityId",
      o.name as "opportunityName", c.name as "contactName", l.entry, l.result, l.steps, l.at as date
    from pipeline_action_logs l
    join pipeline_actions a on a.tenant_id = l.tenant_id and a.id = l.action_id
    join opportunities o on o.tenant_id = l.tenant_id and o.id = l.opportunity_id
    join contacts c on c.tenant_id = o.tenant_id and c.id = o.contact_id
    where ${actionId === undefined ? sql`true` : sql`l.action_id = ${actionId}`}
      ${after ? sql`and l.id < ${after[0]}` : sql``}
    order by l.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Counts the log entries of actions. */
export async function countLogs(db: Queryable, actionId: number | undefined): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (select from pipeline_action_logs
    where ${actionId === undefined ? sql`true` : sql`action_id = ${actionId}`} limit 10000) counted`.execute(db)
  return firstOf(rows).n
}

/** Returns how many consecutive actions moved a card to its stage, and when it entered. */
export async function arrivalOf(db: Queryable, id: number): Promise<{ depth: number; since: Date }> {
  const { rows } = await sql<{ depth: number; since: Date }>`
    select depth, stage_since as since from opportunities where id = ${id}`.execute(db)
  return firstOf(rows)
}

/** Replaces a tag by another in actions. */
export const mergeTagsOfActions = ({ db }: { readonly db: Tx }, from: number, into: number): Promise<void> =>
  renameTagIn(db, 'pipeline_actions', ['steps'], { from, into })
