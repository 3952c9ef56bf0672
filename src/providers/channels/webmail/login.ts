import type { MailAccount } from './account.ts'
import { refusedToken } from './oauth.ts'
import { isLoginRefused } from './problems.ts'

/** Who logs in, and by what. */
export type MailLogin = { readonly user: string } & ({ readonly pass: string } | { readonly accessToken: string })

/**
 * Does something with what lets into a mailbox. A password is tried once; a token that is refused is asked for anew, once: it
 * may have ended before its time.
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
