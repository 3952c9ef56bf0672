import { fail } from '#kit/errors.ts'
import { changeInstallation } from '#server/db/installation.ts'
import type { Feature } from '#server/feature.ts'
import { implement, type Route } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import { type IsolationResult, isolation, isolationResult } from '../contract.ts'
import { attack } from './attack.ts'

const STORED_AS = 'isolation'

// The routes to attack, set when the server is built.
const known = new WeakMap<Platform['db'], readonly Route[]>()
const running = new WeakSet<Platform['db']>()

const routes = implement(isolation, {
  last: async ({ platform }) => {
    const saved = (await platform.installation.get('all'))[STORED_AS]
    return { last: saved ? isolationResult.parse(saved) : null }
  },
  run: async ({ platform, user, now, audit }) => {
    if (running.has(platform.db)) return fail('ERR_IN_PROGRESS')
    running.add(platform.db)
    try {
      const found = await attack(platform, known.get(platform.db) ?? [])
      const result: IsolationResult = { at: now.toISOString(), by: user.name, ...found }
      await platform.db.asPlatform((db) => changeInstallation(db, STORED_AS, result))
      platform.bus.stale('installation all')
      audit({ after: { probes: found.probes, leaks: found.leaks.length } })
      return result
    } finally {
      running.delete(platform.db)
    }
  },
})

/** Server part of the feature `isolation`: checks of the isolation between tenants on the running installation. */
export const isolationFeature: Feature = {
  name: 'isolation',
  titles: { isolation: 'Isolamento entre empresas' },
  routes,
  attach: (platform, parts) => void known.set(platform.db, parts.routes),
}
