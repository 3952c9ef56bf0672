import type { MailAccount } from './account.ts'
import { refusedToken } from './oauth.ts'
import { isLoginRefused } from './problems.ts'

/** Credentials of a login. */
export type MailLogin = { readonly user: string } & ({ readonly pass: string } | { readonly accessToken: string })

/**
 * Runs work with credentials of a mailbox. A password is tried once; after a refused token a new one is requested once, as
 * it may have expired early.
 */
export async function withLogin<T>(
  { user, pass, tokens }: MailAccount,
  work: (login: MailLogin) => Promise<T>,
): Promise<T> {
  if (!tokens) return work({ user, pass })
  const accessToken = await tokens.access()
  try {
    return await work({ user, accessToken })
  } catch (error) {
    if (!isLoginRefused(error)) throw error
  }
  return work({ user, accessToken: await tokens.access(accessToken) }).catch((error: unknown) => {
    throw isLoginRefused(error) ? refusedToken(tokens) : error
  })
}
