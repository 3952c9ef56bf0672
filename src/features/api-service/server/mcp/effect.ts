import { undoMs } from '#domain/bulk/limits.ts'
import type { Image } from '#domain/bulk/undo.ts'
import { fieldIn } from '#domain/keys.ts'
import type { Operation } from '#kit/contract.ts'
import { AppError } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import { kindOf } from '#server/bulk/kind.ts'
import { type Ctx, type ReadCtx, reading } from '#server/context.ts'
import type { RequestInfo, Route } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import type { Way } from './queries-mcp.ts'
import type { Tool } from './tools.ts'

/** Time for which a change that no customer noticed can be undone, in ms. */
const UNNOTICED_MS = 10 * 60_000

/** Input of an operation. */
export type Given = { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown }
type Shape = Record<string, unknown>
type Reading = ReadCtx & { user: Actor }

const shapeOf = (op: Operation['body']): readonly string[] => {
  const { shape, innerType }: { type?: string; shape?: object; innerType?: Operation['body'] } = op?.def ?? {}
  return shape ? Object.keys(shape) : innerType ? shapeOf(innerType) : []
}

/**
 * Returns the record that an operation changes, as the path parameters of its reader: from the operation's own path, or from
 * its response.
 */
export function subjectOf({ route: { op }, reader }: Tool, { params }: Given, answer?: unknown): Shape | null {
  if (!reader) return null
  const wanted = Object.keys(reader.op.params?.shape ?? {})
  const isNamed = wanted.every((name) => fieldIn(params, name) !== undefined)
  if (isNamed) return Object.fromEntries(wanted.map((name) => [name, fieldIn(params, name)]))
  if (op.method !== 'POST' || wanted.join() !== 'id') return null
  const id = fieldIn(answer, 'id') ?? fieldIn(fieldIn(answer, 'ticket'), 'id')
  return id === undefined ? null : { id }
}

/** Reads a record as its operation returns it, unmasked; null if not found for the user. */
export async function readRecord(
  ctx: Reading,
  { op, handler }: Route,
  params: Shape,
  info: RequestInfo,
): Promise<unknown> {
  try {
    const answer = await handler(ctx, { params, query: op.query?.parse({}), body: undefined, request: info })
    return plain(ctx.platform.answers.shaped(op, answer, true))
  } catch (error) {
    if (error instanceof AppError && /_FOUND$/.test(error.code)) return null
    throw error
  }
}

/** Reads a record outside of any transaction. */
export const readRecordNow = (
  platform: Platform,
  { actor, info }: { actor: Actor; info: RequestInfo },
  route: Route,
  params: Shape,
): Promise<unknown> =>
  reading(platform, { tenantId: actor.tenantId, user: actor }, (ctx) =>
    readRecord({ ...ctx, user: actor }, route, params, info),
  )

/** Converts a value to plain JSON. */
export const plain = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)))

/** Operations that only change how a user sees a record. */
const OWN = ['tickets.draft', 'tickets.follow', 'tickets.unfollow', 'tickets.read']

/** Returns how an operation's effect can be undone. */
export function wayOf({ route: { op }, reader }: Tool, routes: ReadonlyMap<string, Route>, { body }: Given): Way {
  if (op.name === 'messages.send') {
    return fieldIn(body, 'isNote') || fieldIn(body, 'scheduleDate') ? 'message' : ''
  }
  if (/Bulk\.start$|\.bulk$/.test(op.name)) return 'bulk'
  if (!reader || OWN.includes(op.name)) return ''
  const { family } = reader.op
  if (family === 'tickets') return op.method === 'POST' && op.family === 'tickets' ? '' : 'kind'
  if (op.name.endsWith('.create')) return routes.has(`${family}.remove`) ? 'remove' : ''
  return op.method !== 'DELETE' && routes.has(`${family}.update`) ? 'update' : ''
}

/** Returns until when an effect can be undone; shortly if a customer may have noticed it. */
export function undoUntil(way: Way, now: Date, before: unknown, after: unknown): Date | null {
  if (way === '' || way === 'bulk') return null
  const isNoticed = way === 'kind' && fieldIn(before, 'status') !== fieldIn(after, 'status')
  return new Date(now.getTime() + (isNoticed ? undoMs(1) : UNNOTICED_MS))
}

/** Returns the snapshot of a record that a kind of bulk operations restores. */
export const kindImage = async (ctx: Ctx, kind: string, id: number): Promise<Image | null> =>
  (await kindOf(kind).images(ctx, [id])).get(id) ?? null

/** Returns the snapshot of a record's fields that its `update` operation can restore. */
export function imageOf(update: Operation, record: unknown): Image {
  const values: Shape = { ...(typeof record === 'object' ? record : null) }
  const fields = Object.fromEntries(
    shapeOf(update.body)
      .filter((name) => name in values)
      .map((name) => [name, asGiven(values[name])]),
  )
  return { fields, revision: 0, mark: '', changedBy: null, changedAt: null }
}

// Responses contain related records with names, request bodies take their ids.
function asGiven(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const ids = value.map((one) => Number(fieldIn(one, 'id')))
  const isNamed =
    value.length > 0 && value.every((one) => !('value' in Object(one)) && Number.isInteger(Object(one).id))
  return isNamed ? ids.toSorted((a, b) => a - b) : value
}
