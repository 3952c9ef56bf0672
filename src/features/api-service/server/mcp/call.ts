import { fieldIn, textFieldIn } from '#domain/keys.ts'
import { fail } from '#kit/errors.ts'
import { type Actor, whyRefused } from '#server/actors.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { Agent } from '#server/http/audited.ts'
import { checkedInput, operate } from '#server/http/operate.ts'
import type { RequestInfo, Route } from '#server/http/route.ts'
import { uuidv7 } from '#server/ids.ts'
import { shownTo } from '#server/masking.ts'
import type { Platform } from '#server/platform.ts'
import { type Given, kindImage, plain, readRecord, readRecordNow, subjectOf, undoUntil, wayOf } from './effect.ts'
import { type Effect, insertEffect, type Way } from './queries-mcp.ts'
import type { Tool } from './tools.ts'

/** Acting program, and what is recorded of its call. */
export type Acting = {
  readonly actor: Actor
  readonly keyId: string
  readonly info: RequestInfo
  readonly agent: Agent
}

/** Result of a writing tool: the record before and after; `effectId` identifies the effect for an undo, null for a dry run. */
export type Result = { effectId: string | null; before: unknown; after: unknown; undoUntil: string | null }

/** Environment of a tool's call. */
export type Env = { readonly platform: Platform; readonly routes: ReadonlyMap<string, Route> }

class DryRun extends Error {}

type Images = { before: unknown; after: unknown; subject: Record<string, unknown>; answer: unknown }

/**
 * Runs a writing operation and records its effect, within the operation's own transaction if it has one. A dry run rolls
 * that transaction back; `slow` operations have none. `within` is written in the same transaction (for `slow` ones:
 * afterwards).
 */
export async function write(
  { platform, routes }: Env,
  { actor, keyId, info, agent }: Acting,
  tool: Tool,
  raw: Given,
  { isDry = false, within }: { isDry?: boolean; within?: (ctx: Ctx, effectId: string) => Promise<unknown> } = {},
): Promise<Result> {
  const { op, handler } = tool.route
  if (isDry && tool.mode === 'slow') fail('ERR_VALIDATION', { dryRun: 'Esta operação não tem simulação.' })
  const given = checkedInput(op, raw)
  const way = wayOf(tool, routes, given)
  const asking = { actor, info, by: { method: 'api', agent } } as const
  // Every call of a program is audited, even if a user's call is not.
  const route = { op: { ...op, audit: true }, handler }
  const effectId = uuidv7()
  const store: Store = async (ctx, images, stored) => {
    const until = await storeEffect(ctx, { id: effectId, key_id: keyId, operation: op.name, way }, images, stored)
    await within?.(ctx, effectId)
    return until
  }
  const calling: Calling = { platform, asking, route, tool, raw, given, way }
  const { images, until } = await (tool.mode === 'slow' ? callApart(calling, store) : callWithin(calling, store, isDry))
  const ofBulk = way === 'bulk' && fieldIn(images.after, 'undoUntil')
  return {
    effectId: isDry ? null : effectId,
    ...shownImages(actor, tool, images),
    undoUntil: isDry ? null : ofBulk ? String(ofBulk) : (until?.toISOString() ?? null),
  }
}

type Calling = {
  readonly platform: Platform
  readonly asking: Pick<Acting, 'actor' | 'info'> & { readonly by: { readonly method: 'api'; readonly agent: Agent } }
  readonly route: Route
  readonly tool: Tool
  readonly raw: Given
  readonly given: Given
  readonly way: Way
}
type Stored = Pick<Images, 'before' | 'after'>
type Store = (ctx: Ctx, images: Images, stored: Stored) => Promise<Date | null>
type Called = { images: Images; until: Date | null }

/** Calls an operation without a transaction of its own; reads the record and stores the effect in transactions around it. */
async function callApart({ platform, asking, route, tool, raw, given, way }: Calling, store: Store): Promise<Called> {
  const { actor } = asking
  const first = subjectOf(tool, given)
  const before = first && tool.reader ? await readRecordNow(platform, asking, tool.reader, first) : null
  const answer = plain(await operate(platform, route, asking, () => raw))
  const subject = subjectOf(tool, given, answer) ?? {}
  const isRead = tool.reader && Object.keys(subject).length > 0
  const after = isRead ? await readRecordNow(platform, asking, tool.reader, subject) : answer
  const images = { before, after, subject, answer }
  const within = { tenantId: actor.tenantId, user: actor }
  const until = await unit(platform, within, (ctx) => store(ctx, images, imagesOf(way, images)))
  return { images, until }
}

/** Calls an operation and stores its effect in the operation's transaction, which a dry run rolls back. */
async function callWithin(
  { platform, asking, route, tool, raw, given, way }: Calling,
  store: Store,
  isDry: boolean,
): Promise<Called> {
  let images: Images | undefined
  let until: Date | null = null
  const around = async (ctx: Ctx & { user: Actor }, work: () => Promise<unknown>) => {
    const first = subjectOf(tool, given)
    const kind = way === 'kind' && first ? Number(first['id']) : null
    const before = first && tool.reader ? await readRecord(ctx, tool.reader, first, asking.info) : null
    const was = kind === null ? null : await kindImage(ctx, 'tickets', kind)
    const answer = await work()
    const subject = subjectOf(tool, given, answer) ?? {}
    const isRead = tool.reader && Object.keys(subject).length > 0
    const after = isRead ? await readRecord(ctx, tool.reader, subject, asking.info) : plain(answer)
    images = { before, after, subject, answer: plain(answer) }
    if (isDry) throw new DryRun()
    const stored = kind === null ? imagesOf(way, images) : { before: was, after: await kindImage(ctx, 'tickets', kind) }
    until = await store(ctx, images, stored)
    return answer
  }
  try {
    await operate(platform, route, asking, () => raw, { around })
  } catch (error) {
    if (!(error instanceof DryRun)) throw error
  }
  return { images: images!, until }
}

/** Stores the effect of a call; returns until when it can be undone, null if not at all. */
async function storeEffect(
  ctx: Ctx,
  about: Pick<Effect, 'id' | 'key_id' | 'operation' | 'way'>,
  images: Images,
  stored: Stored,
): Promise<Date | null> {
  const until = undoUntil(about.way, ctx.now, images.before, images.after)
  const effect = { ...about, undo_until: until, subject: images.subject }
  const values = until === null ? { before: null, after: null } : stored
  await insertEffect(
    ctx.db,
    about.way === 'bulk' ? bulkEffect(effect, images.answer, ctx.now) : { ...effect, ...values },
    ctx.now,
  )
  return until
}

/** Returns the record before and after a call, as the program's owner may read it. */
function shownImages(actor: Actor, { reader, route }: Tool, { before, after, subject }: Images) {
  const schema = reader && Object.keys(subject).length > 0 ? reader.op.returns : route.op.returns
  const shown = (record: unknown) => (record === null ? null : shownTo(actor, schema, record))
  return { before: shown(before), after: shown(after) }
}

const imagesOf = (way: Way, { before, after, answer }: Images) =>
  way === 'message' ? { before: null, after: answer } : { before, after }

// A bulk operation is undone by its own undo, within its own time.
function bulkEffect<E extends { subject: Record<string, unknown> }>(effect: E, answer: unknown, now: Date) {
  const [id, undoUntil] = [fieldIn(answer, 'id'), textFieldIn(answer, 'undoUntil')]
  const until = id === null ? null : undoUntil === '' ? new Date(now.getTime() + 3_600_000) : new Date(undoUntil)
  return { ...effect, subject: { id }, before: null, after: null, undo_until: until }
}

/** Throws if a program may not call an operation now. */
export async function requireAllowed({ platform }: Env, actor: Actor, { route: { op } }: Tool): Promise<void> {
  if (op.can === 'session' || op.can === 'public') fail('ERR_NO_PERMISSION')
  const refusal = whyRefused(actor, await platform.settings.get(String(actor.tenantId)), op.can)
  if (refusal) fail(refusal)
}
