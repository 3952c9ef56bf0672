import { type Limit, warningsOf, warningText } from '#domain/assistants/warnings.ts'
import { mailAdmins } from '#features/connections/server/index.ts'
import { type Ctx, type ReadCtx, unit } from '#server/context.ts'
import { plays } from '#server/env.ts'
import { startLooking } from '#server/looking.ts'
import type { Platform } from '#server/platform.ts'
import { listAccounts } from '#server/providers/queries.ts'
import { assistantEvents } from '../contract.ts'
import { KIND } from './accounts.ts'
import { answersThisMonth, monthOf, spentThisMonth } from './costs.ts'
import { companiesWithCalls, hasWarnings, saveWarnings } from './queries-warnings.ts'

type MonthCtx = Pick<ReadCtx, 'db' | 'now' | 'settings'>

async function limitsOf(ctx: MonthCtx): Promise<Limit[]> {
  const spent = await spentThisMonth(ctx)
  const { answers, most } = await answersThisMonth(ctx)
  const accounts = await listAccounts(ctx.db, KIND)
  return [
    { about: 'answers', used: answers, most },
    { about: 'budget', used: spent.total, most: Number(ctx.settings.values.assistantsBudget) },
    ...accounts.map(
      ({ id, name, config }): Limit => ({
        ...{ about: `account ${id}`, name, used: spent.of(id) },
        most: Number(config['monthlyBudget'] ?? 0),
      }),
    ),
  ]
}

const keyOf = ({ about, level }: { about: string; level: number }) => `${about} ${level}`

/** Returns a company's warnings of this month that still apply. */
export async function currentWarnings(ctx: MonthCtx) {
  const month = monthOf(ctx.now, ctx.settings.timezone)
  if (!(await hasWarnings(ctx.db, month))) return []
  return warningsOf(await limitsOf(ctx)).map((one) => ({
    id: `${month} ${keyOf(one)} ${one.most}`,
    ...warningText(one),
  }))
}

/** Notifies a company's administrators, on screen and by mail, of limits that are nearly or fully used: once each. */
export async function warnCompany(ctx: Ctx): Promise<void> {
  const due = warningsOf(await limitsOf(ctx))
  if (due.length === 0) return
  const fresh = new Set((await saveWarnings(ctx.db, monthOf(ctx.now, ctx.settings.timezone), due, ctx.now)).map(keyOf))
  const published = due.filter((one) => fresh.has(keyOf(one)))
  if (published.length === 0) return
  ctx.emit(assistantEvents.warned, { count: published.length }, { kind: 'permission', permission: 'assistants:write' })
  for (const { title, text } of published.map(warningText))
    await mailAdmins(ctx, {
      title,
      sentences: [text],
      action: { label: 'Ver os custos', path: '/configuracoes/custos-de-ia' },
    })
}

const LOOK_MS = 60_000
// Companies not checked for a while are checked after their next call.
const SINCE_MS = 15 * LOOK_MS

/** Checks the companies whose assistants were called recently. */
export async function lookForWarnings(platform: Platform): Promise<void> {
  const since = new Date(platform.now().getTime() - SINCE_MS)
  for (const tenantId of await platform.db.asPlatform((db) => companiesWithCalls(db, since)))
    await unit(platform, { tenantId, user: null }, warnCompany).catch((err: unknown) =>
      platform.log.warn({ err, tenantId }, 'a company could not be warned of its budget'),
    )
}

/** Starts the check, once a minute; returns a function that stops it. */
export const startWarning = (platform: Platform): (() => Promise<void>) =>
  plays(platform.env, 'worker')
    ? startLooking(platform, { work: lookForWarnings, everyMs: LOOK_MS, complaint: 'budgets could not be looked at' })
    : async () => {}
