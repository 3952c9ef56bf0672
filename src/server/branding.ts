import { type ColorMaps, colorMaps } from '#kit/colors.ts'
import { type AsyncCache, asyncCache } from './cache.ts'
import { findInDirectory } from './db/directory.ts'
import type { Platform } from './platform.ts'

const owners = new WeakMap<Platform, AsyncCache<number | null>>()
/** Time after which a domain that was just assigned to a company is found. */
const DOMAIN_TTL_MS = 60_000

/**
 * Returns the colours of a page before login: those of the company of the visitor's domain, else the installation's
 * (decision B2). Unreadable colours are ignored.
 */
export async function colorsOfHost(platform: Platform, host: string): Promise<ColorMaps> {
  const known = owners.get(platform) ?? ownersOf(platform)
  owners.set(platform, known)
  const tenantId = await known.get(host.toLowerCase().slice(0, 253))
  const read = colorMaps.safeParse(
    tenantId === null
      ? (await platform.installation.get('all'))['colors']
      : JSON.parse((await platform.settings.get(String(tenantId))).values.systemColors),
  )
  return read.success ? read.data : []
}

const ownersOf = (platform: Platform) =>
  asyncCache(
    async (host) => {
      const found = await platform.db.asPlatform((db) => findInDirectory(db, 'domain', host))
      return found?.status === 'active' ? found.tenant_id : null
    },
    1000,
    DOMAIN_TTL_MS,
  )
