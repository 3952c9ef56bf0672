import { planOf } from '#domain/campaigns/care.ts'
import { costOf, priceOf } from '#domain/campaigns/cost.ts'
import { obstacleTo, SKIP_REASONS, type SkipReason } from '#domain/campaigns/eligibility.ts'
import { sendingTime } from '#domain/campaigns/hours.ts'
import { plannedEnd } from '#domain/campaigns/pacing.ts'
import { variantOf } from '#domain/campaigns/variants.ts'
import { smsPartsOf, withoutAccents } from '#domain/messages/sms.ts'
import { namesIn, TEMPLATE_VARIABLES, unknownVariables } from '#domain/messages/template.ts'
import { lockPaceOf } from '#features/ledger/server/outbox/index.ts'
import { fillIn } from '#features/ledger/server/texts/index.ts'
import type { Returned } from '#kit/contract.ts'
import { required } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { companyHours } from '#server/company-hours.ts'
import type { Ctx } from '#server/context.ts'
import { ownVariablesOf } from '#server/own-variables.ts'
import type { campaigns } from '../contract.ts'
import { numberFacts } from './care.ts'
import type { DispatchRecord } from './queries.ts'
import { connectionsOf } from './queries-items.ts'
import {
  type Counted,
  countCandidates,
  countEmpty,
  findConnection,
  isMarketing,
  itemSubjects,
  type KnownConnection,
  waitingContacts,
} from './queries-turn.ts'
import { linked, refusalsAmong, WEEK_MS } from './turn.ts'

type Plan = Returned<typeof campaigns.plan>

/** Forecasts a dispatch as if it began now: skipped recipients with reasons, end, risk. */
export async function planDispatch(ctx: Ctx, dispatch: DispatchRecord): Promise<Plan> {
  const connections = await connectionsFor(ctx, dispatch)
  const isSms = connections.some(({ type }) => capabilitiesOf(type).smsParts)
  const groups = await countedBy(ctx, dispatch, isSms)
  const rules = {
    ...dispatch,
    needsReach: connections.every(({ type }) => capabilitiesOf(type).numberCheck),
    takesGroups: dispatch.kind !== 'campaign',
  }
  const left = new Map<SkipReason, number>()
  const ids: number[] = []
  let [reached, firstContacts] = [0, 0]
  for (const group of groups) {
    const reason = obstacleTo(group, rules)
    if (reason) left.set(reason, (left.get(reason) ?? 0) + group.count)
    else {
      reached += group.count
      for (const id of group.ids ?? []) ids.push(id)
      if (group.isFirst) firstContacts += group.count
    }
  }
  const time = sendingTime(dispatch, { zone: ctx.settings.timezone, holidays: companyHours(ctx.settings).holidays })
  const from = Math.max(ctx.now.getTime(), dispatch.startAt.getTime())
  // Several connections take turns.
  const each = Math.ceil(reached / connections.length)
  const endsAt = reached > 0 ? plannedEnd(time, from, each, dispatch.delay) : null
  const parts = isSms
    ? await countParts(ctx, dispatch, { ids, isPlain: connections.every((one) => one.isPlain) })
    : null
  return {
    reached,
    left: [...left].map(([reason, count]) => ({ reason, text: SKIP_REASONS[reason], count })),
    firstContacts,
    endsAt: endsAt === null ? null : new Date(endsAt),
    ...(await variablesOf(ctx, dispatch)),
    parts,
    cost: await priced(ctx, dispatch, connections[0]!, parts ?? reached),
    ...(await riskOf(ctx, dispatch, connections)),
  }
}

/** Returns the connections with waiting recipients, else the one that the dispatch names. */
async function connectionsFor(ctx: Ctx, { id, connectionId }: DispatchRecord): Promise<readonly KnownConnection[]> {
  const waiting = await connectionsOf(ctx.db, id)
  const ids = waiting.length > 0 ? waiting : [connectionId ?? 0]
  const found: KnownConnection[] = []
  for (const one of ids) found.push(required(await findConnection(ctx.db, one), 'ERR_NO_WAPP_FOUND'))
  return found
}

/** Returns the risk of a dispatch, by the connection with the least capacity. */
async function riskOf(
  ctx: Ctx,
  { delay }: DispatchRecord,
  connections: readonly KnownConnection[],
): Promise<Pick<Plan, 'level' | 'reasons' | 'delay'>> {
  const risks: ReturnType<typeof planOf>[] = []
  for (const connection of connections) {
    const known = await lockPaceOf(ctx, connection)
    risks.push(planOf({ delay }, await numberFacts(ctx.db, connection, known, ctx.now)))
  }
  const level = LEVELS.find((one) => risks.some((risk) => risk.level === one)) ?? 'good'
  const reasons = new Set(risks.flatMap((risk) => risk.reasons))
  return { level, reasons: [...reasons], delay: risks.find((risk) => risk.delay !== null)?.delay ?? null }
}

/** Levels of risk, worst first. */
const LEVELS = ['stop', 'warn'] as const

/** Number of recipients that are judged at once. */
const BLOCK = 5000

/** Counts the waiting recipients of a dispatch, block by block so that no statement takes long. */
async function countedBy(ctx: Ctx, { id, purpose }: DispatchRecord, withIds: boolean): Promise<Counted[]> {
  const since = new Date(ctx.now.getTime() - WEEK_MS)
  const counted: Counted[] = []
  for (let after = 0; ; ) {
    const block = await waitingContacts(ctx.db, id, { after, most: BLOCK })
    const last = block.at(-1)?.id
    if (last === undefined) return counted
    const contactIds = block.map(({ contactId }) => contactId)
    const refused = await refusalsAmong(ctx, purpose, contactIds)
    counted.push(...(await countCandidates(ctx.db, id, { ...refused, since, withIds, after, last })))
    after = last
  }
}

/** Returns the cost of a number of templates, or SMS parts, by the company's prices; null if none is set. */
async function priced(
  { db, settings }: Pick<Ctx, 'db' | 'settings'>,
  { template }: DispatchRecord,
  { id, type }: KnownConnection,
  count: number,
): Promise<string | null> {
  const { priceMarketing, priceUtility, priceSms } = settings.values
  const ofTemplate = template && ((await isMarketing(db, id, template)) ? priceMarketing : priceUtility)
  const price = priceOf(ofTemplate ?? (capabilitiesOf(type).smsParts ? priceSms : ''))
  return price === null ? null : costOf(price, count)
}

/** Counts the parts of the SMS of some recipients as they will leave: with their values, links and alphabet. */
async function countParts(
  ctx: Ctx,
  { id, kind, messages }: DispatchRecord,
  { ids, isPlain }: { readonly ids: readonly number[]; readonly isPlain: boolean },
): Promise<number> {
  const weights = messages.map(({ weight }) => weight)
  let parts = 0
  for (let from = 0; from < ids.length; from += BLOCK) {
    const items = await itemSubjects(ctx.db, id, ids.slice(from, from + BLOCK))
    const ownOf = await ownVariablesOf(
      ctx.db,
      items.map(({ contactId }) => contactId),
    )
    for (const { id: itemId, contactId, messageId, values, ...contact } of items) {
      const body = messages[variantOf(messageId, weights)]?.body ?? ''
      const own = { ...ownOf(contactId), ...values }
      const text = fillIn(ctx, linked(ctx, kind, itemId, body), { contact, own })
      parts += smsPartsOf(isPlain ? withoutAccents(text) : text).parts
    }
  }
  return parts
}

/** Returns unknown variables of the texts, and variables that are empty for some recipients. */
async function variablesOf(
  { db }: Pick<Ctx, 'db'>,
  { id, messages, template }: DispatchRecord,
): Promise<Pick<Plan, 'unknownVariables' | 'emptyVariables'>> {
  const text = [...messages.map(({ body }) => body), ...Object.values(template?.values ?? {})].join('\n')
  const names = namesIn(text)
  if (names.length === 0) return { unknownVariables: [], emptyVariables: [] }
  const own = Object.keys((await ownVariablesOf(db, []))(0))
  const empty = await countEmpty(db, id)
  return {
    unknownVariables: unknownVariables(text, [...Object.keys(TEMPLATE_VARIABLES), ...own]),
    emptyVariables: names.flatMap((name) => {
      const count = empty[name] ?? 0
      return count > 0 ? [{ name, count }] : []
    }),
  }
}
