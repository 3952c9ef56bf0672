import { whyNotFile } from '#domain/messages/file-limits.ts'
import { typeOfMime } from '#domain/messages/types.ts'
import { type LedgerTicket, lockLedgerTickets } from '#features/ledger/server/ticket/index.ts'
import { fail, required } from '#kit/errors.ts'
import type { Answer } from '#providers/assistants/port.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { type Ctx, unit } from '#server/context.ts'
import { storeUpload } from '#server/files/store.ts'
import type { Platform } from '#server/platform.ts'
import { findAccount } from '#server/providers/queries.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'
import { readClaim } from '#server/signed-claims.ts'
import type { StoredFile } from '#server/storage.ts'
import { KIND } from './accounts.ts'
import { reachAccount } from './adapters.ts'
import { type Deliverable, prepareBubbles, writeBubbles } from './deliver.ts'
import { answerFlow, NO_ANSWER } from './flow-answers.ts'
import { toPeople } from './hand-over.ts'
import { findSituations, lockTurn, ticketOfTurn, updateTurn } from './queries-turns.ts'
import { shownText } from './shown.ts'
import { cancel, isStillTheirs } from './turn.ts'

/** Reads the body of an answer for its tenant: any value, or the fields of a form, with its files. */
type ReadBody = <T>(tenantId: number, work: (body: unknown, files: readonly StoredFile[]) => Promise<T>) => Promise<T>

/** Receives an answer that a provider delivers later, in any format, and sends it once; refused if its turn no longer waits. */
export async function receiveAnswer(platform: Platform, token: string, read: ReadBody): Promise<void> {
  const { tenantId, id } = readClaim(platform, 'answer', token)
  await platform.limits.use('webhook', `answers ${tenantId}`)
  const base = { tenantId, user: null }
  const ticketId = required(await platform.db.read(tenantId, (db) => ticketOfTurn(db, id)), 'ERR_NOT_FOUND')
  const { found, account } = await unit(platform, base, async (ctx) => {
    const [locked] = await lockLedgerTickets(ctx.db, [ticketId])
    const accountId = (await lockTurn(ctx.db, id))?.account_id
    return { found: locked, account: accountId ? await findAccount(ctx.db, KIND, accountId) : undefined }
  })
  const ticket = required(found, 'ERR_NOT_FOUND')
  const adapter = account && (await reachAccount(platform, tenantId, account))?.adapter
  const bubblesOf = adapter?.deferred ?? fail('ERR_NOT_FOUND')
  const isTaken = await read(tenantId, async (body, files) => {
    const answer = { bubbles: bubblesOf(body) }
    const written = await prepareBubbles(platform, tenantId, ticket, answer)
    return unit(platform, base, (ctx) => take(ctx, { id, ticketId }, { answer, written, files }))
  })
  if (!isTaken) fail('ERR_NOT_FOUND')
}

/** Writes an answer into the ticket of its turn; false if the turn no longer waits for it. */
async function take(
  ctx: Ctx,
  { id, ticketId }: { readonly id: string; readonly ticketId: number },
  of: {
    readonly answer: Pick<Answer, 'bubbles'>
    readonly written: readonly Deliverable[]
    readonly files: readonly StoredFile[]
  },
): Promise<boolean> {
  const [ticket] = await lockLedgerTickets(ctx.db, [ticketId])
  const turn = await lockTurn(ctx.db, id)
  const row = (await findSituations(ctx.db, [ticketId])).get(ticketId)
  if (!ticket || !row || turn?.status !== 'later') return false
  if (!(await isStillTheirs(ctx, row, turn))) {
    await cancel(ctx, turn)
    return false
  }
  const isSilent = turn.flow?.isSilent === true
  const deliverable = isSilent ? of.written : [...of.written, ...(await attached(ctx, ticket, of.files))]
  const count = isSilent ? 0 : await writeBubbles(ctx, ticket, id, deliverable)
  await updateTurn(ctx.db, id, { status: 'answered', message_count: count, ended_at: ctx.now, lease_until: null })
  const isEmpty = deliverable.length === 0
  if (turn.flow)
    answerFlow(ctx, turn.flow, isEmpty ? NO_ANSWER : { exit: 'answered', answer: shownText(of.answer), read: 0 })
  else if (isEmpty) await toPeople(ctx, ticketId, row)
  return true
}

/** Stores files of an answer as messages; one that the channel does not carry is named in words. */
async function attached(ctx: Ctx, { channel }: LedgerTicket, files: readonly StoredFile[]): Promise<Deliverable[]> {
  const { files: limits } = capabilitiesOf(channel)
  const messages: Deliverable[] = []
  for (const file of files) {
    const kind = ([typeOfMime(file.mime), 'document'] as const).find((one) => whyNotFile(limits, file, one) === null)
    messages.push(
      kind
        ? { mediaType: kind, body: '', fileId: await storeUpload(ctx, file), delayMs: 0 }
        : { mediaType: 'text', body: sanitizeForPostgres(`Arquivo: ${file.name || 'sem nome'}`), delayMs: 0 },
    )
  }
  return messages
}
