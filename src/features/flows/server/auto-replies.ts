import { isDeepStrictEqual } from 'node:util'
import { check } from '#domain/flow/check.ts'
import { readFlow } from '#domain/flow/read.ts'
import { compileReply, type ReplyAction, type ReplyStep } from '#domain/flow/replies.ts'
import { firstOf, present } from '#domain/present.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { countLocked } from '#server/db/caps.ts'
import type { Queryable } from '#server/db/db.ts'
import { implement } from '#server/http/route.ts'
import { autoReplies } from '../reply-contract.ts'
import { existingIds, findVersion, insertFlow, insertVersion, publishVersion, updateFlow } from './queries.ts'
import {
  attendedBy,
  compiledFlow,
  handOverFlow,
  newPartIds,
  type ReplyRecord,
  replyOfPart,
  replyRows,
  saveSteps,
} from './queries-replies.ts'

type WriteCtx = Ctx & { user: Actor }
type Serialized = Returned<typeof autoReplies.get>
type GivenStep = NonNullable<Input<typeof autoReplies.update>['body']['steps']>[number]
type GivenAction = Input<typeof autoReplies.updateAction>['body']

const MOST_REPLIES = 100

/** Route handlers of auto replies. */
export const autoReplyRoutes = implement(autoReplies, {
  list: async ({ db }, { query }) => {
    const { rows, page } = await replyRows.list(db, query)
    return { autoReply: await serialized(db, rows), ...page }
  },
  get: ({ db }, { params }) => one(db, params.id),
  create: async (ctx, { body: { steps = [], ...fields } }) => {
    if ((await countLocked(ctx.db, 'auto_replies')) >= MOST_REPLIES) fail('ERR_MAX_AUTO_REPLIES')
    await requireThere(ctx.db, steps, (at, part) => `steps.${at}.actions.${part}.`)
    const { id } = await replyRows.insert(ctx.db, columnsOf({ action: 0, ...fields }), ctx.now)
    await write(ctx, id, await withIds(ctx, steps, []))
    return one(ctx.db, id)
  },
  update: async (ctx, { params: { id }, body: { steps, ...fields } }) => {
    const before = required(await replyRows.lock(ctx.db, id), 'ERR_NO_AUTO_REPLY_FOUND')
    if (steps) await requireThere(ctx.db, steps, (at, part) => `steps.${at}.actions.${part}.`)
    await replyRows.update(ctx.db, id, columnsOf(fields), ctx.now)
    await write(ctx, id, steps ? await withIds(ctx, steps, before.steps) : before.steps)
    return one(ctx.db, id)
  },
  remove: async (ctx, { params: { id } }) => {
    required(await replyRows.lock(ctx.db, id), 'ERR_NO_AUTO_REPLY_FOUND')
    if ((await attendedBy(ctx.db, [id])).get(id)) fail('ERR_AUTO_REPLY_RELATIONED_TICKET')
    const flow = await compiledFlow(ctx.db, id)
    if (flow) await updateFlow(ctx.db, flow.id, { isDeleted: true }, ctx.now)
    await replyRows.remove(ctx.db, id)
    return { message: 'ok' }
  },
  createStep: async (ctx, { params: { id }, body }) => {
    const { steps } = required(await replyRows.lock(ctx.db, id), 'ERR_NO_AUTO_REPLY_FOUND')
    const [stepId] = await newPartIds(ctx.db, 1)
    const step = { id: stepId!, reply: body.reply, initialStep: body.initialStep ?? false, actions: [] }
    await write(ctx, id, [...othersThan(step, steps), step])
    return step
  },
  updateStep: async (ctx, { params: { id, stepId }, body }) => {
    const { steps } = required(await replyRows.lock(ctx.db, id), 'ERR_NO_AUTO_REPLY_FOUND')
    const at = steps.findIndex((step) => step.id === stepId)
    const before = required(steps[at], 'ERR_NO_STEP_AUTO_REPLY_FOUND')
    const step = { ...before, reply: body.reply ?? before.reply, initialStep: body.initialStep ?? before.initialStep }
    await write(ctx, id, othersThan(step, steps).with(at, step))
    return step
  },
  removeStep: async (ctx, { params: { id, stepId } }) => {
    const { steps } = required(await replyRows.lock(ctx.db, id), 'ERR_NO_AUTO_REPLY_FOUND')
    const left = steps.filter((step) => step.id !== stepId)
    if (left.length === steps.length) fail('ERR_NO_STEP_AUTO_REPLY_FOUND')
    if (left.some(({ actions }) => actions.some(({ nextStepId }) => nextStepId === stepId)))
      fail('ERR_VALIDATION', { stepId: 'Outra etapa leva a esta: mude antes o que segue dela.' })
    await write(ctx, id, left)
    return { message: 'ok' }
  },
  createAction: async (ctx, { body: { stepReplyId, ...given } }) => {
    const { id, steps } = await lockPart(ctx, 'step', stepReplyId)
    const [actionId] = await newPartIds(ctx.db, 1)
    const action = await checkedAction(ctx, { id: actionId!, given, steps })
    const next = (step: ReplyStep) => (step.id === stepReplyId ? { ...step, actions: [...step.actions, action] } : step)
    await write(ctx, id, steps.map(next))
    return action
  },
  updateAction: async (ctx, { params: { actionId }, body: given }) => {
    const { id, steps } = await lockPart(ctx, 'action', actionId)
    const action = await checkedAction(ctx, { id: actionId, given, steps })
    await write(
      ctx,
      id,
      changeActions(steps, (one) => (one.id === actionId ? [action] : [one])),
    )
    return action
  },
  removeAction: async (ctx, { params: { actionId } }) => {
    const { id, steps } = await lockPart(ctx, 'action', actionId)
    await write(
      ctx,
      id,
      changeActions(steps, (one) => (one.id === actionId ? [] : [one])),
    )
    return { message: 'ok' }
  },
  convert: async (ctx, { params: { id } }) => {
    const row = required(await replyRows.lock(ctx.db, id), 'ERR_NO_AUTO_REPLY_FOUND')
    // An earlier conversion may have taken its flow.
    await write(ctx, id, row.steps)
    const problems = (await judge(ctx.db))(row)
    if (problems.length > 0) fail('ERR_FLOW_NOT_READY', { problems, cases: [] })
    const flow = required(await compiledFlow(ctx.db, id), 'ERR_NO_AUTO_REPLY_FOUND')
    await handOverFlow(ctx.db, flow.id, row.isActive, ctx.now)
    await replyRows.update(ctx.db, id, { isActive: false }, ctx.now)
    return { chatFlowId: flow.id }
  },
})

const columnsOf = ({
  action,
  celularTeste,
  ...fields
}: {
  name?: string | undefined
  action?: 0 | 1 | undefined
  celularTeste?: string | null | undefined
  isActive?: boolean | undefined
}) => ({
  ...fields,
  action: action === undefined ? undefined : String(action),
  celularTeste: celularTeste === undefined ? undefined : (celularTeste ?? ''),
})

const one = async (db: Queryable, id: number): Promise<Serialized> =>
  firstOf(await serialized(db, [required(await replyRows.find(db, id), 'ERR_NO_AUTO_REPLY_FOUND')]))

async function serialized(db: Queryable, rows: readonly ReplyRecord[]): Promise<Serialized[]> {
  const problemsOf = await judge(db)
  const attended = await attendedBy(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    ...{ id: row.id, name: row.name, action: momentOf(row), celularTeste: row.celularTeste, isActive: row.isActive },
    ...{ steps: row.steps, createdAt: row.createdAt, updatedAt: row.updatedAt },
    problems: problemsOf(row).map(({ text }) => text),
    attending: attended.get(row.id) ?? 0,
  }))
}

const momentOf = ({ action }: Pick<ReplyRecord, 'action'>): 0 | 1 => (action === '0' ? 0 : 1)

const documentOf = (row: Pick<ReplyRecord, 'action' | 'steps'>) =>
  compileReply({ action: momentOf(row), steps: row.steps })

/** Returns a function that finds problems of auto replies' flows; loads the referenced ids once. */
async function judge(db: Queryable) {
  const { queues, users } = await existingIds(db)
  const idsOf = (rows: readonly { id: number }[]) => new Set(rows.map(({ id }) => id))
  const none = new Set<never>()
  const known = {
    ...{ chatFlowId: 0, queueIds: idsOf(queues), userIds: idsOf(users), flows: new Map(), secretOrigins: new Map() },
    ...{
      tagIds: none,
      stageIds: none,
      pipelineStageIds: none,
      calendarIds: none,
      reasonIds: none,
      connectionIds: none,
      smsIds: none,
      assistants: new Map(),
      fileIds: none,
      variables: none,
    },
  }
  return (row: Pick<ReplyRecord, 'action' | 'steps'>) =>
    check(readFlow(documentOf(row)), known).filter(({ level }) => level === 'error')
}

/** Stores the steps of an auto reply and compiles them to its flow; a flow with errors does not start. */
async function write(ctx: WriteCtx, id: number, steps: readonly ReplyStep[]): Promise<void> {
  await saveSteps(ctx.db, id, steps)
  const row = present(await replyRows.find(ctx.db, id))
  const isWhole = (await judge(ctx.db))(row).length === 0
  const definition = documentOf(row)
  const about = { name: row.name, isActive: row.isActive && isWhole, testNumber: row.celularTeste }
  const before = await compiledFlow(ctx.db, id)
  if (before) await updateFlow(ctx.db, before.id, { ...about, definition }, ctx.now)
  const flowId = before?.id ?? (await insertFlow(ctx.db, { ...about, definition, autoReplyId: id, now: ctx.now }))
  const published = before?.version ? await findVersion(ctx.db, before.id, before.version) : undefined
  if (!isWhole || isDeepStrictEqual(published?.definition, definition)) return
  const version = await insertVersion(ctx.db, { flowId, definition, userId: ctx.user.id, now: ctx.now })
  await publishVersion(ctx.db, { flowId, version, begins: readFlow(definition).configurations, now: ctx.now })
}

// At most one step is the initial one.
const othersThan = ({ initialStep }: ReplyStep, steps: readonly ReplyStep[]): readonly ReplyStep[] =>
  initialStep ? steps.map((step) => ({ ...step, initialStep: false })) : steps

const changeActions = (steps: readonly ReplyStep[], change: (action: ReplyAction) => readonly ReplyAction[]) =>
  steps.map((step) => ({ ...step, actions: step.actions.flatMap(change) }))

async function lockPart(ctx: Ctx, kind: 'step' | 'action', partId: number): Promise<ReplyRecord> {
  const id = required(await replyOfPart(ctx.db, kind, partId), 'ERR_NO_STEP_AUTO_REPLY_FOUND')
  return required(await replyRows.lock(ctx.db, id), 'ERR_NO_STEP_AUTO_REPLY_FOUND')
}

async function checkedAction(
  ctx: Ctx,
  { id, given, steps }: { id: number; given: GivenAction; steps: readonly ReplyStep[] },
): Promise<ReplyAction> {
  await requireThere(ctx.db, [{ actions: [given] }], () => '')
  if (given.action === 0 && !steps.some((step) => step.id === given.nextStepId))
    fail('ERR_VALIDATION', { nextStepId: 'A próxima etapa não existe mais.' })
  return actionOf(id, given, given.nextStepId ?? null)
}

// Drops fields that the action's kind does not use.
const actionOf = (id: number, given: GivenAction, nextStepId: number | null): ReplyAction => ({
  ...{ id, words: given.words, action: given.action, replyDefinition: given.replyDefinition ?? '' },
  nextStepId: given.action === 0 ? nextStepId : null,
  queueId: given.action === 1 ? (given.queueId ?? null) : null,
  userIdDestination: given.action === 2 ? (given.userIdDestination ?? null) : null,
})

/** Throws at their fields for unknown queues and users. */
async function requireThere(
  db: ReadCtx['db'],
  steps: readonly { readonly actions?: readonly GivenAction[] | undefined }[],
  pathOf: (step: number, action: number) => string,
): Promise<void> {
  const { queues, users } = await existingIds(db)
  const problems: Record<string, string> = {}
  for (const [at, { actions = [] }] of steps.entries())
    for (const [part, { action, queueId, userIdDestination }] of actions.entries()) {
      if (action === 1 && !queues.some(({ id }) => id === queueId))
        problems[`${pathOf(at, part)}queueId`] = 'Esta fila não existe mais.'
      if (action === 2 && !users.some(({ id }) => id === userIdDestination))
        problems[`${pathOf(at, part)}userIdDestination`] = 'Este usuário não existe mais.'
    }
  if (Object.keys(problems).length > 0) fail('ERR_VALIDATION', problems)
}

/** Returns the steps with ids: existing steps keep theirs, and references to new steps get the new id. */
async function withIds(ctx: Ctx, given: readonly GivenStep[], before: readonly ReplyStep[]): Promise<ReplyStep[]> {
  const free = new Set(before.flatMap(({ id, actions }) => [id, ...actions.map((action) => action.id)]))
  const count = given.reduce((sum, { actions = [] }) => sum + 1 + actions.length, 0)
  const ids = await newPartIds(ctx.db, count)
  // Each id once, even if given several times.
  const idFor = (id: number | undefined) => (id !== undefined && free.delete(id) ? id : present(ids.shift()))
  const steps = given.map((step) => ({ step, id: idFor(step.id) }))
  const became = new Map(steps.map(({ step, id }) => [step.id, id]))
  return steps.map(({ step: { reply, initialStep = false, actions = [] }, id }) => ({
    ...{ id, reply, initialStep },
    actions: actions.map((one) => actionOf(idFor(one.id), one, became.get(one.nextStepId ?? undefined) ?? null)),
  }))
}
