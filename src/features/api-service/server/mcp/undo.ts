import { takenBack } from '#domain/bulk/undo.ts'
import { fieldIn, isRecord } from '#domain/keys.ts'
import { type ErrorCode, fail } from '#kit/errors.ts'
import { withScopes } from '#server/actors.ts'
import { undoBulk, undoOne } from '#server/bulk/undo.ts'
import { unit } from '#server/context.ts'
import { operate } from '#server/http/operate.ts'
import { uuidv7 } from '#server/ids.ts'
import type { Acting, Env } from './call.ts'
import { type Given, imageOf, readRecordNow } from './effect.ts'
import { claimEffect, type Effect, hasEffect, releaseEffect } from './queries-mcp.ts'

type Shape = Record<string, unknown>

/**
 * Undoes a tool's effect if nothing has changed since. Throws 404 if the key has no such effect, 409 ERR_UNDO_EXPIRED after
 * the time-out or a second time, 409 ERR_CHANGED_SINCE.
 */
export async function undo(env: Env, acting: Acting, id: string): Promise<{ restored: number }> {
  const { platform } = env
  const { actor, keyId } = acting
  const { tenantId } = actor
  const effect = await unit(platform, { tenantId, user: actor }, async (ctx) => {
    const claimed = await claimEffect(ctx.db, { id, keyId, now: ctx.now })
    if (claimed) return claimed
    return fail((await hasEffect(ctx.db, id, keyId)) ? 'ERR_UNDO_EXPIRED' : 'ERR_NO_EFFECT_FOUND')
  })
  try {
    return { restored: await takeBack(env, acting, effect) }
  } catch (error) {
    await platform.db.write(tenantId, (db) => releaseEffect(db, id))
    throw error
  }
}

async function takeBack(env: Env, acting: Acting, effect: Effect): Promise<number> {
  const { platform } = env
  const { actor, info, agent } = acting
  const { way, subject, before, after } = effect
  const { tenantId } = actor
  const record = { action: 'mcp.undo', summary: 'Desfazer o que um programa fez', actor: personOf(acting), from: info }
  const target = { operation: effect.operation, effectId: effect.id, ...idOf(subject), ...agent }
  if (way === 'bulk') {
    const slow = { platform, tenantId, user: actor, now: platform.now(), audit: () => {} }
    const { restored } = await undoBulk(slow, String(subject['id']))
    await unit(platform, { tenantId, user: actor }, async (ctx) => ctx.record({ ...record, target }))
    return restored
  }
  if (way === 'kind') {
    const id = Number(subject['id'])
    await unit(platform, { tenantId, user: actor }, async (ctx) => {
      const images = { before: before as never, after: after as never }
      const refused = await undoOne({ ...ctx, user: actor }, 'tickets', { id, ...images })
      if (refused) fail(refused as ErrorCode)
      ctx.record({ ...record, target })
    })
    return 1
  }
  if (way === 'message') {
    const messageId = fieldIn(fieldIn(fieldIn(after, 'messages'), 0), 'id')
    await run(env, acting, 'messages.remove', { body: { id: messageId, actId: uuidv7() } })
    return 1
  }
  const family = effect.operation.split('.')[0]!
  const reader = env.routes.get(`${family}.get`)!
  const update = env.routes.get(`${family}.update`)
  const now = await readRecordNow(platform, acting, reader, subject)
  if (now === null) fail('ERR_CHANGED_SINCE')
  const image = (value: unknown) => (update ? imageOf(update.op, value) : imageOf(reader.op, value))
  const images = { before: image(way === 'remove' ? {} : before), after: image(after), now: image(now) }
  const fields = takenBack(images, [])
  if (fields === null) return fail('ERR_CHANGED_SINCE')
  if (way === 'remove') await run(env, acting, `${family}.remove`, { params: subject })
  else if (Object.keys(fields).length > 0)
    await run(env, acting, `${family}.update`, { params: subject, body: withEmptied(fields, images.after.fields) })
  return 1
}

/** Runs the operation that undoes an effect, for a program that was permitted to cause it. */
async function run(
  { platform, routes }: Env,
  { actor, info, agent }: Acting,
  name: string,
  given: Given,
): Promise<void> {
  const { op, handler } = routes.get(name)!
  const scopes = op.can === 'session' || op.can === 'public' ? actor.scopes! : [...actor.scopes!, op.can]
  const asking = { actor: withScopes(actor, scopes), info, by: { method: 'api', agent } } as const
  await operate(platform, { op: { ...op, audit: true }, handler }, asking, () => given)
}

// An update keeps omitted fields, so that fields added since are emptied explicitly.
const withEmptied = (fields: Shape, after: Shape): Shape =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const [was, is] = [value, after[name]]
      if (!isRecord(was) || !isRecord(is)) return [name, value]
      return [name, { ...Object.fromEntries(Object.keys(is).map((key) => [key, null])), ...was }]
    }),
  )

const idOf = ({ id }: Shape): Record<string, string | number> =>
  typeof id === 'number' || typeof id === 'string' ? { id } : {}
const personOf = ({ actor: { id, name, profile } }: Acting) => ({ id, name, profile, method: 'api' })
