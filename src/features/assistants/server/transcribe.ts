import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { saveTranscript } from '#features/ledger/server/media/index.ts'
import { requireVisible } from '#features/visibility/server/index.ts'
import { AppError, fail, required } from '#kit/errors.ts'
import { AssistantFailure } from '#providers/assistants/port.ts'
import { reading, unit } from '#server/context.ts'
import { isInfrastructure } from '#server/db/faults.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { listAccounts, type StoredAccount } from '#server/providers/queries.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'
import { KIND } from './accounts.ts'
import { ANSWER_MS, reachAccount } from './adapters.ts'
import { usedUp } from './costs.ts'
import { type CountedCall, insertCalls } from './queries-costs.ts'
import { findRecording, listRecordings, type RecordingRow } from './queries-transcripts.ts'

/** Transcription providers, fastest first. */
const PROVIDERS = ['groqcloud', 'chatgpt']
/** Maximum size of a recording that providers accept. */
const MOST_BYTES = 25 * 1024 * 1024
const MOST_CHARACTERS = 20_000
const RETRY_MS = 5000
const MOST_TRIES = 12
const MINUTE_MS = 60_000

type Of = { readonly platform: Platform; readonly tenantId: number }

const underWay = new Map<string, Promise<string>>()

/**
 * Transcribes a message's recording and stores the transcript; concurrent requests share one call. Throws the reason: no
 * account, no file, the budget, or the provider's error.
 */
export function transcribe(of: Of, messageId: string, userId?: number): Promise<string> {
  const key = `${of.tenantId}:${messageId}`
  const known = underWay.get(key)
  if (known) return known
  const work = write(of, messageId, userId).finally(() => underWay.delete(key))
  underWay.set(key, work)
  return work
}

async function write({ platform, tenantId }: Of, messageId: string, userId?: number): Promise<string> {
  const { row, account, spent } = await reading(platform, { tenantId, user: null }, async (ctx) => {
    const found = required(await findRecording(ctx.db, messageId), 'ERR_NOT_FOUND')
    const own = await transcriberOf(await listAccounts(ctx.db, KIND))
    return { row: found, account: own, spent: own ? await usedUp(ctx, own) : null }
  })
  if (row.transcript !== null) return row.transcript
  if (!row.file || row.file.size > MOST_BYTES) fail('ERR_NOT_FOUND')
  if (!account) fail('ERR_NO_ACCOUNT_FOR_THIS')
  if (spent) fail(spent.code)
  const begun = performance.now()
  const outcome = await spokenIn({ platform, tenantId }, account, row.file).then(
    (text) => ({ text: sanitizeForPostgres(text.slice(0, MOST_CHARACTERS)), error: null }),
    (error: unknown) => ({ text: null, error: reasonOf(platform, error) }),
  )
  const { config } = account
  const minutes = (row.file.durationMs ?? 0) / MINUTE_MS
  const price = Number(config['audioPrice'] ?? 0)
  const call: CountedCall = {
    ...{
      id: crypto.randomUUID(),
      purpose: 'transcription',
      ticketId: row.ticketId,
      turnId: null,
      accountId: account.id,
    },
    ...{
      provider: account.provider,
      model: String(config['transcriptionModel'] ?? ''),
    },
    ...{ inputTokens: 0, cachedTokens: 0, outputTokens: 0, ms: performance.now() - begun },
    ...{ cost: outcome.text === null ? 0 : minutes * price, error: outcome.error },
    ...(userId === undefined ? {} : { userId }),
  }
  await unit(platform, { tenantId, user: null }, async (ctx) => {
    await insertCalls(ctx.db, [call], ctx.now)
    if (outcome.text !== null) await saveTranscript(ctx, messageId, outcome.text)
  })
  return outcome.text ?? fail('ERR_TRANSCRIPTION', { reason: outcome.error ?? '' })
}

const transcriberOf = (accounts: readonly StoredAccount[]): StoredAccount | undefined =>
  PROVIDERS.flatMap((provider) => accounts.filter((one) => one.is_active && one.provider === provider))[0]

async function spokenIn({ platform, tenantId }: Of, account: StoredAccount, file: NonNullable<RecordingRow['file']>) {
  const reached = await reachAccount(platform, tenantId, account)
  const bytes = await buffer(platform.storage.read(file.path))
  if (!reached?.adapter.transcribe) throw new AssistantFailure('setup', 'Este provedor não transcreve áudios.')
  const recording = { name: file.name || 'audio.ogg', mime: file.mime, bytes }
  return reached.adapter.transcribe(recording, AbortSignal.timeout(ANSWER_MS))
}

function reasonOf(platform: Platform, error: unknown): string {
  if (error instanceof AssistantFailure) return sanitizeForPostgres(error.message)
  platform.log.error({ err: error }, 'a recording was not written down')
  return 'O arquivo do áudio não pôde ser lido.'
}

/** Transcribes a recording at a user's request, for a message that the user may see. */
export async function transcribeFor(
  { platform, tenantId, user }: SlowCtx,
  messageId: string,
): Promise<{ text: string }> {
  await platform.limits.use('copilot', `${tenantId}:${user.id}`)
  await reading(platform, { tenantId, user }, async (ctx) => {
    const row = required(await findRecording(ctx.db, messageId), 'ERR_NOT_FOUND')
    await requireVisible({ ...ctx, user }, row.ticketId)
  })
  return { text: await transcribe({ platform, tenantId }, messageId, user.id) }
}

/** Transcribes several recordings as far as possible now; failures, and what takes longer than `withinMs`, are omitted. */
export async function transcribeAll(
  of: Of,
  ids: readonly string[],
  withinMs = ANSWER_MS,
): Promise<ReadonlyMap<string, string>> {
  const late = setTimeout(withinMs, null, { ref: false })
  const written = ids.map(async (id) => [id, await Promise.race([transcribe(of, id).catch(passing), late])] as const)
  return new Map((await Promise.all(written)).flatMap(([id, text]) => (text === null ? [] : [[id, text]])))
}

function passing(error: unknown): null {
  if (error instanceof AppError && !isInfrastructure(error)) return null
  throw error
}

/** Job that transcribes the latest recordings of a ticket; a recording whose file is missing yet is retried. */
export const transcribeJob = job({
  name: 'assistants:transcribe',
  schema: z.object({ ticketId: z.number(), tries: z.number().int() }),
  run: async (platform, { tenantId, ticketId, tries }) => {
    const found = await platform.db.read(tenantId, (db) => listRecordings(db, ticketId))
    const here = found.flatMap(({ id, isHere }) => (isHere ? [id] : []))
    await transcribeAll({ platform, tenantId }, here)
    if (here.length === found.length || tries + 1 >= MOST_TRIES) return
    await unit(platform, { tenantId, user: null }, async (ctx) =>
      ctx.enqueue(
        transcribeJob,
        { ticketId, tries: tries + 1 },
        { runAt: new Date(ctx.now.getTime() + RETRY_MS * (tries + 1)) },
      ),
    )
  },
})
