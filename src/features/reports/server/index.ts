import { localTime, offsetMinutes } from '#domain/calendar/local-time.ts'
import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { startLooking } from '#server/looking.ts'
import type { Platform } from '#server/platform.ts'
import { namedReports, reports } from '../contract.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { plan } from '../plan.ts'
import { listReported } from './contacts.ts'
import { exportReport } from './export.ts'
import { findState, workingTenants } from './queries.ts'
import { listRows, periodFrom } from './rows.ts'
import { peopleOf, statisticsRoutes } from './statistics.ts'
import { prove, storeCompany } from './store.ts'
import { detailsOf, summarize } from './summaries.ts'
import { mailDue, viewRoutes } from './views.ts'

export { storeCompany } from './store.ts'

const FIRST_MS = 5 * 60_000
const EVERY_MS = 30 * 60_000
const MAILED_EVERY_MS = 60_000
/** Hour of the night from which on the proof runs, in the company's time zone. */
const PROVED_FROM = 2
const DAY_MS = 86_400_000

const routes = implement(reports, {
  proof: async ({ db }) => {
    const state = await findState(db)
    return {
      at: state?.provedAt ?? null,
      days: state?.provedDays ?? 0,
      figures: state?.provedFigures ?? 0,
      differences: state?.differences ?? [],
    }
  },
  prove: async (ctx) => {
    await storeFirst(ctx.platform, ctx.tenantId)
    const proof = await prove(ctx.platform, ctx.tenantId)
    ctx.audit({ after: { days: proof.days, figures: proof.figures, differences: proof.differences.length } })
    return proof
  },
  rows: (ctx, { query }) => listRows(ctx, query),
})

const namedRoutes = implement(namedReports, {
  tickets: (ctx, { query }) => listRows(ctx, query),
  contacts: (ctx, { query }) => listReported(ctx, query),
  users: (ctx, { query }) => peopleOf(ctx, periodFrom(query)),
  summaries: (ctx, { query }) => summarize(ctx, query),
  details: (ctx, { query }) => detailsOf(ctx, query),
  export: async (ctx, { body }) => {
    ctx.audit({ after: { report: body.report, format: body.format } })
    return exportReport(ctx, body)
  },
})

// Figures must be stored before they can be proved.
async function storeFirst(platform: Platform, tenantId: number): Promise<void> {
  const state = await platform.db.read(tenantId, findState)
  if (!state) await storeCompany(platform, tenantId)
}

/** Stores past days of every tenant, and proves them once a night; safe to run in several processes. */
async function storeAll(platform: Platform, signal: AbortSignal): Promise<void> {
  for (const { id, provedAt } of await platform.db.askAsPlatform(workingTenants)) {
    if (signal.aborted) return
    await storeCompany(platform, id).catch((err: unknown) =>
      platform.log.warn({ err, tenantId: id }, 'figures of reports were not stored'),
    )
    const { timezone } = await platform.settings.get(String(id))
    const now = platform.now().getTime()
    const { hour } = localTime(now, offsetMinutes(timezone, now))
    const age = now - (provedAt?.getTime() ?? 0)
    if (age > DAY_MS * 1.5 || (age > DAY_MS / 2 && hour >= PROVED_FROM && hour < PROVED_FROM + 4))
      await prove(platform, id).catch((err: unknown) =>
        platform.log.warn({ err, tenantId: id }, 'figures of reports were not proved'),
      )
  }
}

/** Reports feature: measures, stored figures with their proof, and the tickets behind them. */
export const reportsFeature: Feature = {
  name: 'reports',
  titles: {
    reports: 'Relatórios: prova e atendimentos',
    statistics: 'Relatórios: números do painel',
    namedReports: 'Relatórios',
    reportViews: 'Relatórios salvos',
  },
  permissions,
  plan,
  errors,
  routes: [...routes, ...statisticsRoutes, ...namedRoutes, ...viewRoutes],
  start: (platform) => {
    if (!plays(platform.env, 'worker')) return async () => {}
    const stopping = new AbortController()
    let round = Promise.resolve()
    const begin = () => {
      round = round
        .then(() => storeAll(platform, stopping.signal))
        .catch((err: unknown) => platform.log.warn({ err }, 'figures of reports were not stored'))
    }
    const first = setTimeout(begin, FIRST_MS).unref()
    const timer = setInterval(begin, EVERY_MS).unref()
    const complaint = 'reports were not sent by mail'
    const stopMailing = startLooking(platform, { work: mailDue, everyMs: MAILED_EVERY_MS, complaint })
    return async () => {
      clearTimeout(first)
      clearInterval(timer)
      stopping.abort()
      await Promise.all([round, stopMailing()])
    }
  },
}
