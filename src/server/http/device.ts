import type { Platform } from '../platform.ts'
import { newToken } from '../secrets.ts'
import { networkOf } from './rate-limits.ts'
import type { RequestInfo } from './route.ts'

const COOKIE = 'guiche_device'
const PATH = '/api'
const BOUND_TO = 'cookie/device'
const LIFETIME_SECONDS = 365 * 24 * 3600
const MOST_ACCOUNTS = 10

/** Account as a device remembers it; a link for a new password makes the account forget every device. */
export type Account = { tenantId: number; userId: number; tokenVersion: number }

/** Origin of a login attempt; `isKnown`: the browser was logged in to this account before. */
export type Source = { key: string; isKnown: boolean }

type Device = { id: string; accounts: string[] }

const nameOf = ({ tenantId, userId, tokenVersion }: Account): string => `${tenantId}:${userId}:${tokenVersion}`

function readDevice({ secrets }: Pick<Platform, 'secrets'>, request: RequestInfo): Device | null {
  const cookie = request.cookies[COOKIE]
  try {
    return cookie ? (JSON.parse(secrets.decrypt(cookie, BOUND_TO)) as Device) : null
  } catch {
    return null
  }
}

/** Returns the key that login attempts are counted under: the device where it knows the account, else its network. */
export function sourceOf(platform: Pick<Platform, 'secrets'>, request: RequestInfo, account: Account | null): Source {
  const device = readDevice(platform, request)
  return device && account && device.accounts.includes(nameOf(account))
    ? { key: `device ${device.id}`, isKnown: true }
    : { key: networkOf(request.ip), isKnown: false }
}

/** Remembers in an encrypted cookie that this browser was logged in to an account: the last ten are kept. */
export function rememberDevice(platform: Pick<Platform, 'secrets'>, request: RequestInfo, account: Account): void {
  const { id, accounts } = readDevice(platform, request) ?? { id: newToken(), accounts: [] }
  const name = nameOf(account)
  const own = `${account.tenantId}:${account.userId}:`
  const device: Device = {
    id,
    accounts: [name, ...accounts.filter((one) => !one.startsWith(own))].slice(0, MOST_ACCOUNTS),
  }
  request.setCookie(COOKIE, platform.secrets.encrypt(JSON.stringify(device), BOUND_TO), {
    path: PATH,
    maxAgeSeconds: LIFETIME_SECONDS,
  })
}
