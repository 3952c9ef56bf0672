import { type ApiError, isApiError, request, sentence } from '#web/api.ts'
import { sealed } from '#web/sealed.ts'
import { type LoginAnswer, storeLogin } from '#web/session.ts'
import { notify } from '#web/ui/notify.tsx'

/** Logs in with e-mail or username, and keeps the answer. */
export async function logIn(name: string, password: string): Promise<LoginAnswer> {
  const body = { email: name.trim(), password: await sealed(password) }
  const answer = await request<LoginAnswer>('POST', '/auth/login/', { body, quiet: true })
  storeLogin(answer)
  return answer
}

/** What a one-time code permits. */
export type SetupKind = { kind: 'owner' | 'invite'; email: string | null; name: string | null }

/** Asks what a one-time code permits, without using it up. */
export const checkSetup = (code: string): Promise<SetupKind> =>
  request<SetupKind>('POST', '/auth/setup/check', { body: { code }, quiet: true })

/** Uses the code up, sets the password and logs in. */
export async function setUp(input: {
  code: string
  password: string
  name?: string
  email?: string
  companyName?: string
}): Promise<LoginAnswer> {
  const body = { ...input, password: await sealed(input.password) }
  const answer = await request<LoginAnswer>('POST', '/auth/setup', { body, quiet: true })
  storeLogin(answer)
  return answer
}

/** The specified titles of login toasts (§8); the catalogue's Portuguese sentence is their second line (decision A16). */
const titles: Record<string, string> = {
  ERROR_NO_PERMISSION_API_ADMIN: 'Instalação não AUTORIZADA',
  OUT_RANGE: 'Outside permitted opening hours',
  INVALID_LICENSE: 'License error user',
  INVALID_DOMAIN: 'License domain error',
  LICENSE_ERROR: 'License error server',
  ERR_LIMIT_MAX: 'Limit error',
}

/** What the person must hear of a failed entry: sentences by field where there are any, otherwise a toast. */
export function explainFailure(error: unknown): Record<string, string> {
  if (isApiError(error) && error.code === 'ERR_VALIDATION') return error.details as Record<string, string>
  if (isApiError(error) && error.code === 'ERR_INVALID_CREDENTIALS') return { password: sentence(error) }
  const title = isApiError(error) ? titles[(error as ApiError).code] : undefined
  notify(
    title
      ? { tone: 'neg', id: 'login', title, text: sentence(error) }
      : { tone: 'neg', id: 'login', title: sentence(error) },
  )
  return {}
}
