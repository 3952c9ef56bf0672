import { publicLink } from '#features/mail/server/index.ts'
import { fail } from '#kit/errors.ts'
import { paymentsAdapter } from '#providers/payments/adapters.ts'
import { isTestKey, paymentsConfig } from '#providers/payments/configs.ts'
import { type PaymentsAdapter, PaymentsFailure } from '#providers/payments/port.ts'
import { changeInstallation } from '#server/db/installation.ts'
import { textsOfEnv } from '#server/env.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { EVERYWHERE } from '#server/outbound.ts'
import type { Platform } from '#server/platform.ts'
import { type EncryptedSecret, encryptionAt, settingsWithSecret } from '#server/providers/encryption.ts'
import { guardedFetch } from '#server/providers/guarded-fetch.ts'
import { isSameText, newToken, sha256 } from '#server/secrets.ts'
import type { BillingAccount } from '../contract.ts'
import { anySubscription, emailOfUser } from './queries.ts'

const PART = 'billing'
const SECRET = 'asaasToken'
const WEBHOOK = '/api/asaas/webhook'
const ANSWER_MS = 20_000
const MOST_BYTES = 8 * 1024 * 1024

/** Stored account; `webhookHash` is the hash (hex) of the token in the webhook's header. */
type Stored = Required<EncryptedSecret> & {
  readonly isSandbox: boolean
  readonly webhookHash: string
  readonly webhookProblem: string | null
}

const secret = settingsWithSecret(paymentsConfig.fields, SECRET)
const encryption = (platform: Platform) => encryptionAt(platform, 'installation/billing')
const storedOf = async ({ installation }: Platform): Promise<Stored | null> =>
  ((await installation.get('all'))[PART] as Stored | undefined) ?? null

/** Whether an account is connected. */
export const isConnected = async (platform: Platform): Promise<boolean> => (await storedOf(platform)) !== null

/** Returns the account for display. */
export async function shownAccount(platform: Platform): Promise<BillingAccount> {
  const stored = await storedOf(platform)
  return {
    hint: stored?.hint ?? null,
    isSandbox: stored?.isSandbox ?? false,
    webhookUrl: publicLink(platform, WEBHOOK),
    webhookProblem: stored?.webhookProblem ?? null,
  }
}

function adapterFor(platform: Platform, key: string): PaymentsAdapter {
  return paymentsAdapter(
    { [SECRET]: key },
    {
      fetch: guardedFetch({ allow: EVERYWHERE }, { answerMs: ANSWER_MS, maxBytes: MOST_BYTES }),
      environment: textsOfEnv(platform.env, paymentsConfig.environment),
    },
  )
}

/** Returns the adapter of the connected account; fails with ERR_ASAAS_ACCOUNT without one. */
export async function adapterOf(platform: Platform): Promise<PaymentsAdapter> {
  const stored = (await storedOf(platform)) ?? fail('ERR_ASAAS_ACCOUNT')
  return adapterFor(platform, String(secret.plain(encryption(platform), stored)[SECRET] ?? ''))
}

/** Runs calls to Asaas for a user: a failed one fails with Asaas' own sentence. */
export async function asking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof PaymentsFailure)) throw error
    if (error.problem === 'later') return fail('ERR_ASAAS_LATER')
    return fail('ERR_ASAAS_REFUSED', { reason: error.message })
  }
}

/** Connects an account: the key is checked at Asaas and stored, then the webhook is registered there. */
export async function saveAccount({ platform, user, audit }: SlowCtx, key: string): Promise<BillingAccount> {
  const adapter = adapterFor(platform, key)
  await asking(() => adapter.check())
  const known = await platform.db.askAsPlatform(anySubscription)
  if (known && !(await asking(() => adapter.hasSubscription(known))))
    fail('ERR_VALIDATION', { asaasToken: 'Esta chave é de outra conta: a que cobra as empresas de hoje não é ela.' })
  const token = newToken()
  const before = await storedOf(platform)
  const merged = secret.merge(encryption(platform), null, {}, { entered: key, isActive: true })
  const next: Stored = {
    ...merged,
    isSandbox: isTestKey(key),
    webhookHash: sha256(token).toString('hex'),
    webhookProblem: 'Ainda não registrado.',
  }
  // Stored first: Asaas may report at once.
  await store(platform, next)
  const webhookProblem = await register(platform, adapter, {
    token,
    email: await platform.db.read(user.tenantId, (db) => emailOfUser(db, user.id)),
  })
  await store(platform, { ...next, webhookProblem })
  audit({ before: { hint: before?.hint ?? null }, after: { hint: next.hint, isSandbox: next.isSandbox } })
  return shownAccount(platform)
}

async function store(platform: Platform, account: Stored): Promise<void> {
  await platform.db.asPlatform((db) => changeInstallation(db, PART, account))
  platform.bus.stale('installation all')
}

/** Registers the webhook; returns why it is not registered, null if it is. */
async function register(
  platform: Platform,
  adapter: PaymentsAdapter,
  of: { readonly token: string; readonly email: string },
): Promise<string | null> {
  const url = publicLink(platform, WEBHOOK)
  if (!url.startsWith('https://')) return 'O Asaas só avisa endereços https: defina PUBLIC_URL e salve de novo.'
  try {
    await adapter.saveWebhook({ url, ...of })
    return null
  } catch (error) {
    if (error instanceof PaymentsFailure) return error.message
    throw error
  }
}

/** Whether a request of the webhook has the token that was given to Asaas. */
export async function isFromAsaas(platform: Platform, token: string | null): Promise<boolean> {
  const stored = await storedOf(platform)
  return stored !== null && token !== null && isSameText(sha256(token).toString('hex'), stored.webhookHash)
}
