import {
  type Facts,
  type Keep,
  type MergeState,
  noticeEdits,
  numbersOf,
  shownOf,
  stateOfOne,
} from '#domain/contacts/person.ts'
import { lookUp, present } from '#domain/present.ts'
import { contactEvents } from '#features/ledger/contact-events.ts'
import { lockIngest } from '#features/ledger/server/persons/index.ts'
import { copyStages } from '#features/tickets/server/change/index.ts'
import { followPersons } from '#features/tickets/server/persons/index.ts'
import { fail } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import { restoreStages } from '../stage.ts'
import { columnsOf, factsOf, positionOf } from './facts.ts'
import {
  type Edge,
  edgesOf,
  endMerge,
  findMerge,
  insertMerge,
  lockMembers,
  type Member,
  personsOf,
  writeMember,
  writeNumbers,
} from './queries.ts'

const audience = { kind: 'permission', permission: 'contacts:read' } as const
const byOf = (ctx: Ctx): number | null => ctx.user?.id ?? null

/** Contacts of some persons, the merges between them, and their merge states. */
type Known = {
  readonly members: readonly Member[]
  readonly edges: readonly Edge[]
  readonly states: Map<number, MergeState>
}

// The root contact of a person is the one whose fields users edit.
async function known(ctx: Ctx, persons: readonly number[]): Promise<Known> {
  const members = await lockMembers(ctx.db, persons)
  const edges = await edgesOf(
    ctx.db,
    members.map(({ id }) => id),
  )
  const states = new Map(
    members.map((row) => {
      const facts = factsOf(row)
      const state = row.merge_state ?? stateOfOne(facts)
      const last = Math.max(0, ...edges.filter(({ contactId }) => contactId === row.id).map(({ id }) => id))
      return [row.id, row.merged_into === null ? noticeEdits(state, facts, last) : state]
    }),
  )
  return { members, edges, states }
}

/** Returns a contact with those merged into it. */
function partsOf(id: number, edges: readonly Edge[]): number[] {
  return [id, ...edges.filter(({ contactId }) => contactId === id).flatMap(({ otherId }) => partsOf(otherId, edges))]
}

/** Merges contacts into the persons that `edges` describe. */
async function rebuild(ctx: Ctx, { members, states }: Known, edges: readonly Edge[]): Promise<void> {
  const parts = new Set(edges.map(({ otherId }) => otherId))
  const numbers = new Map<number, string>()
  const positions = new Map<number, ReturnType<typeof positionOf>>()
  for (const root of members.filter(({ id }) => !parts.has(id))) {
    const ids = partsOf(root.id, edges)
    const shown = new Map<number, Facts>()
    for (const id of [...ids].reverse()) {
      const joined = edges
        .filter(({ contactId }) => contactId === id)
        .map(({ id: mergeId, keep, otherId }) => ({ mergeId, keep, shown: lookUp(shown, otherId) }))
      shown.set(id, shownOf(lookUp(states, id), joined))
    }
    const own = ids.map((id) => ({ id, own: lookUp(states, id).own['number'] ?? '' }))
    for (const [id, number] of numbersOf(own, lookUp(shown, root.id)['number'] ?? '')) numbers.set(id, number)
    for (const id of ids) {
      const facts = lookUp(shown, id)
      const mergedInto = id === root.id ? null : root.id
      const state = ids.length > 1 ? { ...lookUp(states, id), shown: facts } : null
      await writeMember(ctx.db, id, { mergedInto, state, ...columnsOf(facts), now: ctx.now })
      const position = mergedInto === null ? positionOf(facts) : positionOf({})
      const row = present(members.find((one) => one.id === id))
      if (position.kanban !== row.kanban) positions.set(id, position)
    }
  }
  await writeNumbers(ctx.db, numbers)
  // First those that leave a position: another contact may take it.
  const leaving = [...positions].filter(([, { kanban }]) => kanban === null)
  const coming = [...positions].filter(([, { kanban }]) => kanban !== null)
  for (const group of [leaving, coming]) if (group.length > 0) await restoreStages(ctx, new Map(group))
}

/** Evidence that two contacts are one person: a user merged them, they share a number, or the channel reported it. */
export type Proof = 'person' | 'number' | 'provider'

/**
 * Merges the second contact into the first and returns the merge's id. Both must be root contacts (`personsOf`) and
 * mergeable; throws 409 ERR_MERGE_GROUP otherwise.
 */
export async function merge(
  ctx: Ctx,
  { id, otherId, keep = {}, proof }: { id: number; otherId: number; keep?: Keep; proof: Proof },
): Promise<number> {
  await lockIngest(ctx.db, ctx.tenantId)
  const before = await known(ctx, [id, otherId])
  if ([id, otherId].some((one) => before.members.find((row) => row.id === one)?.merged_into !== null))
    fail('ERR_MERGE_CHANGED')
  if (before.members.some(({ is_group }) => is_group)) fail('ERR_MERGE_GROUP')
  const mergeId = await insertMerge(ctx.db, { contactId: id, otherId, keep, proof, userId: byOf(ctx), now: ctx.now })
  const edges = [...before.edges, { id: mergeId, contactId: id, otherId, keep }]
  await rebuild(ctx, before, edges)
  await followPersons(ctx, partsOf(id, edges), false)
  await copyStages(ctx, [id])
  ctx.emit(contactEvents.delete, { id: otherId }, audience)
  ctx.emit(contactEvents.update, { id }, audience)
  return mergeId
}

/** Undoes a merge and restores both contacts; returns the person of each. Throws 409 ERR_MERGE_UNDONE if already undone. */
export async function undoMerge(ctx: Ctx, mergeId: number): Promise<[number, number]> {
  await lockIngest(ctx.db, ctx.tenantId)
  const found = (await findMerge(ctx.db, mergeId)) ?? fail('ERR_NO_MERGE_FOUND')
  const person = lookUp(await personsOf(ctx.db, [found.contact_id]), found.contact_id)
  const before = await known(ctx, [person])
  const undone = before.edges.find(({ id }) => id === mergeId) ?? fail('ERR_MERGE_UNDONE')
  const edges = before.edges.filter((edge) => edge !== undone)
  await endMerge(ctx.db, mergeId, byOf(ctx), ctx.now)
  await rebuild(ctx, before, edges)
  await followPersons(
    ctx,
    before.members.map(({ id }) => id),
    true,
  )
  await copyStages(ctx, [person, undone.otherId])
  for (const id of [person, undone.otherId]) ctx.emit(contactEvents.update, { id }, audience)
  return [person, undone.otherId]
}
