import { present } from '#domain/present.ts'
import { verifyAudit } from '#server/audit-verify.ts'
import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import { audit } from '../contract.ts'
import { permissions } from '../permissions.ts'
import { listAudit, listOptions } from './list.ts'
import { maintainAudit } from './maintain.ts'

const MAINTAIN_FIRST_MS = 5 * 60_000
const MAINTAIN_EVERY_MS = 24 * 3600_000

const check = async ({ db, secrets }: Platform, chain: number | 'platform') => {
  const [checked] = await db.asPlatform((tx) => verifyAudit(tx, secrets, chain))
  return { records: present(checked).records, faults: [...present(checked).faults] }
}

const routes = implement(audit, {
  list: ({ db, settings }, { query }) => listAudit(db, 'company', query, settings.timezone),
  options: ({ db }, { query }) => listOptions(db, 'company', query),
  verify: ({ platform, tenantId }) => check(platform, tenantId),
  platformList: async ({ platform, tenantId }, { query }) => {
    const { timezone } = await platform.settings.get(String(tenantId))
    return platform.db.asPlatform((db) => listAudit(db, 'installation', query, timezone))
  },
  platformOptions: ({ platform }, { query }) => platform.db.asPlatform((db) => listOptions(db, 'installation', query)),
  platformVerify: ({ platform }) => check(platform, 'platform'),
})

/** Server part of the feature `audit`: the audit log: reading, verification, retention. */
export const auditFeature: Feature = {
  name: 'audit',
  titles: { audit: 'Auditoria' },
  permissions,
  routes,
  start: (platform) => {
    if (!plays(platform.env, 'worker')) return async () => {}
    const maintain = () =>
      maintainAudit(platform).catch((err: unknown) => platform.log.error({ err }, 'audit upkeep failed'))
    const first = setTimeout(maintain, MAINTAIN_FIRST_MS).unref()
    const timer = setInterval(maintain, MAINTAIN_EVERY_MS).unref()
    return async () => {
      clearTimeout(first)
      clearInterval(timer)
    }
  },
}
