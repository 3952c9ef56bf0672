import { localTime, offsetMinutes } from '#domain/calendar/local-time.ts'
import { type ActionStep, isInWindow, MOST_IN_A_ROW, messageKey } from '#domain/funnel/actions.ts'
import { keysIn } from '#domain/keys.ts'
import { lastOf } from '#domain/present.ts'
import { giveToContacts } from '#features/contacts/server/index.ts'
import { writeToContacts } from '#features/tickets/server/begin/index.ts'
import { startFlowFor } from '#features/tickets/server/change/index.ts'
import { AppError, type ErrorCode, errorText, fail } from '#kit/errors.ts'
import { type Ctx, reading, unit, withSavepoint } from '#server/context.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { actJobValue } from './act-job.ts'
import { partsOf } from './queries.ts'
import {
  type ActionResult,
  type ActionRow,
  arrivalOf,
  claimRun,
  type Due,
  findAction,
  findDue,
  saveRun,
  tenantsWithActions,
  wasDone,
} from './queries-actions.ts'
import { type LockedCard, lockCards } from './queries-write.ts'
import { changeCards } from './write.ts'

const BLOCK = 100

/** Result of an action, with the refusal of each step. */
export type Acted = {
  readonly result: ActionResult
  readonly steps: readonly { readonly step: ActionStep; readonly code: ErrorCode | null }[]
}

/** Job that runs the due actions of a company; resumes where it stopped. */
export const actJob = job({
  ...actJobValue,
  run: (platform, { tenantId }) => actAll(platform, tenantId),
})

/** Runs the due actions of every tenant; safe to run in several processes. */
export async function actEverywhere(platform: Platform): Promise<void> {
  for (const tenantId of await platform.db.askAsPlatform(tenantsWithActions)) await actAll(platform, tenantId)
}

async function actAll(platform: Platform, tenantId: number): Promise<void> {
  const failed = new Set<string>()
  const keyOf = ({ actionId, opportunityId }: Due) => `${actionId} ${opportunityId}`
  for (;;) {
    const most = BLOCK + failed.size
    const found = await reading(platform, { tenantId, user: null }, ({ db, now, settings }) =>
      findDue(db, { now, hour: hourOf(settings.timezone, now), most }),
    )
    const due = found.filter((one) => !failed.has(keyOf(one)))
    if (due.length === 0) return
    for (const one of due)
      try {
        await unit(platform, { tenantId, user: null }, (ctx) => act(ctx, one))
        await platform.checkpoint('funnel action committed')
      } catch (err) {
        platform.log.warn({ err, ...one }, 'an action of the funnel could not be done')
        failed.add(keyOf(one))
      }
  }
}

/** Returns the hour of the day in a time zone. */
export const hourOf = (zone: string, at: Date): number =>
  localTime(at.getTime(), offsetMinutes(zone, at.getTime())).hour

// Effect and log are in one transaction: a second process finds the log entry.
async function act(ctx: Ctx, { actionId, opportunityId }: Due): Promise<void> {
  const [card] = await lockCards(ctx.db, [opportunityId])
  const action = await findAction(ctx.db, actionId)
  if (!card || !action?.active || card.stageId !== action.stageId || card.status !== 'open') return
  const run = { actionId, opportunityId, entry: card.entry }
  if (!(await claimRun(ctx.db, { ...run, now: ctx.now }))) return
  await ctx.platform.checkpoint('funnel action claimed')
  const { result, steps } = await perform(ctx, action, card)
  await saveRun(ctx.db, run, { result, steps })
  await ctx.platform.checkpoint('funnel action written')
}

/** Performs the steps of an action on a locked card, all or none. */
export async function perform(ctx: Ctx, action: ActionRow, card: LockedCard): Promise<Acted> {
  const { depth } = await arrivalOf(ctx.db, card.id)
  if (depth >= MOST_IN_A_ROW) return { result: 'stopped', steps: action.steps.map((step) => ({ step, code: null })) }
  const steps: { step: ActionStep; code: ErrorCode | null }[] = []
  try {
    await withSavepoint({ ...ctx, depth: depth + 1 }, async (inner) => {
      for (const [index, step] of action.steps.entries()) {
        steps.push({ step, code: null })
        await doStep(inner, { action, card, step, index })
      }
    })
    return { result: 'done', steps }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const done = steps.slice(0, -1)
    return { result: 'refused', steps: [...done, { step: lastOf(steps).step, code: error.code }] }
  }
}

type Doing = {
  readonly action: ActionRow
  readonly card: LockedCard
  readonly step: ActionStep
  readonly index: number
}

async function doStep(ctx: Ctx, { action, card, step, index }: Doing): Promise<void> {
  const change = async (patch: Parameters<typeof changeCards>[2]) => {
    await changeCards(ctx, await lockCards(ctx.db, [card.id]), patch)
  }
  switch (step.type) {
    case 'message': {
      const refused = await writeToContacts(ctx, {
        ...{ connectionId: step.whatsappId, contactIds: [card.contactId], body: step.message, file: null },
        ...{ sendType: 'pipeline', hasVariables: true },
        idFront: messageKey({ actionId: action.id, opportunityId: card.id, entry: card.entry, step: index }),
      })
      const code = refused.get(card.contactId)
      if (code) fail(code)
      return
    }
    case 'stage_change':
      return change(() => ({ stageId: step.targetStageId }))
    case 'status_change':
      return change(() => ({ status: step.targetStatus, reason: `Automação “${action.name}”` }))
    case 'add_tag':
      return giveToContacts(ctx, card.contactId, { tagIds: step.tagIds })
    case 'add_wallet':
      return giveToContacts(ctx, card.contactId, { userIds: step.userIds })
    case 'start_flow':
      return startFlowFor(ctx, await partsOf(ctx.db, card.contactId), step.chatFlowId)
  }
}

/** Obstacle that prevents an action on a card. */
export type Obstacle = 'off' | 'elsewhere' | 'ended' | 'early' | 'hour' | 'done'

/** Thrown to roll back a trial run. */
class Tried extends Error {
  readonly acted: Acted
  constructor(acted: Acted) {
    super('tried')
    this.acted = acted
  }
}

/** Tries an action on a card: performs it and rolls it back. */
export async function tryAction(
  base: { readonly platform: Platform; readonly tenantId: number },
  actionId: number,
  opportunityId: number,
): Promise<Acted & { readonly obstacles: readonly Obstacle[] }> {
  let obstacles: readonly Obstacle[] = []
  try {
    await unit(base.platform, { tenantId: base.tenantId, user: null }, async (ctx) => {
      const [card] = await lockCards(ctx.db, [opportunityId])
      const action = (await findAction(ctx.db, actionId)) ?? fail('ERR_NO_PIPELINE_ACTION_FOUND')
      if (!card) return fail('ERR_NO_OPPORTUNITY_FOUND')
      obstacles = await obstaclesOf(ctx, action, card)
      throw new Tried(await perform(ctx, action, card))
    })
  } catch (error) {
    if (error instanceof Tried) return { ...error.acted, obstacles }
    throw error
  }
  return fail('ERR_NO_OPPORTUNITY_FOUND')
}

const DAY_MS = 86_400_000

async function obstaclesOf(ctx: Ctx, action: ActionRow, card: LockedCard): Promise<Obstacle[]> {
  const { since } = await arrivalOf(ctx.db, card.id)
  const isIn: Readonly<Record<Obstacle, boolean>> = {
    off: !action.active || since < action.activeSince,
    elsewhere: card.stageId !== action.stageId,
    ended: card.status !== 'open',
    early: ctx.now.getTime() - since.getTime() < action.daysToTrigger * DAY_MS,
    hour: !isInWindow(action, hourOf(ctx.settings.timezone, ctx.now)),
    done: await wasDone(ctx.db, action.id, card.id, card.entry),
  }
  return keysIn(isIn).filter((one) => isIn[one])
}

/** Converts steps to their response form. */
export const shownSteps = (steps: Acted['steps'] | readonly { step: ActionStep; code: string | null }[]) =>
  steps.map(({ step, code }) => ({ step, refusal: code === null ? null : errorText(code) }))
