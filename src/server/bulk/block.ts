import { differs, type Image } from '#domain/bulk/undo.ts'
import { textFieldIn } from '#domain/keys.ts'
import { AppError, type ErrorCode } from '#kit/errors.ts'
import { withSavepoint } from '../context.ts'
import { isInfrastructure } from '../db/faults.ts'
import type { Act, BulkKind, Chosen, UserCtx } from './kind.ts'
import type { Item, Outcome } from './queries.ts'

/** Changes a block of records and returns the outcome of each; they stay locked until the transaction ends. */
export async function changeBlock(
  ctx: UserCtx,
  kind: BulkKind,
  act: Act,
  items: readonly Item[],
): Promise<readonly Outcome[]> {
  const ids = items.map(({ subject_id }) => subject_id)
  const subjects = await kind.load(ctx, ids, 'lock')
  const decided = await decideAll(ctx, kind, act, ids, subjects).catch((error: unknown) =>
    // A target of the operation, such as a queue, was removed meanwhile.
    error instanceof AppError ? new Map(ids.map((id) => [id, error.code])) : Promise.reject(error),
  )
  const chosen = new Map<number, Chosen<unknown, unknown>>()
  for (const [id, change] of decided)
    if (change !== null && typeof change !== 'string') chosen.set(id, { subject: subjects.get(id), change })
  const before = await kind.images(ctx, [...chosen.keys()])
  const refused = await writeAll(ctx, kind, chosen, (inner, some) => kind.write(inner, some))
  for (const id of refused.keys()) chosen.delete(id)
  const after = await kind.images(ctx, [...chosen.keys()])
  if (chosen.size > 0) await kind.publish(ctx, chosen)
  return items.map(({ position, subject_id: id }) => {
    const code = refused.get(id) ?? decided.get(id)
    if (typeof code === 'string') return { position, status: 'refused', code }
    return outcomeOf(position, before.get(id), after.get(id))
  })
}

/** Returns the records that an operation would refuse, without changing anything. */
export async function previewBlock(
  ctx: UserCtx,
  kind: BulkKind,
  act: Act,
  ids: readonly number[],
): Promise<{ id: number; code: string }[]> {
  const decided = await decideAll(ctx, kind, act, ids, await kind.load(ctx, ids, 'read'))
  return [...decided].flatMap(([id, code]) => (typeof code === 'string' ? [{ id, code }] : []))
}

async function decideAll(
  ctx: UserCtx,
  kind: BulkKind,
  act: Act,
  ids: readonly number[],
  subjects: ReadonlyMap<number, unknown>,
): Promise<ReadonlyMap<number, unknown>> {
  const decided = await kind.decide(ctx, act, subjects)
  return new Map(ids.map((id) => [id, decided.has(id) ? decided.get(id) : kind.missing]))
}

function outcomeOf(position: number, before: Image | undefined, after: Image | undefined): Outcome {
  if (!before || !after || !differs(before, after)) return { position, status: 'same' }
  return { position, status: 'done', before, after }
}

/**
 * Writes a block within a savepoint; if one of its records violates a constraint (two reopen the same conversation), writes
 * each record separately, and returns the refused ones.
 */
export async function writeAll<One>(
  ctx: UserCtx,
  kind: BulkKind,
  chosen: ReadonlyMap<number, One>,
  write: (ctx: UserCtx, some: ReadonlyMap<number, One>) => Promise<void>,
  otherwise: ErrorCode = 'ERR_UNIDENTIFIED',
): Promise<ReadonlyMap<number, ErrorCode>> {
  const part = (some: ReadonlyMap<number, One>) =>
    withSavepoint(ctx, (inner) => write({ ...inner, user: ctx.user }, some))
  const refused = new Map<number, ErrorCode>()
  if (chosen.size === 0) return refused
  try {
    await part(chosen)
  } catch (error) {
    if (isInfrastructure(error)) throw error
    for (const [id, one] of chosen)
      try {
        await part(new Map([[id, one]]))
      } catch (failure) {
        if (isInfrastructure(failure)) throw failure
        refused.set(id, refusalOf(ctx, kind, failure, otherwise))
      }
  }
  return refused
}

// A refusal by the database is a violated constraint; the kind maps it to an error code.
function refusalOf({ platform }: UserCtx, kind: BulkKind, error: unknown, otherwise: ErrorCode): ErrorCode {
  if (error instanceof AppError) return error.code
  const known = kind.constraints[textFieldIn(error, 'constraint')]
  if (!known) platform.log.error({ err: error, kind: kind.name }, 'one of many records could not be changed')
  return known ?? otherwise
}
