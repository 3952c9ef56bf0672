import { ownMember } from '#domain/keys.ts'
import { lookUp } from '#domain/present.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { fail } from '#kit/errors.ts'
import type { Act, BulkKind, UserCtx } from '#server/bulk/kind.ts'
import { previewBulk, startBulk } from '#server/bulk/work.ts'
import type { CardAction, CardArgs, opportunities } from '../contract.ts'
import { pageOfCards } from './queries.ts'
import { findStage } from './queries-pipelines.ts'
import { cardImages, countBack, isColleague, type LockedCard, lockCards } from './queries-write.ts'
import { askedOf } from './view.ts'
import { changeCards, type Patch } from './write.ts'

/** Bulk operations on opportunities. */
export const opportunitiesKind: BulkKind<LockedCard, Patch> = {
  name: 'opportunities',
  can: 'funnel:write',
  missing: 'ERR_NO_OPPORTUNITY_FOUND',
  constraints: {},
  loose: [],
  async load(ctx, ids, lock) {
    const locked = new Map((await lockCards(ctx.db, ids)).map((card) => [card.id, card]))
    if (lock === 'lock any') return locked
    const start = { after: null, offset: 0, limit: ids.length }
    const seen = await pageOfCards(ctx.db, await askedOf(ctx, {}, { ids }), 'data_desc', start)
    return new Map(seen.map(({ id }) => [id, lookUp(locked, id)]))
  },
  async decide(ctx, act: CardAct, subjects) {
    const patch = await checked(ctx, act)
    return new Map([...subjects].map(([id, card]) => [id, isDone(card, patch) ? null : patch]))
  },
  async write(ctx, chosen) {
    await changeCards(
      ctx,
      [...chosen.values()].map(({ subject }) => subject),
      ({ id }) => lookUp(chosen, id).change,
    )
  },
  // `write` publishes too.
  publish: async () => {},
  images: (ctx, ids) => cardImages(ctx.db, ids),
  obstacles: async () => new Map(),
  async restore(ctx, returns) {
    const locked = await lockCards(
      ctx.db,
      returns.map(({ id }) => id),
    )
    const fields = new Map(returns.map((one) => [one.id, one.fields]))
    await changeCards(ctx, locked, ({ id }) => lookUp(fields, id))
    await countBack(
      ctx.db,
      returns.map(({ id, before }) => ({ id, ...before })),
    )
  },
  publishReturn: async () => {},
  finalize: async () => {},
}

const isDone = (card: LockedCard, patch: Patch): boolean =>
  Object.entries(patch).every(([part, value]) => ownMember(card, part) === value)

type CardAct = Act & { readonly action: CardAction; readonly args: CardArgs }

async function checked(ctx: UserCtx, { action, args }: CardAct): Promise<Patch> {
  switch (action) {
    case 'move': {
      if (args.stageId === undefined || !(await findStage(ctx.db, args.stageId))) fail('ERR_NO_PIPELINE_STAGE_FOUND')
      return { stageId: args.stageId }
    }
    case 'owner': {
      if (args.userId != null && !(await isColleague(ctx.db, args.userId))) fail('ERR_NO_USER_FOUND')
      return { responsibleId: args.userId ?? null }
    }
    case 'win':
    case 'open':
      return { status: action, reason: '' }
    case 'lose':
      return { status: 'lose', reason: args.reason ?? '' }
  }
}

/** Starts an action on the named opportunities. */
export async function startCards(
  ctx: UserCtx,
  { ids, action, args, dryRun }: Input<typeof opportunities.bulk>['body'],
): Promise<Returned<typeof opportunities.bulk>> {
  return (dryRun ? previewBulk : startBulk)(ctx, opportunitiesKind, { action, args }, [...new Set(ids)])
}
