import { assistantScreens } from '#domain/assistants/names.ts'
import { keysIn } from '#domain/keys.ts'
import type { Permission } from '#kit/permissions.ts'
import { channelConfigs, channelType, settingsIdOf } from '#providers/channels/configs.ts'
import { may } from '#server/actors.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { guide, type Step } from '../contract.ts'
import { agentFacts, companyFacts, healthFacts } from './queries.ts'

/** Permission required for each of the company's steps. */
const companySteps = {
  channel: 'connections:write',
  people: 'users:write',
  hours: 'hours:write',
  bot: 'flows:write',
  trial: 'lab:use',
} as const satisfies Partial<Record<Step, Permission>>

type Health = 'pos' | 'warn' | 'neg'

type Count = { readonly up: number; readonly away: number }

/** Computes the health of a set of items: good only if all are known to work, false (no mark) without evidence. */
function toneOf(some: readonly Count[]): Health | false {
  const [up, away] = [some.reduce((sum, one) => sum + one.up, 0), some.reduce((sum, one) => sum + one.away, 0)]
  if (away === 0) return up > 0 && 'pos'
  return up > 0 ? 'warn' : 'neg'
}

/** Returns the channel on whose settings screen connections of a type are configured; null if none. */
function settingsOfType(type: string): string | null {
  const known = channelType(type)
  return known ? settingsIdOf(known.config) : null
}

/** Computes the health of each screen from stored facts. */
function healthOf(facts: Awaited<ReturnType<typeof healthFacts>>): Record<string, Health> {
  const { channels, assistants, mail, setAside, proxiesUp, proxiesAway } = facts
  const all: Record<string, Health | false> = {
    ...Object.fromEntries(
      channelConfigs.flatMap(({ id, screen, settings }) => {
        const path = screen ?? (settings && `/configuracoes/${id}`)
        return path ? [[path, toneOf(channels.filter(({ type }) => settingsOfType(type) === id))]] : []
      }),
    ),
    ...Object.fromEntries(
      assistantScreens.map(({ id, path }) => [path, toneOf(assistants.filter(({ provider }) => provider === id))]),
    ),
    '/sessoes': toneOf(channels),
    '/configuracoes/smtp': mail === 'enabled' && 'pos',
    '/configuracoes/proxy': toneOf([{ up: proxiesUp, away: proxiesAway }]),
    '/eventos-separados': setAside && 'warn',
  }
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, Health] => entry[1] !== false))
}

const routes = implement(guide, {
  steps: async ({ db, user, settings }) => {
    if (user.profile === 'user') {
      const facts = await agentFacts(db, user.id)
      return { steps: keysIn(facts).map((step) => ({ step, isDone: facts[step] })) }
    }
    const facts = await companyFacts(db)
    const open = keysIn(companySteps).filter((step) => may(user, settings, companySteps[step]))
    return { steps: open.map((step) => ({ step, isDone: facts[step] })) }
  },
  // Returns states only; names and counts require access to the screen.
  health: async ({ db, user, settings }) => ({
    health: may(user, settings, 'connections:list') ? healthOf(await healthFacts(db)) : {},
  }),
})

/** Server part of the feature `guide`: first steps of users, and health of the set-up. */
export const guideFeature: Feature = {
  name: 'guide',
  titles: { guide: 'Primeiros passos e saúde das telas' },
  routes,
}
