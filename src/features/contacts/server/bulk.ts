import { MOST_CHOSEN } from '#domain/bulk/limits.ts'
import { numbersIn } from '#domain/keys.ts'
import type { StagePosition } from '#features/ledger/server/ports/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { fail } from '#kit/errors.ts'
import type { Act, BulkKind, Return, UserCtx } from '#server/bulk/kind.ts'
import { previewBulk, startBulk } from '#server/bulk/work.ts'
import { implement } from '#server/http/route.ts'
import { type ContactAction, type ContactArgs, contactsBulk } from '../bulk-contract.ts'
import { recording } from './changes.ts'
import { onlyFor, selectContacts } from './list.ts'
import { countTags, countUsers, stageExists } from './queries.ts'
import { addTo, contactImages, countBack, countChange, seenContacts, setSwitch, takeFrom } from './queries-bulk.ts'
import { publishing } from './save.ts'
import { restoreStages, setStage } from './stage.ts'

type Change = { readonly action: ContactAction; readonly args: ContactArgs }

const SWITCHES: Readonly<Partial<Record<ContactAction, readonly ['blocked' | 'chatbot_blocked', boolean]>>> = {
  block: ['blocked', true],
  unblock: ['blocked', false],
  blockBot: ['chatbot_blocked', true],
  unblockBot: ['chatbot_blocked', false],
}

/** Bulk operations on contacts. */
export const contactsKind: BulkKind<number, Change> = {
  name: 'contacts',
  can: 'contacts:write',
  missing: 'ERR_NO_CONTACT_FOUND',
  constraints: { contacts_stage: 'ERR_CHANGED_SINCE' },
  loose: [],
  async load(ctx, ids, lock) {
    const seen = await seenContacts(ctx.db, ids, {
      onlyFor: lock === 'lock any' ? null : onlyFor(ctx),
      isHeld: lock !== 'read',
    })
    return new Map(seen.map((id) => [id, id]))
  },
  async decide(ctx, act: Act & Change, subjects) {
    const change = await checked(ctx, act)
    return new Map([...subjects.keys()].map((id) => [id, change]))
  },
  async write(ctx, chosen) {
    const ids = [...chosen.keys()]
    // All contacts of an operation share one action.
    const [first] = chosen.values()
    if (!first) return
    const { action } = first.change
    await publishing(ctx, ids, action === 'wallet' || action === 'unwallet', () =>
      recording(ctx, ids, async () => {
        await perform(ctx, ids, first.change)
        await countChange(ctx.db, ids, { by: ctx.user.id, now: ctx.now })
      }),
    )
  },
  // `write` publishes too: who sees a contact's tickets may depend on its wallets.
  publish: async () => {},
  images: (ctx, ids) => contactImages(ctx.db, ids),
  obstacles: async () => new Map(),
  async restore(ctx, returns) {
    const ids = returns.map(({ id }) => id)
    const isShown = returns.some(({ fields }) => 'wallets' in fields)
    await publishing(ctx, ids, isShown, () =>
      recording(ctx, ids, async () => {
        for (const one of returns) await giveBack(ctx, one)
        const positions = returns.flatMap(({ id, fields }) =>
          'position' in fields ? [[id, fields['position'] as StagePosition] as const] : [],
        )
        if (positions.length > 0) await restoreStages(ctx, new Map(positions))
        await countBack(
          ctx.db,
          returns.map(({ id, before }) => ({ id, ...before })),
        )
      }),
    )
  },
  publishReturn: async () => {},
  finalize: async () => {},
}

async function checked(ctx: UserCtx, { action, args }: Change): Promise<Change> {
  const { tagIds = [], userIds = [], kanban } = args
  if (action === 'tag' && (await countTags(ctx.db, tagIds)) < new Set(tagIds).size) fail('ERR_NO_TAG_FOUND')
  if (action === 'wallet' && (await countUsers(ctx.db, userIds)) < new Set(userIds).size) fail('ERR_NO_USER_FOUND')
  if (kanban != null && !(await stageExists(ctx.db, kanban)))
    fail('ERR_VALIDATION', { kanban: 'Esta etapa do kanban não existe.' })
  return { action, args }
}

async function perform(ctx: UserCtx, ids: readonly number[], { action, args }: Change): Promise<void> {
  const { tagIds = [], userIds = [], kanban = null } = args
  if (action === 'tag') await addTo(ctx.db, 'tags', ids, tagIds)
  if (action === 'untag') await takeFrom(ctx.db, 'tags', ids, tagIds)
  if (action === 'wallet') await addTo(ctx.db, 'wallets', ids, userIds)
  if (action === 'unwallet') await takeFrom(ctx.db, 'wallets', ids, userIds)
  if (action === 'kanban') await setStage(ctx, ids, { kanban })
  const [column, isOn] = SWITCHES[action] ?? []
  if (column !== undefined && isOn !== undefined) await setSwitch(ctx.db, ids, column, isOn)
}

async function giveBack(ctx: UserCtx, { id, fields, after }: Return<number>): Promise<void> {
  for (const column of ['blocked', 'chatbot_blocked'] as const)
    if (column in fields) await setSwitch(ctx.db, [id], column, fields[column] === true)
  for (const set of ['tags', 'wallets'] as const) {
    if (!(set in fields)) continue
    const [was, is] = [numbersIn(fields[set]), numbersIn(after.fields[set])]
    await takeFrom(
      ctx.db,
      set,
      [id],
      is.filter((one) => !was.includes(one)),
    )
    await addTo(
      ctx.db,
      set,
      [id],
      was.filter((one) => !is.includes(one)),
    )
  }
}

/** Starts an action on the named contacts, or on all that the user sees under a filter. */
async function startContacts(
  ctx: UserCtx,
  body: Input<typeof contactsBulk.start>['body'],
): Promise<Returned<typeof contactsBulk.start>> {
  const { filter, expected, action, args = {}, dryRun } = body
  const ids = filter ? await selectContacts(ctx, filter, MOST_CHOSEN + 1) : [...new Set(body.ids)]
  if (ids.length > MOST_CHOSEN) fail('ERR_SELECTION_TOO_LARGE')
  if (filter && expected !== undefined && expected !== ids.length) fail('ERR_SELECTION_CHANGED', { count: ids.length })
  return (dryRun ? previewBulk : startBulk)(ctx, contactsKind, { action, args }, ids)
}

/** Route handlers of bulk operations on contacts. */
export const contactBulkRoutes = implement(contactsBulk, { start: (ctx, { body }) => startContacts(ctx, body) })
