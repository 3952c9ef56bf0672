import { type ColorMaps, colorMaps } from '#kit/colors.ts'
import { type AsyncCache, asyncCache } from './cache.ts'
import { findInDirectory } from './db/directory.ts'
import type { Platform } from './platform.ts'

const owners = new WeakMap<Platform, AsyncCache<number | null>>()
/** A domain that was just given to a company is known so much later. */
const DOMAIN_TTL_MS = 60_000

/**
 * The colours that a page starts with before anyone has entered: those of the company whose domain the visitor came by,
 * else the installation's (decision B2). Colours that cannot be read are none.
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
