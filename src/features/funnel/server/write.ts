import { type Card, type CardFields, changesBetween, exitOf, fieldChanges, type StageAt } from '#domain/funnel/card.ts'
import { keysBetween, LONGEST_KEY } from '#domain/kanban/order.ts'
import { firstOf, itemAt, lookUp } from '#domain/present.ts'
import { fail } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import { writeValues } from '#server/own-fields.ts'
import { type CardHappening, funnelEvents } from '../contract.ts'
import { enqueueActions } from './act-job.ts'
import { cardFieldTables } from './fields.ts'
import {
  countExits,
  extentOf,
  findGap,
  type HistoryRow,
  insertCard,
  insertHistory,
  isColleague,
  type LockedCard,
  lockStages,
  saveKeys,
  updateCards,
} from './queries-write.ts'

/**
 * Change of a card. `before`: card of its stage to be placed before; null: last. `fields`: custom field values as stored, by
 * field id; '' empties one, absent ones stay.
 */
export type Patch = Partial<Pick<LockedCard, keyof Card | 'name' | 'description' | 'reason' | 'fields'>> & {
  readonly before?: number | null | undefined
}

/** Card to be created. */
export type NewCard = Omit<LockedCard, 'id' | 'entry' | 'rank' | 'pipelineId'>

const everybody = { kind: 'permission', permission: 'funnel:read' } as const
const doing = (ctx: Ctx) => ({ by: ctx.user?.id ?? null, now: ctx.now, depth: ctx.depth ?? 0 })

/** Kinds of change of a card. */
type Happened = { readonly id: number; readonly contactId: number; readonly types: readonly CardHappening[] }

/** Publishes changed cards, and their kinds of change to the changes feed. */
export const publish = (ctx: Ctx, ids: readonly number[], all: readonly Happened[]): void => {
  const happened = all.map(({ types, ...one }) => ({ ...one, types: [...types] }))
  ctx.emit(funnelEvents.moved, { ids: [...ids], happened }, everybody)
}

/** Returns the kinds of change of a card; empty if only its order within the stage changed. */
function happenedTo(card: LockedCard, after: LockedCard): CardHappening[] {
  if (isSame({ ...card, rank: after.rank }, after)) return []
  const isEnded = card.status !== after.status
  return [
    'updated',
    ...(card.stageId === after.stageId ? [] : (['stage'] as const)),
    ...(isEnded && after.status === 'win' ? (['won'] as const) : []),
    ...(isEnded && after.status === 'lose' ? (['lost'] as const) : []),
  ]
}

/** Throws 400 at `responsibleId` for a user who does not exist or is inactive. */
export async function requireColleague({ db }: Ctx, id: number | null | undefined): Promise<void> {
  if (id != null && !(await isColleague(db, id))) fail('ERR_VALIDATION', { responsibleId: 'Escolha outra pessoa.' })
}

/**
 * Creates a card at the end of its stage with its history, enqueues the stage's actions, and returns the id. `source`: wish
 * of another feature. Throws 404 for an unknown stage.
 */
export async function makeCard(ctx: Ctx, card: NewCard, source: string | null = null): Promise<number> {
  const stage = (await lockStages(ctx.db, [card.stageId])).get(card.stageId)
  if (!stage) return fail('ERR_NO_PIPELINE_STAGE_FOUND')
  const [rank] = await keysFor(ctx, card.stageId, [0], null)
  const whole = {
    ...card,
    fields: filled(card.fields),
    value: decimal(card.value),
    pipelineId: stage.pipelineId,
    rank: rank!,
  }
  const id = await insertCard(ctx.db, {
    ...whole,
    ...{ userId: ctx.user?.id ?? null, now: ctx.now, depth: ctx.depth ?? 0, source },
  })
  await saveFields(ctx, [{ id, before: {}, after: whole.fields }])
  const changes = [...changesBetween(null, whole), ...fieldChanges({}, whole.fields)]
  await insertHistory(
    ctx.db,
    changes.map((change) => ({ ...change, opportunityId: id, entry: 1, advanced: null })),
    doing(ctx),
  )
  const { contactId, status } = whole
  const ended = status === 'win' ? (['won'] as const) : status === 'lose' ? (['lost'] as const) : []
  publish(ctx, [id], [{ id, contactId, types: ['created', ...ended] }])
  enqueueActions(ctx)
  return id
}

/**
 * Changes locked cards: rows, history, stage counts and sums, in this transaction; skips unchanged ones. The only function
 * that changes cards. Throws 409 ERR_BOARD_CHANGED if the `before` card has left the stage.
 */
export async function changeCards(
  ctx: Ctx,
  locked: readonly LockedCard[],
  patchOf: (card: LockedCard) => Patch,
): Promise<readonly LockedCard[]> {
  const wanted = locked.map((card) => {
    const { before, ...patch } = patchOf(card)
    const fields = filled({ ...card.fields, ...patch.fields })
    const next: LockedCard = { ...card, ...patch, fields, value: decimal(patch.value ?? card.value) }
    const reason = next.status === 'lose' ? next.reason : ''
    return { card, before, next: { ...next, reason } }
  })
  const stages = await lockStages(ctx.db, [
    ...new Set(wanted.flatMap(({ card, next }) => [card.stageId, next.stageId])),
  ])
  if (wanted.some(({ next }) => !stages.has(next.stageId))) fail('ERR_NO_PIPELINE_STAGE_FOUND')
  const ranks = await ranksOf(ctx, wanted)
  const changed = wanted.flatMap(({ card, next }) => {
    const isEntered = card.stageId !== next.stageId
    const after: LockedCard = {
      ...next,
      pipelineId: lookUp(stages, next.stageId).pipelineId,
      rank: ranks.get(card.id) ?? card.rank,
      entry: card.entry + (isEntered ? 1 : 0),
    }
    if (isSame(card, after)) return []
    const isEnded = card.status !== next.status
    return [{ card, after: { ...after, isEntered, isEnded, isMoved: isEntered || isEnded } }]
  })
  if (changed.length === 0) return []
  const rows = changed.map(({ after }) => after)
  await updateCards(ctx.db, rows, doing(ctx))
  await saveFields(
    ctx,
    changed.map(({ card, after }) => ({ id: card.id, before: card.fields, after: after.fields })),
  )
  await record(ctx, changed, stages)
  publish(
    ctx,
    rows.map(({ id }) => id),
    changed
      .map(({ card, after }) => ({ id: card.id, contactId: card.contactId, types: happenedTo(card, after) }))
      .filter(({ types }) => types.length > 0),
  )
  if (rows.some(({ isEntered }) => isEntered)) enqueueActions(ctx)
  return rows
}

// Within the same stage only cards with `before` move.
async function ranksOf(
  ctx: Ctx,
  wanted: readonly {
    readonly card: LockedCard
    readonly before: number | null | undefined
    readonly next: LockedCard
  }[],
): Promise<ReadonlyMap<number, string>> {
  const ranks = new Map<number, string>()
  const moving = wanted.filter(
    ({ card, before, next }) => card.stageId !== next.stageId || (before !== undefined && before !== card.id),
  )
  for (const group of Map.groupBy(moving, ({ next, before }) => `${next.stageId} ${before ?? ''}`).values()) {
    const { next, before = null } = firstOf(group)
    const ids = group.map(({ card }) => card.id)
    const keys = await keysFor(ctx, next.stageId, ids, before)
    for (const [index, id] of ids.entries()) ranks.set(id, itemAt(keys, index))
  }
  return ranks
}

async function keysFor(ctx: Ctx, stageId: number, moving: readonly number[], before: number | null): Promise<string[]> {
  const gap = await findGap(ctx.db, stageId, { before, moving })
  if (!gap) return fail('ERR_BOARD_CHANGED')
  const keys = keysBetween(gap.from, gap.to, moving.length)
  if (keys.every((key) => key.length <= LONGEST_KEY)) return keys
  // Starts after all existing keys, so that the rewrite cannot collide with one.
  const { count, last } = await extentOf(ctx.db, stageId)
  await saveKeys(ctx.db, stageId, keysBetween(last, null, count))
  return keysFor(ctx, stageId, moving, before)
}

async function record(
  ctx: Ctx,
  changed: readonly { readonly card: LockedCard; readonly after: LockedCard }[],
  stages: ReadonlyMap<number, StageAt>,
): Promise<void> {
  const added: HistoryRow[] = []
  const left = new Map<number, { exits: number; advances: number }>()
  for (const { card, after } of changed) {
    const advanced = exitOf(card, after, stages)
    const changes = [...changesBetween(card, after), ...fieldChanges(card.fields, after.fields)]
    const leaving = changes.find(({ kind }) => kind === 'status') ?? changes.find(({ kind }) => kind === 'stage')
    for (const change of changes)
      added.push({
        ...change,
        opportunityId: card.id,
        entry: after.entry,
        advanced: change === leaving ? advanced : null,
      })
    if (advanced === null) continue
    const { exits, advances } = left.get(card.stageId) ?? { exits: 0, advances: 0 }
    left.set(card.stageId, { exits: exits + 1, advances: advances + Number(advanced) })
  }
  await insertHistory(ctx.db, added, doing(ctx))
  for (const [stageId, counts] of left) await countExits(ctx.db, stageId, counts)
}

const decimal = (value: string): string => {
  const [whole = '0', part = ''] = value.split('.')
  return `${whole.replace(/^0+(?=\d)/, '')}.${part.padEnd(2, '0')}`
}

const PARTS = [
  'stageId',
  'rank',
  'status',
  'value',
  'responsibleId',
  'closingForecast',
  'name',
  'description',
  'reason',
] as const
const isSame = (a: LockedCard, b: LockedCard): boolean =>
  PARTS.every((part) => a[part] === b[part]) && fieldChanges(a.fields, b.fields).length === 0

/** Returns the values without empty ones. */
const filled = (fields: CardFields): CardFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))

const saveFields = (
  { db }: Ctx,
  cards: readonly { readonly id: number; readonly before: CardFields; readonly after: CardFields }[],
): Promise<void> =>
  writeValues(
    db,
    cardFieldTables,
    cards.flatMap(({ id: ownerId, before, after }) =>
      fieldChanges(before, after).map((change) => ({ ownerId, id: change.fieldId!, value: change.after ?? '' })),
    ),
  )
