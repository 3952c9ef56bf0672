import { randomBytes } from 'node:crypto'
import type { ProviderValues } from '#kit/provider.ts'
import type { ChannelConfig } from '#providers/channels/configs.ts'
import type { Platform } from '#server/platform.ts'
import { sha256 } from '#server/secrets.ts'
import { findWebhook, insertWebhook } from './queries-provider-webhooks.ts'
import { findSettings } from './queries-providers.ts'
import { unreadText } from './queries-unread.ts'
import { decrypt, encrypt, type ProviderOwner } from './values.ts'

type Settings = Required<ChannelConfig>['settings']

/** The names by which what is known of the address stands beside what was filled in. */
const NAMES = ['webhookUrl', 'refusedCalls', 'unclaimedEvents', 'unreadFields']

const keyOf = ({ tenantId, provider }: ProviderOwner) => ({ ownerId: tenantId ?? null, provider })

/** Gives whoever filled in a provider's settings the address that it calls; it stays the same from then on. */
export async function makeWebhook(platform: Platform, of: ProviderOwner): Promise<void> {
  const path = randomBytes(16).toString('base64url')
  const row = { ...keyOf(of), path: encrypt(platform, of, path), path_hash: sha256(path) }
  await platform.db.asPlatform((db) => insertWebhook(db, row))
}

/**
 * The address that a provider calls for whoever filled in its settings (null before), how many calls were refused for their
 * signature, how many events were of accounts that nobody has connected, and what came that is of no kind that is read, with how
 * often; nothing where the provider calls no such address.
 */
export async function readWebhook(
  platform: Platform,
  of: ProviderOwner,
  { webhook }: Settings,
): Promise<ProviderValues> {
  if (!webhook) return {}
  const row = await platform.db.asPlatform((db) => findWebhook(db, keyOf(of)))
  const origin = platform.env.PUBLIC_URL?.replace(/\/$/, '') ?? ''
  return {
    webhookUrl: row ? `${origin}/api/hooks/${decrypt(platform, of, row.path)}` : null,
    refusedCalls: Number(row?.refused_calls ?? 0),
    unclaimedEvents: Number(row?.unclaimed_events ?? 0),
    unreadFields: unreadText(row?.unread),
  }
}

/** What was filled in, without what was answered beside it: what was read may be sent back. */
export const withoutWebhook = (values: ProviderValues, { webhook }: Settings): ProviderValues =>
  webhook ? Object.fromEntries(Object.entries(values).filter(([name]) => !NAMES.includes(name))) : values

/** The address that a provider calls for the values that apply to a company, its own or the installation's; null where it cannot be called. */
export async function callbackOf(platform: Platform, tenantId: number, config: ChannelConfig): Promise<string | null> {
  const { id: provider, settings } = config
  if (!settings?.webhook) return null
  const isOwn = (await platform.db.read(tenantId, (db) => findSettings(db, provider))) !== undefined
  const { webhookUrl } = await readWebhook(platform, isOwn ? { tenantId, provider } : { provider }, settings)
  return typeof webhookUrl === 'string' && webhookUrl.startsWith('http') ? webhookUrl : null
}
