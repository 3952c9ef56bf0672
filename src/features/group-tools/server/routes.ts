import { type GroupJobKind, type GroupJobStatus, isOfMembers, runs } from '#domain/groups/tools.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { isSendFailure } from '#providers/channels/port.ts'
import type { Actor } from '#server/actors.ts'
import { type Ctx, type ReadCtx, reading, unit } from '#server/context.ts'
import { withFetched } from '#server/files/fetched.ts'
import { storeUpload } from '#server/files/store.ts'
import type { Download } from '#server/http/download.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { COUNTED, countOf, exactPageStartOf, pageOf, pageStartOf } from '#server/paging.ts'
import { phoneReader } from '#server/phone.ts'
import { tableFile } from '#server/sheet.ts'
import type { StoredFile } from '#server/storage.ts'
import { groupJobs, groupRules, groupToolEvents, groupTools } from '../contract.ts'
import { answerFor, askGroups, requireConnection } from './ask.ts'
import { AUDIENCE, refreshGroups } from './look.ts'
import { isPicture } from './picture.ts'
import { countGroups, findGroups, listGroups, type StoredGroup, seenAt } from './queries.ts'
import {
  countItems,
  countJobs,
  findJob,
  insertJob,
  type JobParams,
  listItems,
  listJobs,
  lockJob,
  retryFailed,
  type StoredJob,
  skipWaiting,
  updateJob,
} from './queries-jobs.ts'
import {
  clearRules,
  countRules,
  findRule,
  insertRule,
  listRules,
  type RuleValues,
  removeRule,
  type StoredRule,
  updateRule,
} from './queries-rules.ts'
import { enqueueWork } from './work.ts'

type UserCtx = Ctx & { user: Actor }
type JobAnswer = Returned<typeof groupJobs.get>

const MOST_PICTURE_BYTES = 5 * 1024 * 1024

/** Runs a part of a slow operation with a read transaction of the requesting user. */
const asking = <T>(ctx: SlowCtx, work: (inner: ReadCtx & { user: Actor }) => Promise<T>): Promise<T> =>
  reading(ctx.platform, ctx, (inner) => work({ ...inner, user: ctx.user }))

/** Returns the groups of a connection with these addresses; throws if one is unknown. */
async function requireGroups({ db }: Pick<Ctx | ReadCtx, 'db'>, connectionId: number, keys: readonly string[]) {
  const wanted = [...new Set(keys)]
  const found = await findGroups(db, connectionId, wanted)
  return found.length === wanted.length ? found : fail('ERR_NO_GROUP_FOUND')
}

const groupRow = async (ctx: Pick<ReadCtx, 'db'>, connectionId: number, key: string): Promise<StoredGroup> =>
  required((await findGroups(ctx.db, connectionId, [key]))[0], 'ERR_NO_GROUP_FOUND')

/** Returns the digits of phone numbers, without duplicates; throws with the invalid ones. */
async function digitsOf(numbers: readonly string[]): Promise<string[]> {
  const read = await phoneReader()
  const wrong: string[] = []
  const digits = numbers.flatMap((number) => {
    const found = read(number)?.e164?.replace(/\D/g, '')
    if (!found) wrong.push(number)
    return found ?? []
  })
  if (wrong.length > 0)
    fail('ERR_VALIDATION', {
      participants: `Não são números: ${wrong.slice(0, 5).join(', ')}${wrong.length > 5 ? '…' : ''}`,
    })
  return [...new Set(digits)]
}

/** Returns a short description of a job's content. */
function summaryOf({ kind, params }: Pick<StoredJob, 'kind' | 'params'>): string {
  const count = params.numbers?.length ?? 0
  if (kind === 'create' || isOfMembers(kind)) return count === 1 ? '1 número' : `${count} números`
  if (kind === 'admins_only') return params.isOn ? 'Só administradores escrevem' : 'Todos escrevem'
  return params.text ?? ''
}

function serializeJob({ connectionId, connectionName, params, counts, ...job }: StoredJob): JobAnswer {
  const { waiting = 0, doing = 0, done = 0, partial = 0, failed = 0, uncertain = 0, skipped = 0 } = counts
  return {
    ...{ id: job.id, kind: job.kind, status: job.status, reason: job.reason },
    ...{ whatsappId: connectionId, whatsappName: connectionName, summary: summaryOf({ kind: job.kind, params }) },
    total: waiting + doing + done + partial + failed + uncertain + skipped,
    ...{ waiting: waiting + doing, done, partial, failed, uncertain },
    ...{ userId: job.userId, userName: job.userName ?? '', createdAt: job.createdAt, finishedAt: job.finishedAt },
  }
}

const jobOf = async ({ db }: Pick<Ctx | ReadCtx, 'db'>, id: number): Promise<StoredJob> =>
  required(await findJob(db, id), 'ERR_NO_GROUP_JOB_FOUND')

/** Stores a job and enqueues its work. */
async function begin(
  ctx: UserCtx,
  job: {
    readonly kind: GroupJobKind
    readonly connectionId: number
    readonly params: JobParams
    readonly fileId?: string
    readonly groups: readonly { readonly key: string; readonly name: string }[]
  },
): Promise<JobAnswer> {
  const id = await insertJob(ctx.db, { ...job, userId: ctx.user.id }, ctx.now)
  enqueueWork(ctx, job.connectionId)
  ctx.emit(groupToolEvents.changed, { what: 'jobs' }, AUDIENCE)
  ctx.audit({ after: { kind: job.kind, whatsappId: job.connectionId, groups: job.groups.length } })
  return serializeJob(await jobOf(ctx, id))
}

type InGroups = { readonly whatsappId: number; readonly groupIds: readonly string[] }

/** Creates a job that changes groups of a connection. */
async function change(
  ctx: UserCtx,
  { whatsappId, groupIds }: InGroups,
  { kind, params, fileId }: { kind: GroupJobKind; params: JobParams; fileId?: string },
): Promise<JobAnswer> {
  const { id: connectionId } = await requireConnection(ctx, whatsappId)
  const groups = (await requireGroups(ctx, connectionId, groupIds)).map(({ id, name }) => ({ key: id, name }))
  return begin(ctx, { kind, connectionId, params, groups, ...(fileId ? { fileId } : {}) })
}

/** Creates a job that changes members of groups. */
const changeMembers =
  (kind: GroupJobKind) =>
  async (ctx: UserCtx, { body }: { body: Input<typeof groupTools.promote>['body'] }): Promise<JobAnswer> =>
    change(ctx, body, { kind, params: { numbers: await digitsOf(body.participants) } })

/** Creates a job that sets the picture of groups, from an uploaded or fetched file. */
async function changePicture(ctx: SlowCtx, to: InGroups, file: StoredFile | undefined): Promise<JobAnswer> {
  if (!file || !(await isPicture(ctx.platform, file))) return fail('ERR_FILE_TYPE')
  return unit(ctx.platform, ctx, async (inner) => {
    const fileId = await storeUpload(inner, file)
    const own = { ...inner, user: ctx.user, audit: ctx.audit }
    return change(own, to, { kind: 'picture', params: { text: file.name }, fileId })
  })
}

export const groupToolRoutes = implement(groupTools, {
  list: async (ctx, { query }) => {
    const { id: connectionId } = await requireConnection(ctx, query.whatsappId)
    const which = { connectionId, search: query.searchParam || null, roles: query.role ?? null }
    const found = await listGroups(ctx.db, which, pageStartOf<[string, string]>(query, 2))
    const { rows, paging } = pageOf(found, ({ id, name }) => [name.toLowerCase(), id])
    return {
      groups: rows,
      seenAt: await seenAt(ctx.db, connectionId),
      ...countOf(await countGroups(ctx.db, which, COUNTED)),
      ...paging,
    }
  },
  refresh: async (ctx, { body }) => {
    const { id: connectionId } = await asking(ctx, (inner) => requireConnection(inner, body.whatsappId))
    return { count: await answerFor(refreshGroups(ctx.platform, { tenantId: ctx.tenantId, connectionId })) }
  },
  ids: async (ctx, { query }) => {
    const { id } = await requireConnection(ctx, query.whatsappId)
    return { groupIds: (await findGroups(ctx.db, id, null)).map((group) => group.id) }
  },
  get: async (ctx, { query }) => {
    const { id } = await requireConnection(ctx, query.whatsappId)
    return groupRow(ctx, id, query.groupId)
  },
  participants: async (ctx, { query: { whatsappId, groupId } }) => {
    const { id: connectionId } = await asking(ctx, (inner) => requireConnection(inner, whatsappId))
    return { participants: await membersOf(ctx, { connectionId, key: groupId }) }
  },
  exportParticipants: (ctx, { query }) => exportParticipants(ctx, query),
  create: async (ctx, { body: { whatsappId, title, participants, quantity } }) => {
    const { id: connectionId } = await requireConnection(ctx, whatsappId)
    const numbers = await digitsOf(participants)
    const groups = Array.from({ length: quantity }, (_, n) => ({
      key: '',
      name: quantity === 1 ? title : `${title} ${n + 1}`,
    }))
    return begin(ctx, { kind: 'create', connectionId, params: { numbers }, groups })
  },
  titles: (ctx, { body }) => change(ctx, body, { kind: 'title', params: { text: body.title } }),
  descriptions: (ctx, { body }) => change(ctx, body, { kind: 'description', params: { text: body.description } }),
  picturesUrl: async (ctx, { body }) => {
    await asking(ctx, (inner) => requireConnection(inner, body.whatsappId))
    const { platform, tenantId } = ctx
    return withFetched(platform, tenantId, body.picture, (file) => changePicture(ctx, body, file), MOST_PICTURE_BYTES)
  },
  picturesFile: (ctx, { body, files }) => changePicture(ctx, body, files[0]),
  adminsOnly: (ctx, { body }) => change(ctx, body, { kind: 'admins_only', params: { isOn: body.adminsOnly } }),
  promote: changeMembers('promote'),
  demote: changeMembers('demote'),
  add: changeMembers('add'),
  remove: changeMembers('remove'),
})

/** Reads the members of a group from its channel, admins first. */
async function membersOf(
  { platform, tenantId }: SlowCtx,
  { connectionId, key }: { connectionId: number; key: string },
): Promise<Returned<typeof groupTools.participants>['participants']> {
  const found = await answerFor(askGroups(platform, 'group', { tenantId, connectionId, key }))
  const order = { owner: 0, admin: 1, member: 2 }
  return [...(found?.members ?? fail('ERR_NO_GROUP_FOUND'))].sort(
    (one, other) => order[one.role] - order[other.role] || one.name.localeCompare(other.name, 'pt-BR'),
  )
}

const ROLES = { owner: 'Dono', admin: 'Administrador', member: 'Participante' } as const
const COLUMNS = ['Grupo', 'ID do grupo', 'Nome', 'Número', 'Papel']

/** Streams the members of groups as a file, while the channel is queried group by group. */
async function exportParticipants(
  ctx: SlowCtx,
  { whatsappId, groupIds, format }: Input<typeof groupTools.exportParticipants>['query'],
): Promise<Download> {
  const { connectionId, groups } = await asking(ctx, async (inner) => {
    const { id } = await requireConnection(inner, whatsappId)
    const keys = groupIds && groupIds.length > 0 ? groupIds : null
    return { connectionId: id, groups: await findGroups(inner.db, id, keys) }
  })
  async function* rows() {
    yield COLUMNS
    for (const { id: key, name } of groups) {
      const of = { tenantId: ctx.tenantId, connectionId, key }
      const found = await askGroups(ctx.platform, 'group', of).catch((error: unknown) => {
        if (isSendFailure(error)) return error.message
        ctx.platform.log.warn({ err: error, tenantId: ctx.tenantId, connectionId }, 'a group was not exported')
        return 'Este grupo não pôde ser lido.'
      })
      if (typeof found === 'string' || !found) yield [name, key, found ?? 'O número saiu deste grupo.', '', '']
      else for (const member of found.members) yield [name, key, member.name, member.number ?? '', ROLES[member.role]]
    }
  }
  ctx.audit({ after: { whatsappId, groups: groups.length } })
  return tableFile(format, { name: 'participantes', sheet: 'Participantes' }, rows())
}

/** Statuses from which a job may be paused, resumed or cancelled. */
const MOVES: Readonly<Record<'pause' | 'resume' | 'cancel', readonly GroupJobStatus[]>> = {
  pause: ['processing'],
  resume: ['paused'],
  cancel: ['processing', 'paused'],
}

/** Locks a job and throws unless its status is one of `from`. */
async function requireStatus(ctx: UserCtx, id: number, from: readonly GroupJobStatus[]): Promise<StoredJob> {
  const status = required(await lockJob(ctx.db, id), 'ERR_NO_GROUP_JOB_FOUND')
  if (!from.includes(status)) fail('ERR_GROUP_JOB_STATE')
  const found = await jobOf(ctx, id)
  await requireConnection(ctx, found.connectionId)
  return found
}

async function moved(ctx: UserCtx, id: number): Promise<JobAnswer> {
  ctx.emit(groupToolEvents.changed, { what: 'jobs' }, AUDIENCE)
  return serializeJob(await jobOf(ctx, id))
}

export const groupJobRoutes = implement(groupJobs, {
  list: async (ctx, { query }) => {
    const kinds = query.kind ?? null
    const { rows, paging } = pageOf(await listJobs(ctx.db, kinds, exactPageStartOf<[number]>(query, 1)), ({ id }) => [
      id,
    ])
    return { jobs: rows.map(serializeJob), ...countOf(await countJobs(ctx.db, kinds, COUNTED)), ...paging }
  },
  get: async (ctx, { params }) => serializeJob(await jobOf(ctx, params.id)),
  items: async (ctx, { params: { id }, query }) => {
    await jobOf(ctx, id)
    const states = query.state ?? null
    const found = await listItems(ctx.db, id, states, exactPageStartOf<[number]>(query, 1))
    const { rows, paging } = pageOf(found, (row) => [row.id])
    return { items: rows, ...countOf(await countItems(ctx.db, id, states, COUNTED)), ...paging }
  },
  pause: async (ctx, { params: { id } }) => {
    await requireStatus(ctx, id, MOVES.pause)
    await updateJob(ctx.db, id, { status: 'paused', reason: '' })
    return moved(ctx, id)
  },
  resume: async (ctx, { params: { id } }) => {
    const { connectionId } = await requireStatus(ctx, id, MOVES.resume)
    await updateJob(ctx.db, id, { status: 'processing', reason: '', waits_until: null })
    enqueueWork(ctx, connectionId)
    return moved(ctx, id)
  },
  cancel: async (ctx, { params: { id } }) => {
    await requireStatus(ctx, id, MOVES.cancel)
    await skipWaiting(ctx.db, id, 'Tarefa encerrada.', ctx.now)
    await updateJob(ctx.db, id, { status: 'canceled', reason: '', finished_at: ctx.now })
    return moved(ctx, id)
  },
  retry: async (ctx, { params: { id } }) => {
    const { connectionId } = await requireStatus(ctx, id, ['completed'])
    if ((await retryFailed(ctx.db, id)) === 0) fail('ERR_GROUP_JOB_STATE')
    await updateJob(ctx.db, id, { status: 'processing', reason: '', finished_at: null, waits_until: null })
    enqueueWork(ctx, connectionId)
    return moved(ctx, id)
  },
})

/** Returns why a rule is not carried out: its number is not a group admin, or the word filter is off. */
function problemOf({ kind, role, problem, isWatching, deletes, removeAfter }: StoredRule): string {
  if (kind === 'word' && !isWatching) return 'O vigia de palavras está desligado neste canal.'
  const needsAdmin = kind === 'ban' || (kind === 'word' && (deletes || removeAfter !== null))
  if (needsAdmin && role !== null && !runs(role)) return 'O número não é administrador deste grupo.'
  return problem
}

function serializeRule(rule: StoredRule): Returned<typeof groupRules.get> {
  const { isWatching: _, role: __, connectionId, connectionName, userName, ...rest } = rule
  return {
    ...{ ...rest, whatsappId: connectionId, whatsappName: connectionName, userName: userName ?? '' },
    problem: problemOf(rule),
  }
}

const ruleOf = async ({ db }: Pick<Ctx | ReadCtx, 'db'>, id: number): Promise<StoredRule> =>
  required(await findRule(db, id), 'ERR_NO_GROUP_RULE_FOUND')

/** Returns a form's rule values, after checking that its group exists. */
async function valuesOf(ctx: UserCtx, form: Input<typeof groupRules.create>['body']): Promise<RuleValues> {
  const { kind, whatsappId, groupId, deletes, warning, removeAfter } = form
  const { id: connectionId } = await requireConnection(ctx, whatsappId)
  const { name: groupName } = await groupRow(ctx, connectionId, groupId)
  const ofWord =
    kind === 'word' ? { deletes, warning, removeAfter } : { deletes: false, warning: '', removeAfter: null }
  return { kind, connectionId, key: groupId, groupName, value: await ruleValue(form), ...ofWord }
}

async function ruleValue({ kind, value }: Input<typeof groupRules.create>['body']): Promise<string> {
  if (kind === 'word') return value.toLowerCase()
  if (kind !== 'ban') return value
  const digits = (await phoneReader())(value)?.e164?.replace(/\D/g, '')
  return digits ?? fail('ERR_VALIDATION', { value: 'Informe um número com DDD.' })
}

async function ruleWritten(ctx: UserCtx, id: number): Promise<Returned<typeof groupRules.get>> {
  ctx.emit(groupToolEvents.changed, { what: 'rules' }, AUDIENCE)
  const answer = serializeRule(await ruleOf(ctx, id))
  ctx.audit({ after: { kind: answer.kind, groupName: answer.groupName, value: answer.value } })
  return answer
}

export const groupRuleRoutes = implement(groupRules, {
  list: async (ctx, { query }) => {
    const which = { kind: query.kind, connectionId: query.whatsappId ?? null, search: query.searchParam || null }
    const { rows, paging } = pageOf(await listRules(ctx.db, which, exactPageStartOf<[number]>(query, 1)), ({ id }) => [
      id,
    ])
    return { rules: rows.map(serializeRule), ...countOf(await countRules(ctx.db, which, COUNTED)), ...paging }
  },
  get: async (ctx, { params }) => serializeRule(await ruleOf(ctx, params.id)),
  create: async (ctx, { body }) => {
    const values = await valuesOf(ctx, body)
    return ruleWritten(ctx, await insertRule(ctx.db, values, ctx.user.id, ctx.now))
  },
  update: async (ctx, { params: { id }, body }) => {
    const before = await ruleOf(ctx, id)
    if (before.kind !== body.kind) fail('ERR_NO_GROUP_RULE_FOUND')
    await updateRule(ctx.db, id, await valuesOf(ctx, body), ctx.now)
    return ruleWritten(ctx, id)
  },
  remove: async (ctx, { params: { id } }) => {
    const { kind, value, groupName } = await ruleOf(ctx, id)
    await removeRule(ctx.db, id)
    ctx.audit({ before: { kind, value, groupName } })
    ctx.emit(groupToolEvents.changed, { what: 'rules' }, AUDIENCE)
    return { message: 'ok' }
  },
  clear: async (ctx, { query }) => {
    const removed = await clearRules(ctx.db, query.kind)
    ctx.audit({ after: { kind: query.kind, removed } })
    ctx.emit(groupToolEvents.changed, { what: 'rules' }, AUDIENCE)
    return { removed }
  },
})
