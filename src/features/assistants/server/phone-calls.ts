import type { FastifyInstance } from 'fastify'
import { spellingsOf } from '#domain/phone/brazil.ts'
import { lockLedgerTickets } from '#features/ledger/server/ticket/index.ts'
import { writeMessages } from '#features/ledger/server/writing/index.ts'
import { fail, required } from '#kit/errors.ts'
import { AssistantFailure, type PhoneChoice, type PhoneReport } from '#providers/assistants/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { SlowCtx } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import { findAccount, listAccounts, type StoredAccount } from '#server/providers/queries.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'
import { isSameText } from '#server/secrets.ts'
import { accounts, KIND } from './accounts.ts'
import { reachAccount } from './adapters.ts'
import { type CountedCall, insertCalls } from './queries-costs.ts'
import { newestTicketOf } from './queries-phone.ts'

const LIST_MS = 15_000
const CALL_MS = 20_000
const MINUTE = 60
const MOST_CHARACTERS = 10_000

/** Whom an assistant calls. */
export type Called = { readonly number: string; readonly name: string }

type Of = Pick<SlowCtx, 'platform' | 'tenantId'>

/** The account that makes phone calls, the default first; null where none does. */
async function phoneAccount({ platform, tenantId }: Of) {
  const all = await platform.db.read(tenantId, (db) => listAccounts(db, KIND))
  for (const account of all.filter((one) => one.is_active)) {
    const phone = (await reachAccount(platform, tenantId, account))?.adapter.phone
    if (phone) return { account, phone }
  }
  return null
}

/** Assistants or numbers by which calls can be made; none where no account makes them, or the provider does not tell. */
export async function phoneChoices(of: Of, what: 'assistants' | 'numbers'): Promise<PhoneChoice[]> {
  const found = await phoneAccount(of)
  return found ? found.phone[what](AbortSignal.timeout(LIST_MS)).catch(() => []) : []
}

/** Has an assistant call some customers; answers the id of each call, or why it did not begin. */
export async function beginCalls(
  { platform, tenantId, user }: SlowCtx,
  {
    customers,
    assistantId,
    phoneNumberId,
  }: { customers: readonly Called[]; assistantId: string; phoneNumberId: string },
) {
  const { account, phone } = (await phoneAccount({ platform, tenantId })) ?? fail('ERR_NO_ACCOUNT_FOR_THIS')
  const begun: { number: string; callId: string | null; error: string | null }[] = []
  for (const { number, name } of customers) {
    await platform.limits.use('copilot', `${tenantId}:${user.id}`)
    const started = performance.now()
    const outcome = await phone.call({ assistantId, phoneNumberId, number, name }, AbortSignal.timeout(CALL_MS)).then(
      (callId) => ({ callId, error: null }),
      (error: unknown) => ({ callId: null, error: reasonOf(platform, error) }),
    )
    begun.push({ number, ...outcome })
    // One that has begun is counted when it has ended, with what it cost.
    if (outcome.error === null) continue
    const failed = { ...callOf(account, crypto.randomUUID()), ms: performance.now() - started, error: outcome.error }
    await unit(platform, { tenantId, user }, (ctx) => insertCalls(ctx.db, [{ ...failed, userId: user.id }], ctx.now))
  }
  return begun
}

const callOf = (account: StoredAccount, id: string): CountedCall => ({
  ...{
    id,
    purpose: 'call',
    ticketId: null,
    turnId: null,
    accountId: account.id,
    provider: account.provider,
    model: '',
  },
  ...{ inputTokens: 0, cachedTokens: 0, outputTokens: 0, ms: 0, cost: 0, error: null },
})

function reasonOf(platform: Platform, error: unknown): string {
  if (error instanceof AssistantFailure) return sanitizeForPostgres(error.message)
  platform.log.error({ err: error }, 'a phone call did not begin')
  return 'A ligação não começou.'
}

/** Takes what providers post of phone calls: whose it is says the path, whether it is theirs the secret beside it. */
export function serveReports(platform: Platform, { http }: { readonly http: FastifyInstance }): void {
  http.post<{ Params: { tenantId: string; accountId: string }; Body: unknown }>(
    '/api/assistants/calls/:tenantId/:accountId',
    { bodyLimit: 2 * 1024 * 1024 },
    async (request, reply) => {
      const [tenantId, accountId] = [Number(request.params.tenantId), Number(request.params.accountId)]
      if (!Number.isSafeInteger(tenantId) || !Number.isSafeInteger(accountId)) return fail('ERR_NOT_FOUND')
      await platform.limits.use('webhookOpen', request.ip)
      const account = required(
        await platform.db.read(tenantId, (db) => findAccount(db, KIND, accountId)),
        'ERR_NOT_FOUND',
      )
      const given = request.headers['x-vapi-secret']
      const secret = String(accounts.plain(platform, tenantId, account)['webhookSecret'] ?? '')
      if (secret === '' || typeof given !== 'string' || !isSameText(given, secret)) return fail('ERR_WEBHOOK_SIGNATURE')
      const report = (await reachAccount(platform, tenantId, account))?.adapter.phone?.report(request.body)
      if (report) await unit(platform, { tenantId, user: null }, (ctx) => takeReport(ctx, account, report))
      return reply.send({ message: 'ok' })
    },
  )
}

/** Writes how a call went into the customer's newest ticket, once, and counts it. */
async function takeReport(ctx: Ctx, account: StoredAccount, report: PhoneReport): Promise<void> {
  const { id, number, seconds, summary, transcript, reason } = report
  const ticketId = number === '' ? undefined : await newestTicketOf(ctx.db, [...spellingsOf(number)])
  const price = Number((account.config as { callPrice?: number | null }).callPrice ?? 0)
  const counted = { ...callOf(account, uuidOf(id)), ms: seconds * 1000, cost: (seconds / MINUTE) * price }
  await insertCalls(ctx.db, [{ ...counted, ticketId: ticketId ?? null }], ctx.now)
  const [ticket] = ticketId === undefined ? [] : await lockLedgerTickets(ctx.db, [ticketId])
  if (!ticket) return
  const parts = [
    `Ligação do assistente, ${Math.round(seconds)} s${reason ? ` (${reason})` : ''}.`,
    summary && `Resumo: ${summary}`,
    transcript && `Transcrição:\n${transcript}`,
  ]
  const body = sanitizeForPostgres(parts.filter(Boolean).join('\n\n')).slice(0, MOST_CHARACTERS)
  const note = { ticket, source: 'bot', sendType: 'bot', isNote: true, mediaType: 'note', body } as const
  await writeMessages(ctx, [{ ...note, idFront: `phone-call:${sanitizeForPostgres(id).slice(0, 80)}` }])
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id under which a call is counted: the provider's, which is the same in a repeat, where it is one. */
const uuidOf = (id: string): string => (UUID.test(id) ? id.toLowerCase() : crypto.randomUUID())
