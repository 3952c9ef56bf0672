import { check } from '#domain/flow/check.ts'
import { documentOf, type FlowDocument, NEW_FLOW } from '#domain/flow/document.ts'
import type { FlowProblem } from '#domain/flow/problems.ts'
import { readFlow } from '#domain/flow/read.ts'
import { answeringAccounts } from '#features/assistants/server/index.ts'
import type { Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import type { Queryable } from '#server/db/db.ts'
import { ownVariablesOf } from '#server/own-variables.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'
import type { flows } from '../contract.ts'
import { runCases } from './cases.ts'
import { documentIn } from './documents.ts'
import { filesIn, filesOf, saveMedia, type WaitingFiles } from './media.ts'
import type { Asking } from './play.ts'
import {
  existingIds,
  type FlowRecord,
  findFlow,
  findVersion,
  insertFlow,
  insertVersion,
  isUnpublished,
  listVersions,
  lockFlow,
  publishedDocuments,
  publishVersion,
  setTrial,
  trialOf,
  updateFlow,
} from './queries.ts'
import { insertSecrets, listSecrets, type StoredSecret } from './queries-secrets.ts'
import { publishSecrets, saveSecrets, withMasks, withPlainSecrets, withReferences } from './secrets.ts'

type UserCtx = Ctx & { user: Actor }

/** Parses a flow document from a request; throws 400 with a message if invalid. */
function requireDocument(given: unknown, field: string): FlowDocument {
  const document = documentOf(given)
  return typeof document === 'string' ? fail('ERR_VALIDATION', { [field]: document }) : sanitizeForPostgres(document)
}

async function problemsOf(
  db: Queryable,
  id: number,
  document: FlowDocument,
  secrets?: readonly StoredSecret[],
): Promise<FlowProblem[]> {
  const { queues, users, tags, stages, pipelineStages, calendars, reasons, connections } = await existingIds(db)
  const known = secrets ?? (await listSecrets(db, id))
  const others = await publishedDocuments(db)
  const idsOf = (rows: readonly { id: number }[]) => new Set(rows.map((row) => row.id))
  return check(readFlow(document), {
    chatFlowId: id,
    queueIds: idsOf(queues),
    userIds: idsOf(users),
    tagIds: idsOf(tags),
    stageIds: idsOf(stages),
    pipelineStageIds: idsOf(pipelineStages),
    calendarIds: idsOf(calendars),
    reasonIds: idsOf(reasons),
    fileIds: new Set((await filesIn(db, document)).map((file) => file.id)),
    connectionIds: idsOf(connections),
    smsIds: idsOf(connections.filter(({ type }) => capabilitiesOf(type).smsParts)),
    assistants: new Map((await answeringAccounts(db)).map((account) => [account.id, account.provider])),
    variables: new Set(Object.keys((await ownVariablesOf(db, []))(0))),
    secretOrigins: new Map(known.map((secret) => [secret.id, secret.origin])),
    flows: new Map([...others].map(([other, definition]) => [other, readFlow(definition)])),
  })
}

/** Returns a flow with its draft and the data of its builder. */
export async function readDetail(ctx: Asking, id: number): Promise<Returned<typeof flows.get>> {
  const { db } = ctx
  const row = required(await findFlow(db, id), 'ERR_NO_CHAT_FLOW_FOUND')
  const { queues, users } = await existingIds(db)
  const secrets = await listSecrets(db, id)
  const document = documentIn(row)
  return {
    id: row.id,
    name: row.name,
    isActive: row.is_active,
    celularTeste: row.test_number,
    flow: withMasks(document, secrets),
    files: await filesOf(ctx, document),
    revision: row.revision,
    version: row.published_version,
    isUnpublished: await isUnpublished(db, id),
    trial: trialOf(row),
    problems: await problemsOf(db, id, document, secrets),
    ...(await runCases(ctx, id, document)),
    usuarios: users,
    filas: queues,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Creates a flow; conversations do not start it before it is published. */
export async function createFlow(
  ctx: UserCtx,
  {
    name,
    isActive = true,
    celularTeste,
  }: { name: string; isActive?: boolean | undefined; celularTeste?: string | null | undefined },
): Promise<{ id: number }> {
  const testNumber = celularTeste ?? ''
  return { id: await insertFlow(ctx.db, { name, isActive, testNumber, definition: NEW_FLOW, now: ctx.now }) }
}

/** Throws 409 if the draft is no longer at the revision that the client has seen. */
function requireRevision(row: FlowRecord, revision: number | undefined): void {
  if (revision !== undefined && revision !== row.revision) fail('ERR_FLOW_CHANGED', { revision: row.revision })
}

/** Changes a flow; its draft only at the revision that the client has read. */
export async function changeFlow(
  ctx: UserCtx,
  id: number,
  body: {
    name?: string | undefined
    isActive?: boolean | undefined
    celularTeste?: string | null | undefined
    flow?: unknown
    revision?: number | undefined
  },
  files: WaitingFiles,
): Promise<void> {
  const row = required(await lockFlow(ctx.db, id), 'ERR_NO_CHAT_FLOW_FOUND')
  const { name, isActive, celularTeste, flow, revision } = body
  requireRevision(row, revision)
  const testNumber = celularTeste === undefined ? undefined : (celularTeste ?? '')
  const given = flow === undefined ? null : requireDocument(flow, 'flow')
  const definition = given ? { definition: await separateDraft(ctx, row, given, files) } : {}
  await updateFlow(ctx.db, id, { name, isActive, testNumber, ...definition }, ctx.now)
}

// Moves secrets and files out of the document.
async function separateDraft(
  ctx: UserCtx,
  row: FlowRecord,
  given: FlowDocument,
  files: WaitingFiles,
): Promise<FlowDocument> {
  const document = await saveMedia(ctx, row.id, given, files)
  return saveSecrets(ctx, row.id, document, documentIn(row))
}

/** Replaces the draft by an imported document and returns its problems. */
export async function importFlow(
  ctx: UserCtx,
  id: number,
  given: unknown,
  files: WaitingFiles,
): Promise<Returned<typeof flows.import>> {
  const row = required(await lockFlow(ctx.db, id), 'ERR_NO_CHAT_FLOW_FOUND')
  const definition = await separateDraft(ctx, row, requireDocument(given, 'flow'), files)
  await updateFlow(ctx.db, id, { definition }, ctx.now)
  return { problems: await problemsOf(ctx.db, id, definition), ...(await runCases(ctx, id, definition)) }
}

/** Copies the draft of a flow; the copy is inactive. */
export async function duplicateFlow(
  ctx: UserCtx,
  { id, name }: { id: number; name?: string | undefined },
): Promise<{ id: number }> {
  const row = required(await findFlow(ctx.db, id), 'ERR_NO_CHAT_FLOW_FOUND')
  const copy = { name: name || `${row.name.slice(0, 90)} (cópia)`, isActive: false, testNumber: row.test_number }
  // The copy gets its own secrets, because a flow's secrets are deleted with it.
  const plain = withPlainSecrets(ctx, documentIn(row), await listSecrets(ctx.db, id))
  const { document, added } = withReferences(ctx, plain, { before: null, known: [] })
  const copied = await insertFlow(ctx.db, { ...copy, definition: document, now: ctx.now })
  await insertSecrets(ctx.db, copied, added, ctx.now)
  await saveMedia(ctx, copied, document, new Map())
  return { id: copied }
}

/** Removes a flow: it no longer starts, but conversations that it attends continue. */
export async function removeFlow(ctx: UserCtx, id: number): Promise<void> {
  required(await lockFlow(ctx.db, id), 'ERR_NO_CHAT_FLOW_FOUND')
  await updateFlow(ctx.db, id, { isDeleted: true }, ctx.now)
}

/**
 * Publishes the draft for all new conversations, or for `share` percent of them. Throws 422 if it has errors or failing
 * cases, 409 if it is not at `revision`.
 */
export async function publishFlow(
  ctx: UserCtx,
  id: number,
  { share, revision }: { share?: number | undefined; revision?: number | undefined },
): Promise<{ version: number }> {
  const row = required(await lockFlow(ctx.db, id), 'ERR_NO_CHAT_FLOW_FOUND')
  requireRevision(row, revision)
  if (share !== undefined && row.published_version === null)
    fail('ERR_VALIDATION', { share: 'Ainda não há uma versão publicada que as outras conversas sigam.' })
  return publish(ctx, id, documentIn(row), share)
}

/** Makes the trial version the version of all new conversations. */
export async function promoteTrial(ctx: UserCtx, id: number): Promise<{ version: number }> {
  const row = required(await lockFlow(ctx.db, id), 'ERR_NO_CHAT_FLOW_FOUND')
  const { version } = trialOf(row) ?? fail('ERR_NO_FLOW_TRIAL')
  const { definition } = required(await findVersion(ctx.db, id, version), 'ERR_NO_FLOW_VERSION_FOUND')
  const begins = readFlow(definition).configurations
  await publishVersion(ctx.db, { flowId: id, version, begins, now: ctx.now })
  return { version }
}

/** Ends the trial: all new conversations follow the published version, which is returned. */
export async function endTrial(ctx: UserCtx, id: number): Promise<{ version: number }> {
  const row = required(await lockFlow(ctx.db, id), 'ERR_NO_CHAT_FLOW_FOUND')
  if (!trialOf(row)) fail('ERR_NO_FLOW_TRIAL')
  await setTrial(ctx.db, id, null, ctx.now)
  return { version: row.published_version! }
}

/**
 * Publishes an older version as a new one and makes it the draft; throws 422 if referenced records are gone, 409 if the
 * draft is not at the seen revision.
 */
export async function restoreVersion(
  ctx: UserCtx,
  id: number,
  { version, revision }: { version: number; revision?: number | undefined },
): Promise<{ version: number }> {
  requireRevision(required(await lockFlow(ctx.db, id), 'ERR_NO_CHAT_FLOW_FOUND'), revision)
  const { definition } = required(await findVersion(ctx.db, id, version), 'ERR_NO_FLOW_VERSION_FOUND')
  await updateFlow(ctx.db, id, { definition }, ctx.now)
  return publish(ctx, id, definition)
}

async function publish(
  ctx: UserCtx,
  flowId: number,
  definition: FlowDocument,
  share?: number,
): Promise<{ version: number }> {
  const errors = (await problemsOf(ctx.db, flowId, definition)).filter(({ level }) => level === 'error')
  const { cases } = await runCases(ctx, flowId, definition)
  const failing = cases.filter(({ isPassed }) => !isPassed)
  if (errors.length > 0 || failing.length > 0) fail('ERR_FLOW_NOT_READY', { problems: errors, cases: failing })
  const flow = readFlow(definition)
  const version = await insertVersion(ctx.db, { flowId, definition, userId: ctx.user.id, now: ctx.now })
  const begins = flow.configurations
  if (share !== undefined) await setTrial(ctx.db, flowId, { version, share }, ctx.now)
  else await publishVersion(ctx.db, { flowId, version, begins, now: ctx.now })
  await publishSecrets(ctx, flowId, flow)
  return { version }
}

/** Returns the versions of a flow. */
export async function readVersions({ db }: Pick<ReadCtx, 'db'>, id: number): Promise<Returned<typeof flows.versions>> {
  const row = required(await findFlow(db, id), 'ERR_NO_CHAT_FLOW_FOUND')
  const all = await listVersions(db, id)
  const trial = trialOf(row)
  return {
    versions: all.map(({ version, created_at: createdAt, user_name: userName }) => {
      const isPublished = version === row.published_version
      const share = trial?.version === version ? trial.share : isPublished ? 100 - (trial?.share ?? 0) : 0
      return { version, createdAt, userName, isPublished, share }
    }),
  }
}

/** Returns a version of a flow as published, with secrets masked. */
export async function readVersion(
  { db }: Pick<ReadCtx, 'db'>,
  id: number,
  version: number,
): Promise<Returned<typeof flows.version>> {
  required(await findFlow(db, id), 'ERR_NO_CHAT_FLOW_FOUND')
  const { definition, createdAt } = required(await findVersion(db, id, version), 'ERR_NO_FLOW_VERSION_FOUND')
  return { version, createdAt, flow: withMasks(definition, await listSecrets(db, id)) }
}
