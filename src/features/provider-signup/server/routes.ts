import { featureOf, includes } from '#domain/access/plan.ts'
import { firstOf, memberOf, present } from '#domain/present.ts'
import {
  createConnection,
  findByAccount,
  readConnection,
  saveConnection,
  settingsOf,
  startConnection,
  toolsOf,
} from '#features/connections/server/index.ts'
import { adapterOf } from '#features/ledger/server/ports/index.ts'
import { fail, required } from '#kit/errors.ts'
import { channelAdapters } from '#providers/channels/adapters.ts'
import { type ChannelConfig, channelConfigs } from '#providers/channels/configs.ts'
import { type GrantedAccount, isSendFailure, type SignupDesk } from '#providers/channels/port.ts'
import { unit } from '#server/context.ts'
import { implement, type RequestInfo, type SlowCtx } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import { encryptionAt } from '#server/providers/encryption.ts'
import { findSignup, saveAccounts } from '#server/providers/queries-sign-ins.ts'
import { backTo, makeState, noteState, takenState, verifierOf } from '#server/providers/sign-in.ts'
import { providerSignups } from '../contract.ts'

/** Time after a login in which its accounts may be connected. */
const CHOICE_MS = 3_600_000

/** Routes of provider logins. */
export const signupRoutes = implement(providerSignups, {
  begin: async (ctx, { body: { provider, login: wanted }, request }) => {
    const { platform, tenantId } = ctx
    const config = await requireProvider(ctx, provider)
    await platform.limits.use('providerTest', `${tenantId} signup`)
    const login = loginOf(config, wanted)
    // The page to which it leads back, and the login, are read in it: only the whole of it is known again.
    const { state, challenge } = makeState(platform, [provider, login])
    const desk = await deskOf(platform, tenantId, config)
    const url = desk.address({ login, state, challenge, back: await backOf(platform, request, config) })
    if (url === null) return fail('ERR_SIGNUP_SETTINGS')
    await noteState(ctx, provider, state)
    return { url }
  },
  finish: async (ctx, { body: { state, code }, request }) => {
    const { platform, tenantId, user, now } = ctx
    const { id, provider } = required(await takenState(ctx, state), 'ERR_SIGNUP_STATE')
    const config = channelConfigs.find((one) => one.id === provider) ?? fail('ERR_SIGNUP_STATE')
    const desk = await deskOf(platform, tenantId, config)
    const accounts = await asked(
      desk.exchange({
        ...{ login: loginOf(config, state.split('.')[1]), code },
        ...{ back: await backOf(platform, request, config), verifier: verifierOf(platform, state) },
      }),
    )
    const encrypted = encryption(platform, tenantId, id).encrypt(JSON.stringify(accounts))
    await unit(platform, { tenantId, user }, ({ db }) =>
      saveAccounts(db, id, encrypted, new Date(now.getTime() + CHOICE_MS)),
    )
    return { id, accounts: await Promise.all(accounts.map((one) => shown(ctx, config, one))) }
  },
  connect: async (ctx, { params: { id }, body: { account, name, queueId, pin } }) => {
    const { platform, tenantId, user, now } = ctx
    const signup = required(
      await platform.db.read(tenantId, (db) => findSignup(db, id, { userId: user.id, now })),
      'ERR_NO_SIGNUP_FOUND',
    )
    const accounts: GrantedAccount[] = JSON.parse(encryption(platform, tenantId, id).decrypt(signup.accounts!))
    const chosen = required(
      accounts.find((one) => one.account === account),
      'ERR_NO_SIGNUP_FOUND',
    )
    const { type, values: config } = chosen
    const whatsappId = await unit(platform, { tenantId, user }, async (within) => {
      const known = await findByAccount(within.db, [type], account)
      const of = known
        ? await saveConnection(within, known.id, {
            config: { ...(await readConnection(within, known.id)).config, ...config },
          })
        : await createConnection(within, { ...PLAIN, type, name, queueId, config })
      return of.id
    })
    await startConnection(ctx, whatsappId)
    return { whatsappId, problem: pin ? await register(ctx, whatsappId, pin) : null }
  },
})

const PLAIN = {
  destroyMessage: 'disabled',
  disableExternalIntegration: 'disabled',
  ignoreBussinesHours: 'disabled',
  wordlist: 'disabled',
  proxyId: null,
  chatFlowId: null,
  closeKeyWord: '',
  farewellMessage: '',
} as const

const encryption = (platform: Platform, tenantId: number, id: number) =>
  encryptionAt(platform, `${tenantId}/provider_signups/${id}`)

/** Returns the provider of a login; throws unless the plan has one of its types. */
async function requireProvider({ platform, tenantId }: SlowCtx, id: string): Promise<ChannelConfig> {
  const config = channelConfigs.find((one) => one.id === id && one.settings?.signup)
  if (!config) return fail('ERR_NO_PROVIDER_FOUND')
  const { plan } = await platform.settings.get(String(tenantId))
  return config.types.some(({ type }) => includes(plan, featureOf(type))) ? config : fail('ERR_CHANNEL_NOT_ALLOWED')
}

function loginOf({ settings }: ChannelConfig, wanted: string | undefined): string {
  const logins = Object.keys(present(present(settings).signup).logins)
  const login = wanted ?? logins[0]
  return login !== undefined && logins.includes(login) ? login : fail('ERR_NO_PROVIDER_FOUND')
}

async function deskOf(platform: Platform, tenantId: number, { id, types }: ChannelConfig): Promise<SignupDesk> {
  const settings = await settingsOf(platform, tenantId, id)
  const adapter = memberOf(channelAdapters, id)({}, { ...toolsOf(platform, firstOf(types).type), settings })
  return adapter.signup ?? fail('ERR_SIGNUP_SETTINGS')
}

const backOf = async (platform: Platform, request: RequestInfo, { id, settings }: ChannelConfig): Promise<string> =>
  required(await backTo(platform, request, settings?.signup?.back ?? `/configuracoes/${id}`), 'ERR_SIGNUP_ORIGIN')

async function shown({ platform, tenantId }: SlowCtx, { types }: ChannelConfig, one: GrantedAccount) {
  const known = await platform.db.read(tenantId, (db) =>
    findByAccount(
      db,
      types.map(({ type }) => type),
      one.account,
    ),
  )
  const { account, type, name, label } = one
  return { account, type, name, label, whatsappId: known?.id ?? null }
}

// The number is connected all the same: it can be registered later.
async function register({ platform, tenantId }: SlowCtx, id: number, pin: string): Promise<string | null> {
  try {
    await (await adapterOf(platform, tenantId, id)).numbers?.register(pin)
    return null
  } catch (error) {
    if (!isSendFailure(error)) throw error
    return error.message
  }
}

// Converts a provider's refusal to an error with the adapter's text.
const asked = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (!isSendFailure(error)) throw error
    return fail('ERR_SIGNUP_REFUSED', { reason: error.message })
  })
