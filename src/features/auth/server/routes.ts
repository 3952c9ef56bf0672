import { implement } from '#server/http/route.ts'
import { auth } from '../contract.ts'
import { login } from './login.ts'
import { closeSession, refreshSession } from './sessions.ts'
import { checkSetup, setup } from './setup.ts'

/** The operations of entering and leaving. */
export const authRoutes = implement(auth, {
  publicKey: ({ platform }) => platform.secrets.publicPassphrase,
  login: ({ platform }, { body, request }) =>
    login(platform, request, { name: body.email ?? body.username!, password: body.password }),
  refresh: ({ platform }, { request }) => refreshSession(platform, request),
  logout: async ({ platform }, { request }) => {
    await closeSession(platform, request)
    return { message: 'USER_LOGOUT' }
  },
  checkSetup: ({ platform }, { body, request }) => checkSetup(platform, request, body.code),
  setup: ({ platform }, { body, request }) => setup(platform, request, body),
})
