import { momentOf } from '#domain/calendar/local-time.ts'
import type { ProviderValues } from '#kit/provider.ts'
import type { Usage } from '#providers/assistants/port.ts'
import type { ReadCtx } from '#server/context.ts'
import type { StoredAccount } from '#server/providers/queries.ts'
import { countAnswers, spentSince } from './queries-costs.ts'

const MILLION = 1_000_000

const price = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** What a call cost by the prices of its account, in R$. */
export function costOf(values: ProviderValues, { inputTokens, cachedTokens, outputTokens }: Usage): number {
  const input = price(values['inputPrice'])
  const cached = values['cachedPrice'] === null ? input : price(values['cachedPrice'])
  const fresh = Math.max(0, inputTokens - cachedTokens)
  return (fresh * input + cachedTokens * cached + outputTokens * price(values['outputPrice'])) / MILLION
}

/** What was spent in the month of a company, and by each of its accounts, in R$. */
export async function spentThisMonth(ctx: Pick<ReadCtx, 'db' | 'now' | 'settings'>) {
  const rows = await spentSince(ctx.db, monthBegin(ctx.now, ctx.settings.timezone))
  const byAccount = new Map(rows.map(({ accountId, cost }) => [accountId, cost]))
  return { total: rows.reduce((sum, { cost }) => sum + cost, 0), of: (id: number) => byAccount.get(id) ?? 0 }
}

/** How many answers the company got in its month, and how many its plan gives it (0: no limit). */
export const answersThisMonth = (ctx: Pick<ReadCtx, 'db' | 'now' | 'settings'>) =>
  countAnswers(ctx.db, monthBegin(ctx.now, ctx.settings.timezone))

/** Why assistants are used up this month: an error code and a sentence. */
export type UsedUp = { readonly code: 'ERR_ASSISTANT_BUDGET' | 'ERR_MAX_ANSWERS'; readonly text: string }

/** What of the month is used up: the answers of the plan, the company's budget or an account's; null where nothing is. */
export async function usedUp(
  ctx: Pick<ReadCtx, 'db' | 'now' | 'settings'>,
  { id, config }: Pick<StoredAccount, 'id' | 'config'>,
): Promise<UsedUp | null> {
  const { answers, most } = await answersThisMonth(ctx)
  if (most > 0 && answers >= most)
    return { code: 'ERR_MAX_ANSWERS', text: `As ${most} respostas de IA que o plano dá por mês acabaram.` }
  const company = Number(ctx.settings.values.assistantsBudget)
  const own = Number(config['monthlyBudget'] ?? 0)
  if (company <= 0 && own <= 0) return null
  const spent = await spentThisMonth(ctx)
  if (company > 0 && spent.total >= company) return over('O orçamento do mês dos assistentes acabou.')
  return own > 0 && spent.of(id) >= own ? over('O orçamento do mês desta conta acabou.') : null
}

const over = (text: string): UsedUp => ({ code: 'ERR_ASSISTANT_BUDGET', text })

/** Returns the month (AAAA-MM) in a zone. */
export const monthOf = (now: Date, zone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit' }).format(now).slice(0, 7)

const monthBegin = (now: Date, zone: string): Date => dayBegin(`${monthOf(now, zone)}-01`, zone)

/** When a day (AAAA-MM-DD) begins in a zone. */
function dayBegin(day: string, zone: string): Date {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return new Date(momentOf(zone, { year, month, day: date, hour: 0, minute: 0 }))
}

const DAY_MS = 86_400_000

/** When a period of days begins and ends in a zone; without days it is the month so far. */
export function periodOf(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: Date,
  zone: string,
): { readonly from: Date; readonly until: Date } {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(now)
  return {
    from: dayBegin(from ?? `${(to ?? today).slice(0, 7)}-01`, zone),
    until: new Date(dayBegin(to ?? today, zone).getTime() + DAY_MS),
  }
}
