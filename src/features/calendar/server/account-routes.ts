import { ownMember } from '#domain/keys.ts'
import type { Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { maskOf } from '#kit/fields/secret.ts'
import { CalendarFailure } from '#providers/calendars/port.ts'
import { type Ctx, type ReadCtx, unit } from '#server/context.ts'
import { lockCount } from '#server/db/caps.ts'
import { publicOrigin } from '#server/http/public-origin.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import type { ShownAccount } from '#server/providers/accounts.ts'
import { findAccount } from '#server/providers/queries.ts'
import { backTo, makeState, noteState, takenState, verifierOf } from '#server/providers/sign-in.ts'
import { calendarAccounts } from '../contract.ts'
import { calendarConfig } from '../forms.ts'
import { accounts, adapterOf, KIND } from './accounts.ts'
import { publish } from './failures.ts'
import { wakePushes } from './queries-events.ts'
import { findSync, insertSync, listSyncs, updateSync } from './queries-syncs.ts'
import { enqueueSync } from './sync.ts'

const MOST_ACCOUNTS = 20
/** Page that Google redirects back to. */
const BACK = '/configuracoes/google-calendar'
const LOGIN = 'google-calendar'

type Shown = Returned<typeof calendarAccounts.get>

/** Returns the accounts with their sync states, in order of creation. */
async function listShown(ctx: Pick<ReadCtx, 'db'>): Promise<Shown[]> {
  const syncs = new Map((await listSyncs(ctx.db)).map((row) => [row.account_id, row]))
  const shown = ({ id, name, isActive, config, secrets }: ShownAccount): Shown => {
    const { status = 'new', problem = '', email = '', synced_at: syncedAt = null, waiting = 0 } = syncs.get(id) ?? {}
    const text = (key: string) => String(config[key] ?? '')
    return {
      ...{ id, name, isActive, googleClientId: text('googleClientId'), calendarId: text('calendarId') },
      googleClientSecret: secrets['googleClientSecret'] ?? '',
      refreshToken: secrets['refreshToken'] ?? '',
      ...{ status, problem, email, syncedAt, waiting },
    }
  }
  return (await accounts.list(ctx)).map(shown).toSorted((a, b) => a.id - b.id)
}

const shownAccount = async (ctx: Pick<ReadCtx, 'db'>, id: number): Promise<Shown> =>
  required(
    (await listShown(ctx)).find((one) => one.id === id),
    'ERR_NO_CALENDAR_FOUND',
  )

type Fields = Partial<Record<'googleClientId' | 'googleClientSecret' | 'calendarId' | 'refreshToken', unknown>>

/** Returns the provider's fields of a form, with secrets separated. */
function valuesOf(given: Fields) {
  const filled = Object.entries(given).filter(([, value]) => value !== undefined)
  const isSecret = (name: string) => ownMember(calendarConfig.fields, name)?.kind === 'secret'
  return {
    config: Object.fromEntries(filled.filter(([name]) => !isSecret(name))),
    secrets: Object.fromEntries(filled.filter(([name]) => isSecret(name))),
  }
}

/** Restarts an account after a new login or token: reads it again and sends pending changes. */
async function begin(ctx: Ctx, id: number, email?: string): Promise<void> {
  await updateSync(ctx.db, id, {
    ...{ status: 'ok', problem: '', due_at: ctx.now, cursor: null },
    ...(email === undefined ? {} : { email }),
  })
  await wakePushes(ctx.db, id, ctx.now)
  enqueueSync(ctx, id)
  publish(ctx, id)
}

/** Routes of calendar accounts. */
export const accountRoutes = implement(calendarAccounts, {
  list: async (ctx, { request }) => {
    const origin = await publicOrigin(ctx.platform, request)
    return { data: await listShown(ctx), backUrl: origin && `${origin}${BACK}` }
  },
  choices: async (ctx) => ({
    data: (await listShown(ctx))
      .filter(({ isActive }) => isActive)
      .map(({ id, name, status, problem, email, waiting }) => ({ id, name, status, problem, email, waiting })),
  }),
  get: (ctx, { params }) => shownAccount(ctx, params.id),
  create: async (ctx, { body: { name, isActive, ...given } }) => {
    await lockCount(ctx.db, 'provider_settings')
    if ((await accounts.list(ctx)).length >= MOST_ACCOUNTS) fail('ERR_MAX_CALENDARS')
    const made = await accounts.create(ctx, {
      ...{ provider: calendarConfig.id, name, isActive, isDefault: false, ...valuesOf(given) },
    })
    await insertSync(ctx.db, made.id, ctx.now)
    if (given.refreshToken) await begin(ctx, made.id)
    return shownAccount(ctx, made.id)
  },
  update: async (ctx, { params: { id }, body: { name, isActive, ...given } }) => {
    const before = await shownAccount(ctx, id)
    const isOther = given.googleClientId !== undefined && given.googleClientId !== before.googleClientId
    const isMasked = (given.refreshToken ?? maskOf('')).startsWith(maskOf(''))
    // The tokens of one app are nothing to another.
    const refreshToken = isOther && isMasked ? '' : given.refreshToken
    await accounts.save(ctx, id, {
      ...(name === undefined ? {} : { name }),
      ...(isActive === undefined ? {} : { isActive }),
      ...valuesOf({ ...given, refreshToken }),
    })
    const after = await shownAccount(ctx, id)
    const isNewToken = refreshToken !== undefined && !refreshToken.startsWith(maskOf(''))
    const isElsewhere = after.calendarId !== before.calendarId || given.googleClientSecret !== before.googleClientSecret
    if (after.refreshToken === '') await updateSync(ctx.db, id, { status: 'new', problem: '', email: '' })
    else if (isNewToken || (isElsewhere && before.status !== 'revoked')) await begin(ctx, id)
    return shownAccount(ctx, id)
  },
  remove: async (ctx, { params: { id } }) => {
    await accounts.remove(ctx, id)
    publish(ctx, id)
    return { message: 'ok' }
  },
  login: async (ctx, { body: { configId }, request }) => {
    const { platform, tenantId } = ctx
    const account = await requireAccount(ctx, configId)
    const { googleClientId, googleClientSecret } = accounts.plain(platform, tenantId, account)
    if (!googleClientId || !googleClientSecret) return fail('ERR_SIGNUP_SETTINGS')
    await platform.limits.use('providerTest', `${tenantId} calendar`)
    const { state, challenge } = makeState(platform, [LOGIN, String(configId)])
    const back = required(await backTo(platform, request, BACK), 'ERR_SIGNUP_ORIGIN')
    await noteState(ctx, LOGIN, state)
    return { url: adapterOf(platform, tenantId, account).loginPage({ state, back, challenge }) }
  },
  finish: async (ctx, { body: { state, code }, request }) => {
    const { platform, tenantId, user } = ctx
    const { provider } = required(await takenState(ctx, state), 'ERR_SIGNUP_STATE')
    const [of, id] = state.split('.')
    if (provider !== LOGIN || of !== LOGIN) return fail('ERR_SIGNUP_STATE')
    const account = await requireAccount(ctx, Number(id))
    const back = required(await backTo(platform, request, BACK), 'ERR_SIGNUP_ORIGIN')
    const adapter = adapterOf(platform, tenantId, account)
    const grant = await adapter
      .exchange({ code, back, verifier: verifierOf(platform, state) })
      .catch((error: unknown) => {
        if (!(error instanceof CalendarFailure)) throw error
        return fail('ERR_CALENDAR_LOGIN', { reason: error.message })
      })
    return unit(platform, { tenantId, user, audit: ctx.audit }, async (within) => {
      await accounts.save(within, account.id, { secrets: { refreshToken: grant.refreshToken } })
      await begin(within, account.id, grant.email)
      return shownAccount(within, account.id)
    })
  },
  sync: async (ctx, { params: { id } }) => {
    required(await findAccount(ctx.db, KIND, id), 'ERR_NO_CALENDAR_FOUND')
    const sync = await findSync(ctx.db, id)
    if (sync?.status !== 'ok' && sync?.status !== 'failed') fail('ERR_CALENDAR_NOT_CONNECTED')
    enqueueSync(ctx, id)
    return { message: 'ok' }
  },
})

const requireAccount = async ({ platform, tenantId }: SlowCtx, id: number) =>
  required(await platform.db.read(tenantId, (db) => findAccount(db, KIND, id)), 'ERR_NO_CALENDAR_FOUND')
