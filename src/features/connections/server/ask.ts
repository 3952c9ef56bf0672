import { type ChannelQuestions, isSendFailure, type SendFailure, sendFailure } from '#providers/channels/port.ts'
import { unit } from '#server/context.ts'
import { uuidv7 } from '#server/ids.ts'
import type { Platform } from '#server/platform.ts'
import { findAnswer, insertRequest, removeRequest } from './queries-requests.ts'

/** Topic for a request to a connection's holder: `asked <tenant>:<connection>`. */
export const ASKED = 'asked'
/** Topic for the answer to a request: `answered <id>`. */
export const ANSWERED = 'answered'

/** Time-outs of answers in ms; longer for data fetched from the phone. */
const WAIT_MS: { readonly [Q in keyof ChannelQuestions]: number } = {
  ...{
    number: 10_000,
    picture: 15_000,
    name: 15_000,
    groups: 20_000,
    groupList: 20_000,
    group: 20_000,
    createGroup: 60_000,
    changeGroup: 60_000,
    contacts: 20_000,
    templates: 20_000,
    refuseCall: 10_000,
  },
  ...{ chats: 60_000, history: 60_000, media: 60_000 },
}
/** Interval of checking for a missed notification, in ms. */
const LOOK_MS = 1000

type Answer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; kind: SendFailure['kind']; message: string }

const listeners = new WeakMap<Platform, Map<string, () => void>>()

function listenersOf(platform: Platform): Map<string, () => void> {
  const known = listeners.get(platform)
  if (known) return known
  const made = new Map<string, () => void>()
  platform.bus.onStale((what) => {
    const [kind, id] = what.split(' ')
    if (kind === ANSWERED && id) made.get(id)?.()
  })
  listeners.set(platform, made)
  return made
}

/**
 * Asks a connection held by another process, through the database; a new holder answers too. Throws unreachable on a
 * time-out, or the channel's failure.
 */
export async function askHolder<Q extends keyof ChannelQuestions>(
  platform: Platform,
  of: { readonly tenantId: number; readonly connectionId: number },
  question: Q,
  about: ChannelQuestions[Q]['about'],
  waitMs = WAIT_MS[question],
): Promise<ChannelQuestions[Q]['answer']> {
  const { tenantId, connectionId } = of
  const id = uuidv7()
  const waiting = listenersOf(platform)
  const base = { tenantId, user: null }
  const wake = { now: Promise.withResolvers<void>() }
  waiting.set(id, () => wake.now.resolve())
  const deadline = performance.now() + waitMs
  try {
    await unit(platform, base, async (ctx) => {
      const expiresAt = new Date(ctx.now.getTime() + waitMs)
      await insertRequest(ctx.db, {
        id,
        connectionId,
        question,
        about: encrypted(platform, of, id, about),
        now: ctx.now,
        expiresAt,
      })
      ctx.stale(`${ASKED} ${tenantId}:${connectionId}`)
    })
    while (performance.now() < deadline) {
      await within(Math.min(LOOK_MS, deadline - performance.now()), wake.now.promise)
      wake.now = Promise.withResolvers()
      const found = await platform.db.read(tenantId, (db) => findAnswer(db, id))
      if (found !== null)
        return unwrapped(decrypted(platform, of, id, found) as Answer) as ChannelQuestions[Q]['answer']
    }
    throw sendFailure('unreachable', 'ERR_WAPP_INITIALIZED')
  } finally {
    waiting.delete(id)
    // Requests left behind while the database is away are removed by the next requester.
    await unit(platform, base, (ctx) => removeRequest(ctx.db, id)).catch(() => {})
  }
}

function unwrapped(answer: Answer): unknown {
  if (answer.ok) return answer.value
  throw sendFailure(answer.kind, answer.message)
}

/** Returns an adapter's answer, or its failure, in the form for the asker. */
export async function answerOf(asking: Promise<unknown>): Promise<unknown> {
  const answer: Answer = await asking.then(
    (value) => ({ ok: true, value }),
    (error: unknown) =>
      isSendFailure(error)
        ? { ok: false, kind: error.kind, message: error.message }
        : { ok: false, kind: 'unknown', message: 'falha inesperada no canal' },
  )
  return answer
}

type Of = { readonly tenantId: number; readonly connectionId: number }
const boundTo = ({ tenantId, connectionId }: Of, id: string) => `${tenantId}/connections/${connectionId}/requests/${id}`

/** Returns a request or answer encrypted for storage, because it may contain keys. */
export const encrypted = ({ secrets }: Platform, of: Of, id: string, value: unknown): string =>
  secrets.encrypt(encode(value), boundTo(of, id))

/** Decrypts the value of `encrypted`, with bytes restored. */
export const decrypted = ({ secrets }: Platform, of: Of, id: string, stored: string): unknown =>
  decode(secrets.decrypt(stored, boundTo(of, id)))

const BYTES = '$bytes'

const encode = (value: unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, name, one: unknown) {
    // A Buffer was already converted here; the original value was not.
    const given = this[name]
    return given instanceof Uint8Array ? { [BYTES]: Buffer.from(given).toString('base64') } : one
  })

const decode = (text: string): unknown =>
  JSON.parse(text, (_, one: unknown) =>
    typeof one === 'object' && one !== null && BYTES in one
      ? new Uint8Array(Buffer.from(String(one[BYTES]), 'base64'))
      : one,
  )

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([
    work,
    new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.max(0, ms))
    }),
  ])
  clearTimeout(timer)
}
