import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import {
  checkPasskey,
  enrolInLogin,
  finishSecondStep,
  passkeyLoginOptions,
} from '#features/second-factor/server/index.ts'
import { implement } from '#server/http/route.ts'
import { entry } from '../entry.ts'
import { checkDomain } from './enter.ts'
import { finishExternal, startExternal } from './oidc.ts'
import { openSession } from './sessions.ts'

/** Routes of logins without password, and of the second step. */
export const entryRoutes = implement(entry, {
  enrol: ({ platform }, { body, request }) => enrolInLogin(platform, request, body.pendingSessionId),
  validateA2f: async ({ platform }, { body, request }) => {
    const input = { pendingSessionId: body.pendingSessionId, code: body.a2fCode }
    const { tenantId, userId, method, recoveryCodes } = await finishSecondStep(platform, request, input)
    await checkDomain(platform, request, tenantId)
    return { ...(await openSession(platform, request, tenantId, userId, { method })), recoveryCodes }
  },
  passkeyOptions: async ({ platform }, { request }) => ({ ...(await passkeyLoginOptions(platform, request)) }),
  passkey: async ({ platform }, { body, request }) => {
    const response = body.response as unknown as AuthenticationResponseJSON
    const { tenantId, userId } = await checkPasskey(platform, request, response)
    await checkDomain(platform, request, tenantId)
    return openSession(platform, request, tenantId, userId, { method: 'passkey' })
  },
  externalStart: ({ platform }, { request }) => startExternal(platform, request),
  externalFinish: ({ platform }, { body, request }) => finishExternal(platform, request, body),
})
