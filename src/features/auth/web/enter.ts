import { isApiError, request, sentence, sentencesIn } from '#web/api.ts'
import { encryptPassword } from '#web/session/encrypt-password.ts'
import { type LoginAnswer, storeLogin } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'

/** Login that waits for its second step. */
export type Pending = {
  requiresA2F: true
  pendingSessionId: string
  methods: readonly ('totp' | 'recovery' | 'passkey' | 'enrol')[]
}

/** Result of a login's first step. */
export type Entered = LoginAnswer | Pending

/** Whether a second step is missing. */
export const isPending = (answer: Entered): answer is Pending => 'requiresA2F' in answer

/** Calls a login route, and stores the response of a complete login. */
async function enterBy(path: string, body?: object): Promise<Entered> {
  const answer = await request<Entered>('POST', path, { ...(body ? { body } : {}), quiet: true })
  if (!isPending(answer)) storeLogin(answer)
  return answer
}

/** Logs in with e-mail or username. */
export const logIn = async (name: string, password: string): Promise<Entered> =>
  enterBy('/auth/login/', { email: name.trim(), password: await encryptPassword(password) })

/** Completes the second step with a code of the app or a recovery code; returns new recovery codes after an enrolment. */
export async function confirmStep(
  pendingSessionId: string,
  a2fCode: string,
): Promise<{ answer: LoginAnswer; recoveryCodes: string[] | null }> {
  const { recoveryCodes, ...answer } = await request<LoginAnswer & { recoveryCodes: string[] | null }>(
    'POST',
    '/auth/validate-a2f',
    { body: { pendingSessionId, a2fCode }, quiet: true },
  )
  storeLogin(answer)
  return { answer, recoveryCodes }
}

/** Requests the enrolment data of an authenticator app, for a user who must set one up before the login. */
export const enrolApp = (pendingSessionId: string): Promise<{ secret: string; uri: string }> =>
  request('POST', '/auth/a2f/enrol', { body: { pendingSessionId }, quiet: true })

/**
 * Logs in with a passkey; null if cancelled. `quietly` offers passkeys among the login field's suggestions and waits; a
 * later call replaces it.
 */
export async function logInWithPasskey(quietly = false): Promise<Entered | null> {
  const [{ startAuthentication }, optionsJSON] = await Promise.all([
    import('@simplewebauthn/browser'),
    request<object>('POST', '/auth/passkey/options', { quiet: true }),
  ])
  const asked = startAuthentication({ optionsJSON: optionsJSON as never, useBrowserAutofill: quietly })
  const response = await asked.catch(() => null)
  return response && enterBy('/auth/passkey', { response })
}

/** Redirects to the external provider, which redirects back to /auth/google/callback. */
export async function leaveForProvider(): Promise<void> {
  const { url } = await request<{ url: string }>('POST', '/auth/google/start', { quiet: true })
  location.assign(url)
}

/** Logs in with the external provider's query parameters. */
export const returnFromProvider = (returned: Readonly<Record<string, string>>): Promise<Entered> => {
  const known = ['code', 'state', 'error', 'iss'].flatMap((name) => (returned[name] ? [[name, returned[name]]] : []))
  return enterBy('/auth/google/callback', Object.fromEntries(known))
}

/** Purpose of a one-time code. */
export type SetupKind = { kind: 'owner' | 'invite' | 'email'; email: string | null; name: string | null }

/** Requests what a one-time code permits, without using it. */
export const checkSetup = (code: string): Promise<SetupKind> =>
  request<SetupKind>('POST', '/auth/setup/check', { body: { code }, quiet: true })

/** Result of an e-mail confirmation: whether it is the login name now, and the username beside it. */
export type Confirmed = { email: string; isHeld: boolean; username: string | null }

/** Uses an e-mail confirmation code. */
export const confirmEmail = (code: string): Promise<Confirmed> =>
  request<Confirmed>('POST', '/auth/confirm-email', { body: { code }, quiet: true })

/** Uses a set-up code: sets the password and logs in. */
export async function setUp(input: {
  code: string
  password: string
  name?: string
  email?: string
  companyName?: string
}): Promise<Entered> {
  return enterBy('/auth/setup', { ...input, password: await encryptPassword(input.password) })
}

/** Titles of login toasts from the specification (§8); the error's Portuguese text is their second line (decision A16). */
const titles: Record<string, string> = {
  ERROR_NO_PERMISSION_API_ADMIN: t('Instalação não AUTORIZADA'),
  OUT_RANGE: t('Outside permitted opening hours'),
  INVALID_LICENSE: t('License error user'),
  INVALID_DOMAIN: t('License domain error'),
  LICENSE_ERROR: t('License error server'),
  ERR_LIMIT_MAX: t('Limit error'),
}

/** Shows a failed login: returns texts by field if there are any, otherwise shows a toast. */
export function explainFailure(error: unknown): Record<string, string> {
  if (isApiError(error) && error.code === 'ERR_VALIDATION') return sentencesIn(error.details)
  if (isApiError(error) && error.code === 'ERR_INVALID_CREDENTIALS') return { password: sentence(error) }
  const title = isApiError(error) ? titles[error.code] : undefined
  notify(
    title
      ? { tone: 'neg', id: 'login', title, text: sentence(error) }
      : { tone: 'neg', id: 'login', title: sentence(error) },
  )
  return {}
}
