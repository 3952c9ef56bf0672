import type { Permission } from '#kit/permissions.ts'
import { channelTypes } from '#providers/channels/configs.ts'
import { may } from '#server/actors.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { guide, type Step } from '../contract.ts'
import { agentFacts, companyFacts, healthFacts } from './queries.ts'

/** Who is told of which of the company's steps. */
const companySteps = {
  channel: 'connections:write',
  people: 'users:write',
  hours: 'hours:write',
  bot: 'flows:write',
  trial: 'lab:use',
} as const satisfies Partial<Record<Step, Permission>>

type Health = 'pos' | 'warn' | 'neg'

/** The health of each screen that has one, as of what is kept. */
function healthOf(facts: Awaited<ReturnType<typeof healthFacts>>): Record<string, Health> {
  const { linked, away, connected, mail, setAside, proxies, failedProxies, providers } = facts
  const all: Record<string, Health | false> = {
    ...Object.fromEntries(providers.map((provider) => [`/configuracoes/${provider}`, 'pos' as const])),
    ...Object.fromEntries(
      channelTypes().flatMap(({ type, config: { screen } }) =>
        screen && connected.includes(type) ? [[screen, 'pos' as const]] : [],
      ),
    ),
    '/sessoes': linked > 0 && (away === 0 ? 'pos' : away < linked ? 'warn' : 'neg'),
    '/configuracoes/smtp': mail === 'enabled' && 'pos',
    '/configuracoes/proxy': proxies > 0 && (failedProxies === 0 ? 'pos' : 'neg'),
    '/eventos-separados': setAside && 'warn',
  }
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, Health] => entry[1] !== false))
}

const routes = implement(guide, {
  steps: async ({ db, user, settings }) => {
    if (user.profile === 'user') {
      const facts = await agentFacts(db, user.id)
      return { steps: (Object.keys(facts) as (keyof typeof facts)[]).map((step) => ({ step, isDone: facts[step] })) }
    }
    const facts = await companyFacts(db)
    const open = (Object.keys(companySteps) as (keyof typeof companySteps)[]).filter((step) =>
      may(user, settings, companySteps[step]),
    )
    return { steps: open.map((step) => ({ step, isDone: facts[step] })) }
  },
  // Only what is connected or not: names and numbers are for who may open the screen.
  health: async ({ db, user, settings }) => ({
    health: may(user, settings, 'connections:list') ? healthOf(await healthFacts(db)) : {},
  }),
})

/** What somebody does first, and how what is set up is doing. */
export const guideFeature: Feature = {
  name: 'guide',
  titles: { guide: 'Primeiros passos e saúde das telas' },
  routes,
}
