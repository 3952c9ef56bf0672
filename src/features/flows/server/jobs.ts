import { callAt, callTexts, filledIn } from '#domain/flow/calls.ts'
import type { OutsideCall } from '#domain/flow/flow.ts'
import { originOf, secretParts } from '#domain/flow/secrets.ts'
import type { CallReference } from '#domain/flow/session.ts'
import { postpone } from '#domain/flow/silence.ts'
import type { TemplateValues } from '#domain/messages/template.ts'
import { lookUp } from '#domain/present.ts'
import { flowAnsweredJob } from '#features/assistants/server/index.ts'
import { contactBook } from '#features/contacts/server/index.ts'
import { lockLedgerTicket } from '#features/ledger/server/ticket/index.ts'
import { writeMessages } from '#features/ledger/server/writing/index.ts'
import { writeToContacts } from '#features/tickets/server/begin/index.ts'
import { AppError, errorText } from '#kit/errors.ts'
import { channelTypes } from '#providers/channels/configs.ts'
import { type ReadCtx, reading, unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import { outboundFetch } from '#server/outbound.ts'
import type { Platform } from '#server/platform.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'
import { fitting } from './carry-out.ts'
import { flowOf } from './documents.ts'
import * as values from './job-values.ts'
import { happen } from './live.ts'
import { findConnectionOf } from './queries.ts'
import { listSecrets } from './queries-secrets.ts'
import { findTimer } from './queries-silence.ts'
import { plainSecret } from './secrets.ts'

const MOST_BYTES = 64 * 1024

/** Timer job of flows: fires the timer or delays it (`postpone`); an ended timer does nothing. */
export const timerJob = job({
  ...values.timerJob,
  run: (platform, { tenantId, sessionId, timerId, postponed }) =>
    unit(platform, { tenantId, user: null }, async (ctx) => {
      const at = ctx.now.getTime()
      const known = await findTimer(ctx.db, sessionId, timerId)
      const next = known && postpone(known.timer, { ...known, backAt: known.backAt?.getTime() ?? null }, at, postponed)
      if (!next) return happen(ctx, sessionId, { type: 'timer', at, id: timerId })
      // A repeat has the same key, which differs from the running job's own.
      const key = `flow:${tenantId}:${timerId}:${postponed?.dueAt ?? 0}`
      ctx.enqueue(values.timerJob, { sessionId, timerId, postponed: next }, { key, runAt: new Date(next.dueAt) })
    }),
})

/**
 * Job that moves a contact to a stage; separate, because a stage and its contacts are locked before tickets. Does nothing if
 * the stage is gone.
 */
export const stageJob = job({
  ...values.stageJob,
  run: async (platform, { tenantId, contactId, kanban }) => {
    const move = unit(platform, { tenantId, user: null }, (ctx) => contactBook.setStage(ctx, [contactId], { kanban }))
    await move.catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
    })
  },
})

/**
 * Job that sends an SMS to a contact, once per effect id, in their conversation on that connection. If no SMS can be sent,
 * the flow's conversation gets a note.
 */
export const smsJob = job({
  ...values.smsJob,
  run: (platform, { tenantId, smsId, ticketId, contactId, connectionId, body }) =>
    unit(platform, { tenantId, user: null }, async (ctx) => {
      const types = channelTypes().flatMap(({ type, config }) => (config.capabilities.smsParts ? [type] : []))
      const connection = await findConnectionOf(ctx.db, types, connectionId)
      const message = { contactIds: [contactId], file: null, sendType: 'bot', idFront: smsId } as const
      const refused =
        connection &&
        (await writeToContacts(ctx, { ...message, connectionId: connection.id, body: fitting(connection.type, body) }))
      const code = refused ? refused.get(contactId) : 'ERR_NO_WAPP_FOUND'
      const ticket = code && (await lockLedgerTicket(ctx.db, ticketId))
      if (!ticket) return
      const text = `O fluxo não enviou o SMS. ${errorText(code)}`
      const note = { ticket, source: 'bot', isNote: true, mediaType: 'note', body: text, sendType: 'bot' } as const
      await writeMessages(ctx, [{ ...note, idFront: smsId }])
    }),
})

/**
 * Job that calls an external system for a flow, outside of any transaction; its response is processed once. Retries as
 * configured in the flow after a time-out or a retry response, with the same Idempotency-Key.
 */
export const callJob = job({
  ...values.callJob,
  run: async (platform, { tenantId, sessionId, callId, tries, of, values: filling }) => {
    const { made, repeats, repeatAfterMs } = await reading(platform, { tenantId, user: null }, (ctx) =>
      prepare(ctx, of, filling),
    )
    const { status, body } = made ? await callOut(platform, callId, made) : NO_ANSWER
    await platform.checkpoint('flow call answered')
    const isPassing = status === 0 || status === 429 || status >= 500
    await unit(platform, { tenantId, user: null }, async (ctx) => {
      if (made && isPassing && tries < repeats) {
        const runAt = new Date(ctx.now.getTime() + repeatAfterMs)
        const key = `flow:${tenantId}:${callId}:${tries + 1}`
        ctx.enqueue(values.callJob, { sessionId, callId, of, values: filling, tries: tries + 1 }, { key, runAt })
      } else await happen(ctx, sessionId, { type: 'called', at: ctx.now.getTime(), id: callId, status, body })
    })
  },
})

/** Job that passes the result of an assistant's step to the flow, once. */
export const assistantJob = job({
  ...flowAnsweredJob,
  run: (platform, { tenantId, sessionId, callId, status, body }) =>
    unit(platform, { tenantId, user: null }, (ctx) =>
      happen(ctx, sessionId, { type: 'called', at: ctx.now.getTime(), id: callId, status, body }),
    ),
})

const NO_ANSWER = { status: 0, body: '' }

/** Builds the request of a call with its secrets, each for its own origin only; null if a secret is missing. */
async function prepare(
  ctx: ReadCtx,
  of: CallReference | undefined,
  filling: TemplateValues,
): Promise<{ repeats: number; repeatAfterMs: number; made: OutsideCall | null }> {
  const flow = of && (await flowOf(ctx, of.chatFlowId, of.version))
  const call = flow && callAt(flow, of)
  if (!call) return { repeats: 0, repeatAfterMs: 0, made: null }
  const origin = originOf(call.url)
  const known = await listSecrets(ctx.db, of.chatFlowId)
  const allowed = new Map(known.flatMap((one) => (origin !== '' && one.origin === origin ? [[one.id, one]] : [])))
  const isWhole = callTexts(call)
    .flatMap(secretParts)
    .every(({ secretId }) => secretId === null || allowed.has(secretId))
  const { repeats, repeatAfterMs } = call
  if (!isWhole) return { repeats, repeatAfterMs, made: null }
  return { repeats, repeatAfterMs, made: filledIn(call, filling, (id) => plainSecret(ctx, lookUp(allowed, id))) }
}

const CONTENT = { json: 'application/json', form: 'application/x-www-form-urlencoded', none: null } as const

/** Performs a call; returns status and body. Status 0: time-out, response too large, or address not allowed. */
async function callOut(
  platform: Platform,
  callId: string,
  { url, method, headers, bodyType, body, timeoutMs }: OutsideCall,
): Promise<{ status: number; body: string }> {
  const type = CONTENT[bodyType]
  const hasBody = type !== null && method !== 'GET' && method !== 'HEAD'
  try {
    const answer = await outboundFetch({ allow: platform.env.OUTBOUND_ALLOW }, url, {
      method,
      headers: {
        'idempotency-key': callId,
        ...(hasBody ? { 'content-type': type } : {}),
        ...Object.fromEntries(headers.map(({ key, value }) => [key.toLowerCase(), value])),
      },
      ...(hasBody ? { body } : {}),
      answerMs: timeoutMs,
      maxBytes: MOST_BYTES,
    })
    return { status: answer.status, body: sanitizeForPostgres(answer.body.toString('utf8')) }
  } catch (error) {
    // An invalid header or method counts as no response, too.
    if (!(error instanceof AppError)) platform.log.warn({ err: error, callId }, 'a call of a chat flow failed')
    return NO_ANSWER
  }
}
