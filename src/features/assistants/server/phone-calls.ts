import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { spellingsOf } from '#domain/phone/brazil.ts'
import { type LedgerTicket, lockLedgerTickets } from '#features/ledger/server/ticket/index.ts'
import { writeMessages } from '#features/ledger/server/writing/index.ts'
import { requireVisible } from '#features/visibility/server/index.ts'
import { fail, required } from '#kit/errors.ts'
import { AssistantFailure, type PhoneChoice, type PhoneReport } from '#providers/assistants/port.ts'
import { type Ctx, reading, unit } from '#server/context.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { findAccount, listAccounts, type StoredAccount } from '#server/providers/queries.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'
import { isSameText } from '#server/secrets.ts'
import { accounts, KIND } from './accounts.ts'
import { reachAccount } from './adapters.ts'
import { usedUp } from './costs.ts'
import type { CountedCall } from './queries-costs.ts'
import { claimCall, countEnded, findCalled, newestTicketOf, noteBegun } from './queries-phone.ts'

const LIST_MS = 15_000
const CALL_MS = 20_000
const MINUTE = 60
const MOST_CHARACTERS = 10_000

/** Person whom an assistant calls. */
export type Called = { readonly number: string; readonly name: string }

type Of = Pick<SlowCtx, 'platform' | 'tenantId'>

/** Returns the account for phone calls, the default first; null if none. */
async function phoneAccount({ platform, tenantId }: Of) {
  const all = await platform.db.read(tenantId, (db) => listAccounts(db, KIND))
  for (const account of all.filter((one) => one.is_active)) {
    const phone = (await reachAccount(platform, tenantId, account))?.adapter.phone
    if (phone) return { account, phone }
  }
  return null
}

/** Returns the assistants or numbers for calls; empty without an account, or if the provider does not list them. */
export async function phoneChoices(of: Of, what: 'assistants' | 'numbers'): Promise<PhoneChoice[]> {
  const found = await phoneAccount(of)
  return found ? found.phone[what](AbortSignal.timeout(LIST_MS)).catch(() => []) : []
}

/** Assistant and number for calls. */
type Wish = { readonly assistantId: string; readonly phoneNumberId: string }

/** Result of starting a call: its id at the provider, or the error. */
type Begun = { readonly number: string; readonly callId: string | null; readonly error: string | null }

/** Starts an assistant's calls to customers, or to a ticket's contact; returns each call's id or error. */
export async function beginCalls(
  { platform, tenantId, user }: SlowCtx,
  { customers, ticketId, ...wish }: Wish & { customers: readonly Called[]; ticketId?: number | undefined },
): Promise<Begun[]> {
  const account = (await phoneAccount({ platform, tenantId })) ?? fail('ERR_NO_ACCOUNT_FOR_THIS')
  const called = await reading(platform, { tenantId, user }, async (ctx) => {
    const spent = await usedUp(ctx, account.account)
    if (spent) fail(spent.code)
    if (ticketId === undefined) return customers
    await requireVisible({ ...ctx, user }, ticketId)
    return customers.length > 0 ? customers : [calledIn(await findCalled(ctx.db, ticketId))]
  })
  const begun: Begun[] = []
  for (const one of called) {
    await platform.limits.use('copilot', `${tenantId}:${user.id}`)
    const of = { ...callOf(account.account, crypto.randomUUID()), ticketId: ticketId ?? null, userId: user.id }
    const outcome = await begin({ platform, tenantId }, account, { ...wish, ...one }, of)
    begun.push(outcome ?? { number: one.number, callId: null, error: LOST })
  }
  return begun
}

const calledIn = (found: { number: string | null; name: string } | undefined): Called =>
  found?.number ? { number: found.number, name: found.name } : fail('ERR_VALIDATION', { customers: NO_NUMBER })

const NO_NUMBER = 'O contato não tem um número de telefone.'
const LOST = 'A resposta se perdeu: a ligação pode ter começado.'

/** Starts a call, recorded before the request; null if it was recorded earlier and its result is unknown. */
async function begin(
  { platform, tenantId }: Of,
  { phone }: NonNullable<Awaited<ReturnType<typeof phoneAccount>>>,
  { number, ...wish }: Wish & Called,
  of: CountedCall,
): Promise<Begun | null> {
  const within = { tenantId, user: null }
  if (!(await unit(platform, within, (ctx) => claimCall(ctx.db, { ...of, error: LOST }, ctx.now)))) return null
  const outcome = await phone.call({ ...wish, number }, AbortSignal.timeout(CALL_MS)).then(
    (callId) => ({ callId: sanitizeForPostgres(callId).slice(0, 200), error: null }),
    (error: unknown) => ({ callId: null, error: reasonOf(platform, error) }),
  )
  await platform.checkpoint('phone call begun')
  await unit(platform, within, (ctx) => noteBegun(ctx.db, of.id, { externalId: outcome.callId, error: outcome.error }))
  return { number, ...outcome }
}

/**
 * Job that makes a chat flow's phone call, once: a call that may have been made before a crash is not repeated. A failure is
 * noted in the ticket.
 */
export const phoneCallJob = job({
  name: 'assistants:phone-call',
  schema: z.object({
    callId: z.string(),
    ticketId: z.number(),
    assistantId: z.string(),
    phoneNumberId: z.string(),
    /** Empty: the contact's own number. */
    to: z.string(),
  }),
  run: async (platform, { tenantId, callId, ticketId, to, ...wish }) => {
    const of = { platform, tenantId }
    const reason = await beginForFlow(of, { ...wish, callId, ticketId, to })
    if (reason === null) return
    await unit(platform, { tenantId, user: null }, async (ctx) => {
      const [ticket] = await lockLedgerTickets(ctx.db, [ticketId])
      if (ticket) await writeNote(ctx, ticket, `O fluxo não ligou para o cliente. ${reason}`, callId)
    })
  },
})

async function beginForFlow(
  of: Of,
  { callId, ticketId, to, ...wish }: Wish & { callId: string; ticketId: number; to: string },
): Promise<string | null> {
  const account = await phoneAccount(of)
  if (!account) return 'Nenhuma conta de ligações está conectada.'
  const [called, spent] = await reading(of.platform, { tenantId: of.tenantId, user: null }, async (ctx) => [
    await findCalled(ctx.db, ticketId),
    await usedUp(ctx, account.account),
  ])
  if (spent) return spent.text
  const digits = (to || called?.number || '').replace(/\D/g, '')
  if (!/^\d{8,15}$/.test(digits)) return to ? `“${to}” não é um número com DDI e DDD.` : NO_NUMBER
  const counted = { ...callOf(account.account, uuidBy(callId)), ticketId }
  const begun = await begin(of, account, { ...wish, number: digits, name: called?.name ?? '' }, counted)
  return begun ? begun.error : LOST
}

/** Returns the id of a flow's call, derived from its effect, so that a repetition finds the record. */
function uuidBy(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

const callOf = (account: StoredAccount, id: string): CountedCall => ({
  ...{ id, purpose: 'call', ticketId: null, turnId: null, accountId: account.id, provider: account.provider },
  ...{ model: '', inputTokens: 0, cachedTokens: 0, outputTokens: 0, ms: 0, cost: 0, error: null },
})

function reasonOf(platform: Platform, error: unknown): string {
  if (error instanceof AssistantFailure) return sanitizeForPostgres(error.message)
  platform.log.error({ err: error }, 'a phone call did not begin')
  return 'A ligação não começou.'
}

/** Receives providers' reports on phone calls: the path identifies tenant and account, a secret header authenticates. */
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

/** Writes the result of a call into the customer's newest ticket, once, and accounts its cost. */
async function takeReport(ctx: Ctx, account: StoredAccount, report: PhoneReport): Promise<void> {
  const { id, number, seconds, summary, transcript, reason } = report
  const newest = number === '' ? undefined : await newestTicketOf(ctx.db, [...spellingsOf(number)])
  const price = Number(account.config['callPrice'] ?? 0)
  const counted = { ...callOf(account, crypto.randomUUID()), ms: seconds * 1000, cost: (seconds / MINUTE) * price }
  const externalId = sanitizeForPostgres(id).slice(0, 200)
  const ticketId = await countEnded(ctx.db, { ...counted, externalId, ticketId: newest ?? null }, ctx.now)
  const [ticket] = ticketId === null ? [] : await lockLedgerTickets(ctx.db, [ticketId])
  if (!ticket) return
  const parts = [
    `Ligação do assistente, ${Math.round(seconds)} s${reason ? ` (${reason})` : ''}.`,
    summary && `Resumo: ${summary}`,
    transcript && `Transcrição:\n${transcript}`,
  ]
  await writeNote(ctx, ticket, parts.filter(Boolean).join('\n\n'), `phone-call:${externalId.slice(0, 80)}`)
}

/** Writes a note of the product's own, once. */
async function writeNote(ctx: Ctx, ticket: LedgerTicket, text: string, idFront: string): Promise<void> {
  const body = sanitizeForPostgres(text).slice(0, MOST_CHARACTERS)
  await writeMessages(ctx, [{ ticket, source: 'bot', sendType: 'bot', isNote: true, mediaType: 'note', body, idFront }])
}
