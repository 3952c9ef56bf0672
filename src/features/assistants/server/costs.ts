import { momentOf } from '#domain/calendar/local-time.ts'
import type { ProviderValues } from '#kit/provider.ts'
import type { Usage } from '#providers/assistants/port.ts'
import type { ReadCtx } from '#server/context.ts'
import type { StoredAccount } from '#server/providers/queries.ts'
import { countAnswers, spentSince } from './queries-costs.ts'

const MILLION = 1_000_000

const price = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** Returns a call's cost by its account's prices, in R$. */
export function costOf(values: ProviderValues, { inputTokens, cachedTokens, outputTokens }: Usage): number {
  const input = price(values['inputPrice'])
  const cached = values['cachedPrice'] === null ? input : price(values['cachedPrice'])
  const fresh = Math.max(0, inputTokens - cachedTokens)
  return (fresh * input + cachedTokens * cached + outputTokens * price(values['outputPrice'])) / MILLION
}

/** Returns the month's cost of a company and of each of its accounts, in R$. */
export async function spentThisMonth(ctx: Pick<ReadCtx, 'db' | 'now' | 'settings'>) {
  const rows = await spentSince(ctx.db, monthBegin(ctx.now, ctx.settings.timezone))
  const byAccount = new Map(rows.map(({ accountId, cost }) => [accountId, cost]))
  return { total: rows.reduce((sum, { cost }) => sum + cost, 0), of: (id: number) => byAccount.get(id) ?? 0 }
}

/** Returns the month's number of answers and the plan's limit (0: none). */
export const answersThisMonth = (ctx: Pick<ReadCtx, 'db' | 'now' | 'settings'>) =>
  countAnswers(ctx.db, monthBegin(ctx.now, ctx.settings.timezone))

/** Reason why assistants may not answer this month: error code and text. */
export type UsedUp = { readonly code: 'ERR_ASSISTANT_BUDGET' | 'ERR_MAX_ANSWERS'; readonly text: string }

/** Returns the exceeded monthly limit: the plan's answers, the company's budget or an account's; null if none. */
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

/** Returns the beginning of a day (YYYY-MM-DD) in a zone. */
function dayBegin(day: string, zone: string): Date {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return new Date(momentOf(zone, { year, month, day: date, hour: 0, minute: 0 }))
}

const DAY_MS = 86_400_000

/** Returns the beginning and end of a period of days in a zone; default: the month so far. */
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
