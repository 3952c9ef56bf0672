import { Readable, Transform } from 'node:stream'
import { fail, toError } from '#kit/errors.ts'
import { type OutboundPolicy, outboundStream } from '../outbound.ts'

/** Limits of a guarded call: time-out of the whole answer in ms, and its maximum size in bytes. */
export type GuardedLimits = { readonly answerMs: number; readonly maxBytes: number }

/** Statuses whose answer has no body. */
const WITHOUT_BODY = new Set([101, 204, 205, 304])

/**
 * Returns a `fetch` by the guarded way out (decision B21): addresses are checked, time and size are limited, and an answer
 * streams as it comes. Refusals and failures throw as `outboundFetch` does; a body that breaks off, is too long or too late
 * errors while it is read.
 */
export const guardedFetch = (policy: OutboundPolicy, { answerMs, maxBytes }: GuardedLimits): typeof fetch =>
  async function guarded(input, init) {
    const request = new Request(input, init)
    const body = request.body ? Buffer.from(await request.arrayBuffer()) : undefined
    const headers = Object.fromEntries(request.headers)
    const {
      url,
      status,
      headers: answered,
      body: stream,
    } = await outboundStream(policy, request.url, {
      method: request.method,
      headers: body ? { ...headers, 'content-length': String(body.length) } : headers,
      ...(body ? { body } : {}),
      ...{ answerMs, signal: request.signal },
    })
    const shown = new Headers()
    for (const [name, value] of Object.entries(answered))
      for (const one of [value ?? []].flat()) shown.append(name, one)
    const limited = WITHOUT_BODY.has(status) ? null : Readable.toWeb(stream.compose(limit(maxBytes)))
    if (!limited) stream.destroy()
    const response = new Response(limited as ReadableStream | null, { status, headers: shown })
    Object.defineProperty(response, 'url', { value: url })
    return response
  }

function limit(maxBytes: number): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size <= maxBytes) return done(null, chunk)
      try {
        fail('ERR_OUTSIDE_CALL', { reason: 'size' })
      } catch (error) {
        done(toError(error))
      }
    },
  })
}
