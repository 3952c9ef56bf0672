import type { OutsideCall } from '#domain/flow/flow.ts'
import { AppError } from '#kit/errors.ts'
import { unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import { outboundFetch } from '#server/outbound.ts'
import type { Platform } from '#server/platform.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'
import * as values from './job-values.ts'
import { happen } from './live.ts'

const MOST_BYTES = 64 * 1024

/** A timer of a flow rings; one that is over does nothing. */
export const timerJob = job({
  ...values.timerJob,
  run: (platform, { tenantId, sessionId, timerId }) =>
    unit(platform, { tenantId, user: null }, (ctx) =>
      happen(ctx, sessionId, { type: 'timer', at: ctx.now.getTime(), id: timerId }),
    ),
})

/**
 * Calls somebody else's system for a flow, outside of any transaction; its answer enters once, whichever try brought it.
 * Repeated as the flow says where nobody answered, or asked for patience; whoever is called knows repeats by their
 * Idempotency-Key.
 */
export const callJob = job({
  ...values.callJob,
  run: async (platform, { tenantId, sessionId, callId, tries, call }) => {
    const { status, body } = await callOut(platform, callId, call)
    await platform.checkpoint('flow call answered')
    const isPassing = status === 0 || status === 429 || status >= 500
    await unit(platform, { tenantId, user: null }, async (ctx) => {
      if (isPassing && tries < call.repeats) {
        const runAt = new Date(ctx.now.getTime() + call.repeatAfterMs)
        const key = `flow:${tenantId}:${callId}:${tries + 1}`
        ctx.enqueue(values.callJob, { sessionId, callId, call, tries: tries + 1 }, { key, runAt })
      } else await happen(ctx, sessionId, { type: 'called', at: ctx.now.getTime(), id: callId, status, body })
    })
  },
})

const CONTENT = { json: 'application/json', form: 'application/x-www-form-urlencoded', none: null } as const

/** The status (0: nobody answered in time and size, or nobody may be called there) and body. */
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
    // What is written wrongly (a header, a method) is no answer either.
    if (!(error instanceof AppError)) platform.log.warn({ err: error, callId }, 'a call of a chat flow failed')
    return { status: 0, body: '' }
  }
}
