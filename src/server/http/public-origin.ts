import { findInDirectory } from '../db/directory.ts'
import type { Platform } from '../platform.ts'
import type { RequestInfo } from './route.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Returns scheme, host and port of addresses in outgoing texts: PUBLIC_URL, else the request's host if it is this machine
 * and the request came from it, or a company's verified domain. Null for a host that anyone could have written.
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
