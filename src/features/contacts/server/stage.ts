import { keysBetween, LONGEST_KEY } from '#domain/kanban/order.ts'
import { itemAt, lookUp } from '#domain/present.ts'
import { contactEvents } from '#features/ledger/contact-events.ts'
import type { StagePosition } from '#features/ledger/server/ports/index.ts'
import { copyStages } from '#features/tickets/server/change/index.ts'
import { fail } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import { insertStageChanges } from './queries-changes.ts'
import {
  extentOf,
  findFree,
  findGap,
  firstOf,
  lockPositions,
  lockStage,
  saveKeys,
  savePositions,
} from './queries-stage.ts'

/** Target stage (null: off the board), and the contact to be placed before; null or absent: last. */
export type StageChange = { readonly kanban: number | null; readonly before?: number | null | undefined }

/**
 * Moves contacts to a stage, in order of id; their active tickets follow, and boards are notified. Contacts already there
 * stay in place unless `before` is given. Throws 400 for an unknown stage, 409 ERR_BOARD_CHANGED if `before` has left it.
 * Locks stage, contacts and tickets, in this order.
 */
export async function setStage(ctx: Ctx, contactIds: readonly number[], to: StageChange): Promise<void> {
  const { kanban, before } = to
  if (kanban !== null) await requireStage(ctx, kanban)
  else if (before != null) fail('ERR_VALIDATION', { before: 'Só dentro de uma etapa há ordem.' })
  const positions = await lockPositions(ctx.db, contactIds)
  const moving = positions
    .filter((one) => (before === undefined ? one.kanban !== kanban : one.id !== before))
    .map(({ id }) => id)
  if (moving.length === 0) return
  const keys = kanban === null ? null : await keysFor(ctx, kanban, moving, before ?? null)
  await write(
    ctx,
    moving.map((id, index) => ({ id, kanban, order: keys?.[index] ?? null })),
  )
}

async function requireStage({ db }: Ctx, kanban: number): Promise<void> {
  if (!(await lockStage(db, kanban))) fail('ERR_VALIDATION', { kanban: 'Esta etapa do kanban não existe.' })
}

async function keysFor(ctx: Ctx, kanban: number, moving: readonly number[], before: number | null): Promise<string[]> {
  const gap = await findGap(ctx.db, kanban, { before, moving })
  if (!gap) return fail('ERR_BOARD_CHANGED')
  const keys = keysBetween(gap.from, gap.to, moving.length)
  if (keys.every((key) => key.length <= LONGEST_KEY)) return keys
  // Starts after all existing keys, so that the rewrite cannot collide with one.
  const { count, last } = await extentOf(ctx.db, kanban)
  await saveKeys(ctx.db, kanban, keysBetween(last, null, count))
  return keysFor(ctx, kanban, moving, before)
}

async function write(ctx: Ctx, positions: readonly (StagePosition & { readonly id: number })[]): Promise<void> {
  await insertStageChanges(ctx.db, positions, { by: ctx.user?.id ?? null, now: ctx.now })
  await savePositions(ctx.db, positions, ctx.now)
  const ids = positions.map(({ id }) => id)
  await copyStages(ctx, ids)
  ctx.emit(contactEvents.moved, { ids }, { kind: 'permission', permission: 'kanban:read' })
}

/** Restores contacts' positions; a taken one becomes the next free one, a deleted stage none. */
export async function restoreStages(ctx: Ctx, positions: ReadonlyMap<number, StagePosition>): Promise<void> {
  const stages = [...new Set([...positions.values()].flatMap(({ kanban }) => kanban ?? []))].sort((a, b) => a - b)
  const there = new Set<number>()
  for (const stage of stages) if (await lockStage(ctx.db, stage)) there.add(stage)
  for (const { id } of await lockPositions(ctx.db, [...positions.keys()])) {
    const { kanban, order } = lookUp(positions, id)
    if (kanban === null || order === null || !there.has(kanban)) await write(ctx, [{ id, kanban: null, order: null }])
    else {
      const { isFree, next } = await findFree(ctx.db, kanban, order)
      await write(ctx, [{ id, kanban, order: isFree ? order : itemAt(keysBetween(order, next, 1), 0) }])
    }
  }
}

/**
 * Moves up to `most` contacts of a stage to the end of another (null: off the board); returns their number, null if the
 * target does not exist.
 */
export async function emptyStage(ctx: Ctx, from: number, to: number | null, most: number): Promise<number | null> {
  // In order of ids, to avoid deadlocks between two replacements.
  for (const one of [from, to].filter((id) => id !== null).sort((a, b) => a - b))
    if (one === to) await requireStage(ctx, one)
    else if (!(await lockStage(ctx.db, one))) return null
  const ids = await firstOf(ctx.db, from, most)
  if (ids.length === 0) return 0
  const keys = to === null ? [] : await keysFor(ctx, to, ids, null)
  await lockPositions(ctx.db, ids)
  await write(
    ctx,
    ids.map((id, index) => ({ id, kanban: to, order: keys[index] ?? null })),
  )
  return ids.length
}
