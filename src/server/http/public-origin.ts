import { findInDirectory } from '../db/directory.ts'
import type { Platform } from '../platform.ts'
import type { RequestInfo } from './route.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Scheme, host and port of the addresses that leave the product: PUBLIC_URL, else what the request names, if that is this
 * machine, and the request came from it, or a company's own domain, which the superadmin has verified. Null for a host that anybody could have written.
 */
export async function publicOrigin(
  { env, db }: Platform,
  { host, origin, isLocal }: Pick<RequestInfo, 'host' | 'origin' | 'isLocal'>,
): Promise<string | null> {
  if (env.PUBLIC_URL) return env.PUBLIC_URL.replace(/\/$/, '')
  const name = host.toLowerCase()
  if (LOOPBACK.test(name)) return isLocal ? origin : null
  return (await db.askAsPlatform((tx) => findInDirectory(tx, 'domain', name))) ? origin : null
}
