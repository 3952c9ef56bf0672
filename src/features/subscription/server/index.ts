import { answersThisMonth } from '#features/assistants/server/index.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { countOf } from '#server/paging.ts'
import { subscription } from '../contract.ts'
import { databaseFacts, tenantLimits } from './queries.ts'

function describe(counted: number, one: string, many: string): string {
  const { count, countIsCapped } = countOf(counted)
  return countIsCapped ? `mais de ${count} ${many}` : `${count} ${count === 1 ? one : many}`
}

const routes = implement(subscription, {
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
            facts.waiting === 0
              ? 'nada esperando'
              : describe(facts.waiting, 'mensagem esperando', 'mensagens esperando'),
        },
        {
          name: 'Envios',
          ok: facts.stuck === 0,
          detail:
            facts.stuck === 0 ? 'nenhum parado' : `${describe(facts.stuck, 'parado', 'parados')} há mais de 5 minutos`,
        },
      ],
      limits: await platform.db.read(tenantId, async (db) => {
        const { answers, most } = await answersThisMonth({ db, now, settings })
        return { ...(await tenantLimits(db)), assistantAnswers: answers, maxAssistantAnswers: most }
      }),
    }
  },
})

/** Server part of the feature `subscription`: the company's plan, and the state of the installation. */
export const subscriptionFeature: Feature = {
  name: 'subscription',
  titles: { subscription: 'Assinatura e saúde da instalação' },
  routes,
}
