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

/** Fields of the webhook address beside the settings. */
const NAMES = ['webhookUrl', 'refusedCalls', 'unclaimedEvents', 'unreadFields']

const keyOf = ({ tenantId, provider }: ProviderOwner) => ({ ownerId: tenantId ?? null, provider })

/** Creates the webhook address for a provider's settings; it never changes. */
export async function makeWebhook(platform: Platform, of: ProviderOwner): Promise<void> {
  const path = randomBytes(16).toString('base64url')
  const row = { ...keyOf(of), path: encrypt(platform, of, path), path_hash: sha256(path) }
  await platform.db.asPlatform((db) => insertWebhook(db, row))
}

/**
 * Returns the webhook address of a provider's settings (null before it exists), the number of refused signatures and of
 * events of unknown accounts, and unread kinds with counts; nothing for providers that do not call.
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

/** Returns the given values without those that the server adds to an answer, so that a client may send back what it has read. */
export const withoutWebhook = (values: ProviderValues, { webhook }: Settings): ProviderValues =>
  webhook ? Object.fromEntries(Object.entries(values).filter(([name]) => !NAMES.includes(name))) : values

/**
 * Returns the webhook URL for the values that apply to a company, its own or the installation's; null if the provider cannot
 * call it.
 */
export async function callbackOf(platform: Platform, tenantId: number, config: ChannelConfig): Promise<string | null> {
  const { id: provider, settings } = config
  if (!settings?.webhook) return null
  const isOwn = (await platform.db.read(tenantId, (db) => findSettings(db, provider))) !== undefined
  const { webhookUrl } = await readWebhook(platform, isOwn ? { tenantId, provider } : { provider }, settings)
  return typeof webhookUrl === 'string' && webhookUrl.startsWith('http') ? webhookUrl : null
}
