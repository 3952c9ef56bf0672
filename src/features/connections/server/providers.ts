import { featureOf, includes } from '#domain/access/plan.ts'
import { firstOf, memberOf } from '#domain/present.ts'
import { typeNames } from '#kit/channel-types.ts'
import { fail } from '#kit/errors.ts'
import { NO_VALUES, type ProviderValues, type StoredValues, shownValues, valuesSchema } from '#kit/provider.ts'
import { channelAdapters } from '#providers/channels/adapters.ts'
import { type ChannelConfig, channelConfigs } from '#providers/channels/configs.ts'
import { isSendFailure } from '#providers/channels/port.ts'
import type { Actor } from '#server/actors.ts'
import { unit } from '#server/context.ts'
import { changeInstallation, type Installation } from '#server/db/installation.ts'
import { readInput } from '#server/http/answer-error.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import { storeChannelValues } from '#server/providers/queries.ts'
import { tryProvider } from '#server/providers/trial.ts'
import { providers } from '../providers-contract.ts'
import { PROVIDER_CHANGED, settingsOf, toolsOf } from './adapters.ts'
import { makeWebhook, readWebhook, withoutWebhook } from './provider-webhooks.ts'
import { findAccounts } from './queries.ts'
import { filledChannels, findSettings, lockInstallationSettings, lockSettings, partOf } from './queries-providers.ts'
import { encryptionOf, type Of, type ProviderOwner } from './values.ts'

type Settable = ChannelConfig & Required<Pick<ChannelConfig, 'settings'>>
type Plan = Parameters<typeof includes>[0]

const isSettable = (config: ChannelConfig): config is Settable => config.settings !== undefined
const isIncluded = (plan: Plan, { types }: ChannelConfig): boolean =>
  types.some(({ type }) => includes(plan, featureOf(type)))

/**
 * Returns the provider of an address; 404 if it does not exist or has no common settings, 403 if the plan includes none of
 * its types.
 */
function requireProvider(plan: Plan, id: string): Settable {
  const config = channelConfigs.filter(isSettable).find((one) => one.id === id) ?? fail('ERR_NO_PROVIDER_FOUND')
  return isIncluded(plan, config) ? config : fail('ERR_CHANNEL_NOT_ALLOWED')
}

/** Whether values belong to the installation, because the superadmin fills them in. */
const isOfInstallation = ({ profile }: Actor): boolean => profile === 'superadmin'
const ownerOf = (user: Actor, tenantId: number, provider: string): ProviderOwner =>
  isOfInstallation(user) ? { provider } : { tenantId, provider }

const commonOf = (installation: Installation, provider: string): StoredValues | undefined =>
  installation[partOf(provider)] as StoredValues | undefined

const storedFor = async ({ db, installation }: Platform, user: Actor, tenantId: number, provider: string) =>
  isOfInstallation(user)
    ? commonOf(await installation.get('all'), provider)
    : db.read(tenantId, (within) => findSettings(within, provider))

/** Merges a form with the stored values; a masked secret keeps its stored value and is sent nowhere else. */
function merged(platform: Platform, of: Of, { settings }: Settable, given: ProviderValues, before: StoredValues) {
  const { fields } = settings
  return encryptionOf(platform, of).merge(fields, readInput(valuesSchema(fields), given), before)
}

/** Operations on provider settings: read, save, test. */
export const providerRoutes = implement(providers, {
  list: async ({ db, settings: { plan }, installation, user }) => {
    const own = new Set(isOfInstallation(user) ? [] : await filledChannels(db))
    const sourceOf = (id: string) =>
      own.has(id) ? ('company' as const) : commonOf(installation, id) ? ('installation' as const) : null
    const shown = channelConfigs
      .filter(isSettable)
      .filter((config) => isIncluded(plan, config))
      .map(({ id, settings: { name }, types }) => ({
        ...{ id, name, source: sourceOf(id) },
        types: types.map(({ type }) => type),
      }))
    return { providers: shown.sort((a, b) => a.name.localeCompare(b.name, 'pt-BR')) }
  },
  get: async ({ platform, tenantId, user }, { params: { id } }) => {
    const { settings } = requireProvider((await platform.settings.get(String(tenantId))).plan, id)
    const stored = await storedFor(platform, user, tenantId, id)
    const shown = shownValues(settings.fields, stored ?? NO_VALUES)
    return { ...shown, ...(await readWebhook(platform, ownerOf(user, tenantId, id), settings)) }
  },
  save: async ({ platform, tenantId, user, audit }, { params: { id }, body: given }) => {
    const config = requireProvider((await platform.settings.get(String(tenantId))).plan, id)
    const body = withoutWebhook(given, config.settings)
    const of = ownerOf(user, tenantId, id)
    const { before, after } = isOfInstallation(user)
      ? await platform.db.asPlatform(async (db) => {
          const before = (await lockInstallationSettings(db, id)) ?? NO_VALUES
          const after = merged(platform, of, config, body, before)
          await changeInstallation(db, partOf(id), after)
          return { before, after }
        })
      : await unit(platform, { tenantId, user }, async (ctx) => {
          const before = (await lockSettings(ctx.db, id)) ?? NO_VALUES
          const after = merged(platform, of, config, body, before)
          await storeChannelValues(ctx.db, id, after, ctx.now)
          ctx.stale(`${PROVIDER_CHANGED} ${tenantId}`)
          return { before, after }
        })
    if (isOfInstallation(user)) platform.bus.stale('installation all')
    const { fields } = config.settings
    const shown = shownValues(fields, after)
    audit({ before: shownValues(fields, before), after: shown })
    if (config.settings.webhook) await makeWebhook(platform, of)
    return { ...shown, ...(await readWebhook(platform, of, config.settings)) }
  },
  test: async (ctx, { params: { id }, body }) => {
    const { platform, tenantId, user } = ctx
    const config = requireProvider((await platform.settings.get(String(tenantId))).plan, id)
    await platform.limits.use('providerTest', String(tenantId))
    const owner = isOfInstallation(user) ? null : tenantId
    const form = withoutWebhook(body, config.settings)
    const isGiven = Object.keys(form).length > 0
    const values = isGiven ? await givenValues(ctx, config, form) : await settingsOf(platform, owner, id)
    if (Object.keys(values).length === 0) return { ok: false, text: 'Preencha os campos antes de testar.' }
    return tried(platform, config, values)
  },
  accounts: async ({ platform, tenantId }, { query: { provider } }) => {
    const { id } =
      channelConfigs.find((one) => one.picked && (provider === undefined || one.id === provider)) ??
      fail('ERR_NO_PROVIDER_FOUND')
    const config = requireProvider((await platform.settings.get(String(tenantId))).plan, id)
    await platform.limits.use('providerTest', `${tenantId} accounts`)
    const { accounts, problem } = await accountsOf(platform, config, await settingsOf(platform, tenantId, id))
    const known = await platform.db.read(tenantId, (db) => findAccounts(db, typeNames(config.types)))
    const connected = new Map(known.map((one) => [`${one.type} ${one.account}`, one.id]))
    return {
      accounts: accounts.map(({ account, name, type, values }) => ({
        ...{ account, name, type, values },
        whatsappId: connected.get(`${type} ${account}`) ?? null,
      })),
      problem,
    }
  },
})

async function accountsOf(platform: Platform, { id, types }: Settable, settings: ProviderValues) {
  const adapter = memberOf(channelAdapters, id)({}, { ...toolsOf(platform, firstOf(types).type), settings })
  if (!adapter.accounts) return fail('ERR_NO_PROVIDER_FOUND')
  return adapter.accounts().then(
    (accounts) => ({ accounts, problem: null }),
    (error: unknown) => {
      if (!isSendFailure(error)) throw error
      return { accounts: [], problem: error.message }
    },
  )
}

/** Returns the values of an unsaved form, with secrets in the clear. */
async function givenValues({ platform, tenantId, user }: SlowCtx, config: Settable, body: ProviderValues) {
  const of = ownerOf(user, tenantId, config.id)
  const before = await storedFor(platform, user, tenantId, config.id)
  return encryptionOf(platform, of).plain(merged(platform, of, config, body, before ?? NO_VALUES))
}

/** Tests values at the provider and returns the result as a sentence. */
async function tried(platform: Platform, config: Settable, settings: ProviderValues) {
  const adapter = memberOf(channelAdapters, config.id)(
    {},
    { ...toolsOf(platform, firstOf(config.types).type), settings },
  )
  if (!adapter.testSettings) return { ok: false, text: 'Este provedor não tem teste: conecte um canal para saber.' }
  const ask = () => adapter.testSettings!()
  return tryProvider(platform, config.id, ask, (error) => (isSendFailure(error) ? error.message : null))
}
