import type { CardStatus } from '#domain/funnel/card.ts'
import type { Order } from '#domain/funnel/orders.ts'
import { maySeeContact } from '#features/contacts/server/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { decodeCursor, encodeCursor } from '#kit/cursor.ts'
import { fail, required } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'
import { implement } from '#server/http/route.ts'
import { checkedValues, listFields } from '#server/own-fields.ts'
import { opportunities } from '../contract.ts'
import { afterOf, boardReads } from './board.ts'
import { startCards } from './bulk.ts'
import { readDashboard } from './dashboard.ts'
import { exportCards } from './export.ts'
import { cardFieldTables } from './fields.ts'
import { type Asked, countCards, pageOfHistory, partsOf } from './queries.ts'
import { listPipelines, listStages } from './queries-pipelines.ts'
import { type LockedCard, lockCards, removeCard } from './queries-write.ts'
import { type Asking, askedOf, cardOf, readPage } from './view.ts'
import { changeCards, makeCard, type Patch, publish, requireColleague } from './write.ts'

type UserCtx = Ctx & { user: Actor }

const LAST_NUMBERED_PAGE = 50
const HISTORY_PAGE = 40

/** Route handlers of opportunities. */
export const opportunityRoutes = implement(opportunities, {
  ...boardReads,
  dashboard: readDashboard,
  list: async (ctx, { query }) => {
    const { pipelineId, page, limit, cursor, ordenacao, orderBy, orderDirection, ...filter } = query
    const asked = await askedOf(ctx, filter, { pipelineId })
    return listOf(ctx, asked, ordenacao ?? orderOf(orderBy, orderDirection), { page, limit, cursor })
  },
  ofContact: async (ctx, { params: { contactId }, query: { page, limit, cursor, ...filter } }) => {
    const contactIds = await seenParts(ctx, contactId)
    return listOf(ctx, await askedOf(ctx, filter, { contactIds }), 'data_desc', { page, limit, cursor })
  },
  get: (ctx, { params }) => cardOf(ctx, params.id),
  history: async (ctx, { params: { id }, query: { cursor } }) => {
    await cardOf(ctx, id)
    const before = cursor ? Number(decodeCursor(cursor, 1)[0]) : null
    if (before !== null && !Number.isSafeInteger(before))
      fail('ERR_VALIDATION', { cursor: 'A posição da lista não é válida.' })
    const rows = await pageOfHistory(ctx.db, id, before, HISTORY_PAGE + 1)
    const shown = rows.slice(0, HISTORY_PAGE)
    const last = shown.at(-1)
    return {
      data: shown.map((row) => ({ ...row, kind: row.kind })),
      nextCursor: rows.length > HISTORY_PAGE && last ? encodeCursor([last.id]) : null,
    }
  },
  create: async (ctx, { body }) => {
    const id = await create(ctx, body)
    const card = await cardOf(ctx, id).catch(() => null)
    ctx.audit({ after: { id, name: body.name, pipelineId: body.pipelineId } })
    return card ?? fail('ERR_NO_OPPORTUNITY_FOUND')
  },
  update: async (ctx, { params: { id }, body }) => {
    const before = await lockSeenCard(ctx, id)
    requireReason(body.status, body.reason ?? before.reason)
    if (body.responsibleId !== before.responsibleId) await requireColleague(ctx, body.responsibleId)
    const patch = await patchOf(ctx, body)
    const card = await answerAfter(ctx, id, () => changeCards(ctx, [before], () => patch))
    ctx.audit({ before: shownOf(before), after: shownOf({ ...before, ...patch }) })
    return card
  },
  move: async (ctx, { params: { id }, body: { stageId, beforeId } }) => {
    const before = await lockSeenCard(ctx, id)
    await changeCards(ctx, [before], () => ({ stageId, before: beforeId }))
    return cardOf(ctx, id)
  },
  remove: async (ctx, { params: { id } }) => {
    const before = await lockSeenCard(ctx, id)
    await removeCard(ctx.db, id)
    ctx.audit({ before: shownOf(before) })
    publish(ctx, [id], [{ id, contactId: before.contactId, types: ['deleted'] }])
    return { message: 'ok' }
  },
  bulk: (ctx, { body }) => startCards(ctx, body),
  export: (ctx, { body }) => exportCards(ctx, body),
})

const shownOf = ({ name, pipelineId, stageId, status, value, responsibleId, closingForecast }: LockedCard) => ({
  ...{ name, pipelineId, stageId, status, value, responsibleId, closingForecast },
})

/** Returns the merged contacts of the same person, if the user may see it; throws 404 otherwise. */
async function seenParts(ctx: Asking, contactId: number): Promise<number[]> {
  const parts = await partsOf(ctx.db, contactId)
  for (const id of parts) if (await maySeeContact(ctx, id)) return parts
  return fail('ERR_NO_CONTACT_FOUND')
}

// A card given to a colleague may no longer be visible: the response then holds its earlier state.
async function answerAfter(ctx: UserCtx, id: number, work: () => Promise<unknown>) {
  const before = await cardOf(ctx, id)
  await work()
  return cardOf(ctx, id).catch(() => before)
}

function requireReason(status: CardStatus | undefined, reason: string | undefined): void {
  if (status === 'lose' && !reason) fail('ERR_VALIDATION', { reason: 'Diga por que foi perdida.' })
}

async function patchOf(ctx: UserCtx, { fields, ...body }: Input<typeof opportunities.update>['body']): Promise<Patch> {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
  return fields ? { ...given, fields: await storedFields(ctx, fields, false) } : given
}

const storedFields = async ({ db }: UserCtx, fields: Readonly<Record<string, unknown>>, isNew: boolean) =>
  checkedValues(await listFields(db, cardFieldTables), fields, isNew)

/** Locks a card that the user may see; throws 404 otherwise. */
async function lockSeenCard(ctx: UserCtx, id: number): Promise<LockedCard> {
  const [locked] = await lockCards(ctx.db, [id])
  await cardOf(ctx, id)
  return required(locked, 'ERR_NO_OPPORTUNITY_FOUND')
}

async function create(ctx: UserCtx, body: Input<typeof opportunities.create>['body']): Promise<number> {
  const { pipelineId, contactId, stageId, status = 'open', reason = '' } = body
  await seenParts(ctx, contactId)
  requireReason(status, reason)
  required((await listPipelines(ctx.db, pipelineId))[0], 'ERR_NO_PIPELINE_FOUND')
  const stages = await listStages(ctx.db, pipelineId)
  const stage = stageId === undefined ? stages[0] : stages.find(({ id }) => id === stageId)
  await requireColleague(ctx, body.responsibleId)
  return makeCard(ctx, {
    ...{ name: body.name, contactId, stageId: required(stage, 'ERR_NO_PIPELINE_STAGE_FOUND').id, status },
    ...{ responsibleId: body.responsibleId ?? null, closingForecast: body.closingForecast ?? null },
    ...{ value: body.value ?? '0', description: body.description ?? '', reason: status === 'lose' ? reason : '' },
    fields: body.fields ? await storedFields(ctx, body.fields, true) : {},
  })
}

const orderOf = (by: 'value' | 'createdAt' | 'closingForecast' | undefined, way: 'asc' | 'desc' | undefined): Order => {
  if (by === 'value') return way === 'asc' ? 'valor_asc' : 'valor_desc'
  if (by === 'closingForecast') return 'fechamento'
  return way === 'asc' ? 'data_asc' : 'data_desc'
}

/** Returns a page of a list, with the total number. */
async function listOf(
  ctx: Asking,
  asked: Asked,
  order: Order,
  { page, limit, cursor }: { readonly page: number; readonly limit: number; readonly cursor: string | undefined },
): Promise<Returned<typeof opportunities.list>> {
  if (page > LAST_NUMBERED_PAGE && !cursor) fail('ERR_PAGE_TOO_FAR')
  const after = afterOf(cursor, order)
  const { cards, nextCursor } = await readPage(ctx, asked, order, {
    ...{ after, limit },
    offset: after ? 0 : (page - 1) * limit,
  })
  return { data: cards, total: await countCards(ctx.db, asked), nextCursor }
}

const STATUS_OF: Readonly<Record<string, readonly CardStatus[] | undefined>> = {
  ...{ created: undefined, value: undefined, open: ['open'], won: ['win'], wonValue: ['win'], lost: ['lose'] },
}
const SUM_PAGE = 40

/** Returns a page of the cards behind a number of `sumsOfCards`: of a stage or an owner (`key`; '' is none), or of all. */
export async function cardsOfSum(
  ctx: Asking,
  {
    from,
    before,
    key,
    column,
    cursor,
  }: { from: Date; before: Date; key: string | undefined; column: string; cursor: string | undefined },
  by: 'stage' | 'owner',
) {
  if (!Object.hasOwn(STATUS_OF, column)) fail('ERR_VALIDATION', { column: 'Esta coluna não existe.' })
  const id = Number(key)
  if (!Number.isSafeInteger(id) && key !== undefined) fail('ERR_VALIDATION', { key: 'Esta linha não existe.' })
  const part = by === 'stage' ? { stageIds: [id] } : { owners: [key === '' ? ('none' as const) : id] }
  const narrowing = {
    madeFrom: from,
    madeBefore: before,
    statuses: STATUS_OF[column],
    ...(key === undefined ? {} : part),
  }
  const asked = await askedOf(ctx, {}, narrowing)
  const start = { after: afterOf(cursor, 'data_desc'), offset: 0, limit: SUM_PAGE }
  return { ...(await readPage(ctx, asked, 'data_desc', start)), count: await countCards(ctx.db, asked) }
}
