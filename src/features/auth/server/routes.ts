import { implement } from '#server/http/route.ts'
import { auth } from '../contract.ts'
import { recovery } from '../recovery.ts'
import { login } from './login.ts'
import { requestReset, resetPassword } from './reset.ts'
import { closeSession, refreshSession } from './sessions.ts'
import { checkSetup, confirmEmail, setup } from './setup.ts'

/** Routes of login, logout and recovery. */
export const authRoutes = [
  ...implement(recovery, {
    request: ({ platform }, { body, request }) => requestReset(platform, request, body.email),
    reset: ({ platform }, { body, request }) => resetPassword(platform, request, body),
  }),
  ...implement(auth, {
    publicKey: ({ platform }) => platform.secrets.publicPassphrase,
    login: ({ platform }, { body, request }) =>
      login(platform, request, { name: body.email ?? body.username!, password: body.password }),
    refresh: ({ platform }, { request }) => refreshSession(platform, request),
    logout: async ({ platform }, { request }) => {
      await closeSession(platform, request)
      return { message: 'USER_LOGOUT' }
    },
    checkSetup: ({ platform }, { body, request }) => checkSetup(platform, request, body.code),
    confirmEmail: ({ platform }, { body, request }) => confirmEmail(platform, request, body.code),
    setup: ({ platform }, { body, request }) => setup(platform, request, body),
  }),
]
