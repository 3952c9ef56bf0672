import { planOf } from '#domain/campaigns/care.ts'
import { costOf, priceOf } from '#domain/campaigns/cost.ts'
import { obstacleTo, SKIP_REASONS, type SkipReason } from '#domain/campaigns/eligibility.ts'
import { sendingTime } from '#domain/campaigns/hours.ts'
import { plannedEnd } from '#domain/campaigns/pacing.ts'
import { smsPartsOf } from '#domain/messages/sms.ts'
import { namesIn, TEMPLATE_VARIABLES, unknownVariables } from '#domain/messages/template.ts'
import { lockPaceOf } from '#features/ledger/server/outbox/index.ts'
import type { Returned } from '#kit/contract.ts'
import { required } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { companyHours } from '#server/company-hours.ts'
import type { Ctx } from '#server/context.ts'
import { ownVariablesOf } from '#server/own-variables.ts'
import type { campaigns } from '../contract.ts'
import { numberFacts } from './care.ts'
import type { DispatchRecord } from './queries.ts'
import {
  countCandidates,
  countEmpty,
  findConnection,
  isMarketing,
  type KnownConnection,
  waitingContacts,
} from './queries-turn.ts'
import { refusalsAmong, WEEK_MS } from './turn.ts'

type Plan = Returned<typeof campaigns.plan>

/** Judges what a dispatch would do if it began as it is: who is left out and why, until when it takes, what it risks. */
export async function planDispatch(ctx: Ctx, dispatch: DispatchRecord): Promise<Plan> {
  const connection = required(await findConnection(ctx.db, dispatch.connectionId ?? 0), 'ERR_NO_WAPP_FOUND')
  const { revoked, unasked } = await refusedOf(ctx, dispatch)
  const since = new Date(ctx.now.getTime() - WEEK_MS)
  const groups = await countCandidates(ctx.db, dispatch.id, { since, revoked, unasked })
  const rules = {
    ...dispatch,
    needsReach: capabilitiesOf(connection.type).numberCheck,
    takesGroups: dispatch.kind !== 'campaign',
  }
  const left = new Map<SkipReason, number>()
  let [reached, firstContacts] = [0, 0]
  for (const group of groups) {
    const reason = obstacleTo(group, rules)
    if (reason) left.set(reason, (left.get(reason) ?? 0) + group.count)
    else {
      reached += group.count
      if (group.isFirst) firstContacts += group.count
    }
  }
  const known = await lockPaceOf(ctx, connection)
  const risk = planOf(dispatch, await numberFacts(ctx.db, connection, known, ctx.now))
  const time = sendingTime(dispatch, { zone: ctx.settings.timezone, holidays: companyHours(ctx.settings).holidays })
  const from = Math.max(ctx.now.getTime(), dispatch.startAt.getTime())
  const endsAt = reached > 0 ? plannedEnd(time, from, reached, dispatch.delay) : null
  return {
    reached,
    left: [...left].map(([reason, count]) => ({ reason, text: SKIP_REASONS[reason], count })),
    firstContacts,
    endsAt: endsAt === null ? null : new Date(endsAt),
    ...(await variablesOf(ctx, dispatch)),
    cost: await priced(ctx, dispatch, connection, reached),
    ...{ level: risk.level, reasons: [...risk.reasons], delay: risk.delay },
  }
}

/** So many recipients are judged at once. */
const BLOCK = 5000

/** Who waits in a dispatch and may not be reached, block by block. */
async function refusedOf(ctx: Ctx, { id, purpose }: DispatchRecord): Promise<{ revoked: number[]; unasked: number[] }> {
  const refused: { revoked: number[]; unasked: number[] } = { revoked: [], unasked: [] }
  for (let after = 0; ; ) {
    const block = await waitingContacts(ctx.db, id, { after, most: BLOCK })
    const found = await refusalsAmong(
      ctx,
      purpose,
      block.map(({ contactId }) => contactId),
    )
    refused.revoked.push(...found.revoked)
    refused.unasked.push(...found.unasked)
    if (block.length < BLOCK) return refused
    after = block.at(-1)!.id
  }
}

/** What messages to so many cost by the company's prices: templates by category, SMS by the parts of the longest text. */
async function priced(
  { db, settings }: Pick<Ctx, 'db' | 'settings'>,
  { template, messages }: DispatchRecord,
  { id, type }: KnownConnection,
  count: number,
): Promise<string | null> {
  const { priceMarketing, priceUtility, priceSms } = settings.values
  if (template) {
    const price = priceOf((await isMarketing(db, id, template)) ? priceMarketing : priceUtility)
    return price === null ? null : costOf(price, { count, parts: 1 })
  }
  const price = capabilitiesOf(type).smsParts ? priceOf(priceSms) : null
  const parts = Math.max(0, ...messages.map(({ body }) => smsPartsOf(body).parts))
  return price === null ? null : costOf(price, { count, parts })
}

/** The variables of the texts that nobody knows, and those that stand for nothing with some recipients. */
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
