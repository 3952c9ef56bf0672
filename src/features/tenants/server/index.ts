import { saveSettings } from '#features/settings/server/index.ts'
import { colorsOfHost } from '#server/branding.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { tenants } from '../contract.ts'
import { errors } from '../errors.ts'
import { settings } from '../settings.ts'
import { companyRoutes } from './companies.ts'
import { databaseFacts, tenantLimits } from './queries.ts'

export { checkPlan } from './plan.ts'
export { claimOwnership, createTenant, setOwner } from './queries.ts'
export { endTrials } from './queries-companies.ts'
export { trialEnd } from './trial.ts'

const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`

const routes = implement(tenants, {
  publicColors: ({ platform }, { request }) => colorsOfHost(platform, request.host),
  colors: ({ settings }) => JSON.parse(settings.values.systemColors),
  setColors: async (ctx, { body }) => {
    await saveSettings(ctx, { systemColors: JSON.stringify(body) })
    return body
  },
  version: async ({ platform, tenantId, now }) => {
    const started = performance.now()
    const facts = await platform.db.read(tenantId, (db) => databaseFacts(db, now))
    const databaseMs = Math.round(performance.now() - started)
    const settings = await platform.settings.get(String(tenantId))
    return {
      version: platform.version,
      node: process.version,
      database: facts.version,
      uptimeSeconds: Math.round(process.uptime()),
      tenantName: settings.tenantName,
      checks: [
        { name: 'Banco de dados', ok: true, detail: `respondeu em ${databaseMs} ms` },
        {
          name: 'Fila de entrada',
          ok: facts.waiting < 1000,
          detail:
            facts.waiting === 0 ? 'nada esperando' : count(facts.waiting, 'mensagem esperando', 'mensagens esperando'),
        },
        {
          name: 'Envios',
          ok: facts.stuck === 0,
          detail:
            facts.stuck === 0 ? 'nenhum parado' : `${count(facts.stuck, 'parado', 'parados')} há mais de 5 minutos`,
        },
      ],
      limits: await platform.db.read(tenantId, tenantLimits),
    }
  },
})

/** The company itself, and the companies of the installation. */
export const tenantsFeature: Feature = {
  name: 'tenants',
  titles: { companies: 'Empresas', tenants: 'Empresa: cores e assinatura' },
  settings,
  errors,
  routes: [...routes, ...companyRoutes],
  constraints: { tenants_plan_id_fkey: 'ERR_NO_PLAN_FOUND' },
}
