import { fail, required } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import { unit } from '#server/context.ts'
import { saveInDirectory } from '#server/db/directory.ts'
import { implement } from '#server/http/route.ts'
import { passkeys, secondFactor } from '../contract.ts'
import { beginApp, confirmApp, limitCodes, renewCodes } from './app-code.ts'
import { registrationOptions, storePasskey } from './passkeys.ts'
import {
  deleteApp,
  deletePasskey,
  deletePasskeys,
  findFactors,
  findPerson,
  listPasskeys,
  renamePasskey,
} from './queries.ts'
import { checkPassword } from './reauthenticate.ts'

type Row = Awaited<ReturnType<typeof listPasskeys>>[number]

const shown = (row: Row) => ({
  id: row.id,
  name: row.name,
  isBackedUp: row.is_backed_up,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
})

/** Routes of the user's own second factor and passkeys, and of their reset by an administrator. */
export const secondFactorRoutes = [
  ...implement(secondFactor, {
    get: async ({ db, user, settings }) => {
      const { hasApp, since, recoveryLeft } = await findFactors(db, user.id)
      return { isOn: hasApp, since, recoveryLeft, isRequired: isOn(settings, 'requireSecondFactor') }
    },
    start: async (asked, { body, request }) => {
      await checkPassword(asked, request, body.password)
      return unit(asked.platform, asked, (ctx) => beginApp(ctx, asked.user.id))
    },
    confirm: async (asked, { body }) => {
      const { platform, tenantId, user } = asked
      // A logged-in user is a known source.
      const source = { key: 'session', isKnown: true }
      const forgetTries = await limitCodes(platform, { tenantId, userId: user.id }, source, body.code)
      const codes = await unit(platform, asked, (ctx) => confirmApp(ctx, user.id, body.code))
      if (!codes) return fail('ERR_A2F_INVALID')
      await forgetTries()
      return { recoveryCodes: codes }
    },
    renewCodes: async (asked, { body, request }) => {
      await checkPassword(asked, request, body.password)
      return { recoveryCodes: await unit(asked.platform, asked, (ctx) => renewCodes(ctx, asked.user.id)) }
    },
    disable: async (asked, { body, request }) => {
      await checkPassword(asked, request, body.password)
      await unit(asked.platform, asked, async (ctx) => {
        if (isOn(ctx.settings, 'requireSecondFactor')) fail('ERR_A2F_REQUIRED')
        if (!(await deleteApp(ctx.db, asked.user.id))) fail('ERR_A2F_OFF')
      })
      return { message: 'SECOND_FACTOR_OFF' }
    },
    reset: async (ctx, { params }) => {
      const person = required(await findPerson(ctx.db, params.id), 'ERR_NO_USER_FOUND')
      // The own second factor is removed with the password; here a stolen session would suffice.
      if (params.id === ctx.user.id) fail('ERR_OWN_ACCESS')
      // Otherwise an admin could weaken the superadmin's login.
      if (person.profile === 'superadmin' && ctx.user.profile !== 'superadmin') fail('ERR_NO_PERMISSION')
      await deleteApp(ctx.db, params.id)
      await deletePasskeys(ctx.db, params.id)
      // A user of the external provider is linked again by the verified address.
      await saveInDirectory(ctx.db, 'oidc', params.id, [])
      return { message: 'SECOND_FACTOR_RESET' }
    },
  }),
  ...implement(passkeys, {
    list: async ({ db, user }) => ({ passkeys: (await listPasskeys(db, user.id)).map(shown) }),
    options: async (asked, { body, request }) => {
      const person = await checkPassword(asked, request, body.password)
      return { ...(await registrationOptions(asked, request, person)) }
    },
    register: async (ctx, { body, request }) => shown(await storePasskey(ctx, request, body)),
    rename: async ({ db, user }, { params, body }) =>
      shown(required(await renamePasskey(db, user.id, params.id, body.name), 'ERR_NO_PASSKEY_FOUND')),
    remove: async (ctx, { params }) => {
      const { name } = required(await deletePasskey(ctx.db, ctx.user.id, params.id), 'ERR_NO_PASSKEY_FOUND')
      ctx.audit({ target: { name } })
      return { message: 'PASSKEY_REMOVED' }
    },
  }),
]
