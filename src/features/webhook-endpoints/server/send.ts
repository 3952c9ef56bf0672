import { textFieldIn } from '#domain/keys.ts'
import { isGone, isHopeless, isTaken, retryAfterOf, waitAfter } from '#domain/webhook-endpoints/retries.ts'
import { connectionEvents } from '#features/connections/connection-events.ts'
import { mailAdmins } from '#features/connections/server/index.ts'
import { AppError, errorText } from '#kit/errors.ts'
import { type Ctx, unit } from '#server/context.ts'
import { outboundFetch } from '#server/outbound.ts'
import type { Platform } from '#server/platform.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'
import { webhookEndpointEvents } from '../contract.ts'
import { type Attempted, type Claimed, lockDelivery, noteTaken, saveAttempt, switchOff } from './queries-deliveries.ts'
import { type EndpointRecord, endpointRows } from './queries-endpoints.ts'
import { endpointEncryption } from './secrets.ts'
import { signedHeaders } from './signature.ts'

/** Time-out of a receiver's response in ms; the lease of a delivery is longer. */
export const ANSWER_MS = 15_000
/** Maximum number of bytes read from a response, and number of those stored. */
const MOST_READ = 64 * 1024
const MOST_SAVED = 4096

/** Result of an attempt, with the delay requested by the receiver in ms. */
export type Tried = Attempted & { readonly retryAfterMs: number | null }

type ToSend = Pick<Claimed, 'id' | 'body'>
type Receiver = Pick<EndpointRecord, 'url' | 'secret' | 'oldSecret' | 'oldSecretUntil' | 'authorization'>

/** Sends a delivery once: signed, without redirects, within `answerMs`. Never throws for the receiver's errors. */
export async function callEndpoint(
  platform: Platform,
  tenantId: number,
  { id, body }: ToSend,
  to: Receiver,
  answerMs = ANSWER_MS,
): Promise<Tried> {
  const { decrypt } = endpointEncryption(platform, tenantId)
  const at = platform.now()
  const isOldValid = to.oldSecret !== null && to.oldSecretUntil !== null && to.oldSecretUntil > at
  const secrets = [to.secret, ...(isOldValid ? [to.oldSecret!] : [])].map(decrypt)
  const started = performance.now()
  const tried = (rest: Omit<Tried, 'at' | 'ms'>): Tried => ({
    at,
    ms: Math.round(performance.now() - started),
    ...rest,
  })
  try {
    const answer = await outboundFetch({ allow: platform.env.OUTBOUND_ALLOW }, to.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': `Guiche/${platform.version}`,
        ...signedHeaders({ id, at, body }, secrets),
        ...(to.authorization === null ? {} : { authorization: decrypt(to.authorization) }),
      },
      body,
      answerMs,
      maxBytes: MOST_READ,
      tooLong: 'cut',
      redirects: 'answer',
    })
    const { status: httpStatus } = answer
    return tried({
      ...{ httpStatus, problem: isTaken({ httpStatus }) ? null : 'status' },
      answer: sanitizeForPostgres(answer.body.subarray(0, MOST_SAVED).toString('utf8')),
      retryAfterMs: retryAfterOf(answer.headers['retry-after'], at.getTime()),
    })
  } catch (error) {
    return tried({ httpStatus: null, problem: problemOf(error), answer: '', retryAfterMs: null })
  }
}

/** Returns the stored code for a call without a response. */
function problemOf(error: unknown): string {
  if (!(error instanceof AppError)) return 'connection'
  if (error.code === 'ERR_ADDRESS_REFUSED') return 'refused'
  return textFieldIn(error.details, 'why') || textFieldIn(error.details, 'reason') || 'connection'
}

const PROBLEMS: Readonly<Record<string, string>> = {
  off: 'O webhook foi desligado antes do envio.',
  refused: errorText('ERR_ADDRESS_REFUSED'),
  timeout: 'O endereço não respondeu a tempo.',
  time: 'O endereço não respondeu a tempo.',
  connection: 'A conexão caiu antes da resposta.',
  name: 'O nome do endereço não existe.',
  certificate: 'O certificado do endereço não vale.',
  protocol: 'Este endereço não fala HTTPS nesta porta.',
  port: 'Nada atende neste endereço e nesta porta.',
}

/** Returns a text for why a delivery failed; null if delivered. */
export function problemText(problem: string | null, httpStatus: number | null): string | null {
  if (problem === null) return null
  if (problem !== 'status') return PROBLEMS[problem] ?? PROBLEMS['connection']!
  const isRedirect = httpStatus !== null && httpStatus >= 300 && httpStatus < 400
  return isRedirect ? `Respondeu ${httpStatus}: redirecionamentos não são seguidos.` : `Respondeu ${httpStatus}.`
}

/**
 * Records an attempt: delivered, retried, or failed. Disables an endpoint that is gone or has failed for five days, and
 * notifies its administrators.
 */
export function recordTried(platform: Platform, tenantId: number, id: string, tried: Tried): Promise<void> {
  return unit(platform, { tenantId, user: null }, async (ctx) => {
    const { db, now } = ctx
    const delivery = await lockDelivery(db, id)
    if (!delivery) return
    const wait = isTaken(tried) ? null : waitAfter(delivery.tries + 1, tried, Math.random())
    const isOver = isTaken(tried) || isGone(tried) || wait === null
    const status = isTaken(tried) ? 'delivered' : 'failed'
    const then = isOver
      ? ({ status } as const)
      : ({ status: 'pending', dueAt: new Date(now.getTime() + wait) } as const)
    await saveAttempt(db, id, tried, then, now)
    const { endpointId } = delivery
    const state = await noteTaken(db, endpointId, isTaken(tried), now)
    if (!state) return
    const isFailing = state.since !== null
    const reason = isGone(tried)
      ? 'gone'
      : isFailing && isHopeless(state.since!.getTime(), state.failures, now.getTime())
        ? 'failing'
        : null
    if (reason && (await switchOff(db, endpointId, reason, now))) await publishOff(ctx, endpointId, reason, state)
    if (reason || isFailing !== state.was) publishEndpoint(ctx, endpointId, 'update')
  })
}

/** Publishes a change of an endpoint to those who manage webhooks. */
export const publishEndpoint = (ctx: Ctx, id: number, action: 'create' | 'update' | 'delete'): void =>
  ctx.emit(webhookEndpointEvents.changed, { id, action }, { kind: 'permission', permission: 'webhooks:write' })

const REASONS = {
  gone: 'O sistema respondeu que o endereço não existe mais (410).',
  failing: 'Nada do que foi enviado foi aceito nos últimos cinco dias.',
} as const

async function publishOff(
  ctx: Ctx,
  id: number,
  reason: keyof typeof REASONS,
  { name, url }: { name: string; url: string },
): Promise<void> {
  const title = `O webhook “${name}” foi desligado`
  const text = `${REASONS[reason]} Corrija o endereço e ligue-o de novo.`
  ctx.emit(connectionEvents.told, { id, title, text }, { kind: 'permission', permission: 'webhooks:write' })
  await mailAdmins(ctx, {
    title,
    sentences: [
      REASONS[reason],
      `Endereço: ${new URL(url).host}`,
      'O que falhou pode ser reenviado depois pelo registro.',
    ],
    action: { label: 'Ver os webhooks', path: '/configuracoes/webhooks' },
  })
}

/** Sends a claimed delivery, and stores the result. */
export async function deliver(
  platform: Platform,
  tenantId: number,
  claimed: Claimed,
  answerMs?: number,
): Promise<Tried | null> {
  const endpoint = await platform.db.read(tenantId, (db) => endpointRows.find(db, claimed.endpointId))
  if (!endpoint) return null
  const tried = await callEndpoint(platform, tenantId, claimed, endpoint, answerMs)
  await platform.checkpoint('webhook answered')
  await recordTried(platform, tenantId, claimed.id, tried)
  return tried
}
