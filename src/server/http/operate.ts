import type { Operation } from '#kit/contract.ts'
import { fail } from '#kit/errors.ts'
import { type Actor, whyRefused } from '../actors.ts'
import { type Ctx, reading, unit } from '../context.ts'
import { shownTo } from '../masking.ts'
import type { Platform } from '../platform.ts'
import { readInput } from './answer-error.ts'
import { type AskedBy, audited } from './audited.ts'
import { once } from './idempotency.ts'
import type { RequestInfo, Route } from './route.ts'

/** Caller of an operation: actor, way of access, and request. */
export type Asking = { readonly actor: Actor; readonly by: AskedBy; readonly info: RequestInfo }

/** Unchecked input of an operation. */
export type RawInput = { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown }

type Options = {
  /** Idempotency key: a repeated write gets the first answer. */
  readonly key?: string | undefined
  /** Wraps the work of a writing operation within its transaction, which is rolled back if this throws. */
  readonly around?: ((ctx: Ctx & { user: Actor }, work: () => Promise<unknown>) => Promise<unknown>) | undefined
  /** Receives the files of a multipart request after the permission check. */
  readonly receive?: ((work: (fields: unknown, files: unknown) => Promise<unknown>) => Promise<unknown>) | undefined
}

/** Returns the mode in which an operation runs. */
export const modeOf = ({ mode, method }: Operation): 'read' | 'write' | 'slow' =>
  mode ?? (method === 'GET' ? 'read' : 'write')

/** Parses the input of an operation by its contract; 400 with a sentence for each field. */
export const checkedInput = (op: Operation, { params, query, body }: RawInput) => ({
  params: op.params && readInput(op.params, params),
  query: op.query && readInput(op.query, query),
  body: op.body && readInput(op.body, body ?? {}),
})

/**
 * Runs an operation for an authenticated user: permission, validation, the handler in its mode, audit record and
 * masking. Throws the operation's errors.
 */
export async function operate(
  platform: Platform,
  { op, handler }: Route,
  { actor, by, info }: Asking,
  raw: () => RawInput,
  { key, around = (_, work) => work(), receive }: Options = {},
): Promise<unknown> {
  const { tenantId } = actor
  const work = async (ctx: unknown, input: object, isWhole = true) =>
    platform.answers.shaped(op, await handler(ctx, { ...input, request: info }), isWhole)
  const log = op.audit ? audited(platform, op, { actor, by, info }) : null
  const settings = await platform.settings.get(String(tenantId))
  const refusal = op.can === 'session' || op.can === 'public' ? null : whyRefused(actor, settings, op.can)
  if (refusal) {
    await log?.refused({ params: raw().params }, refusal)
    fail(refusal)
  }
  const shown = (answer: unknown) => shownTo(actor, op.returns, answer)
  const base = { tenantId, user: actor, audit: log?.add ?? (() => {}) }
  const mode = modeOf(op)
  if (mode === 'slow') {
    const ctx = { platform, ...base, now: platform.now() }
    const recorded = async (given: object) => {
      const answer = await work(ctx, given)
      await log?.after(given, answer)
      return shown(answer)
    }
    if (!receive) return recorded({ ...checkedInput(op, raw()), files: [] })
    return receive((fields, files) => recorded({ ...checkedInput(op, { ...raw(), body: fields }), files }))
  }
  const given = checkedInput(op, raw())
  if (mode === 'read') {
    const answer = await reading(platform, base, (ctx) => work(ctx, given, actor.restrictedUser))
    await log?.after(given, answer)
    return shown(answer)
  }
  const answer = await unit(platform, base, (inner) => {
    const ctx = { ...inner, user: actor }
    return once(ctx, key, op.name, given, async () => {
      const answer = await around(ctx, () => work(ctx, given))
      await log?.within(ctx, given, answer)
      return answer
    })
  })
  await log?.finish()
  return shown(answer)
}
