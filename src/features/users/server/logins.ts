import { usernamesFor } from '#domain/people/username.ts'
import { fail } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import { saveInDirectory } from '#server/db/directory.ts'
import { failTaken } from './people.ts'

/** Columns of a user's login names. */
export type Logins = { username?: string | null; waiting_email?: string | null }

/**
 * Sets a user's login names. An e-mail of another account waits until its mailed link is opened (`waiting_email`), and the
 * user gets a username meanwhile; `waiting`: the e-mail that waits already. Throws ERR_DUPLICATED for a taken username.
 */
export async function giveLogins(
  ctx: Ctx,
  id: number,
  { email, username }: { email: string; username: string | null },
  waiting: string | null = null,
): Promise<Logins> {
  const isWaiting = waiting === email
  if (isWaiting && !username) fail('ERR_VALIDATION', { username: 'O e-mail ainda não entra: mantenha um usuário.' })
  const names = [...(isWaiting ? [] : [email]), ...(username ? [username] : [])]
  const taken = await saveInDirectory(ctx.db, 'login', id, names)
  if (username && taken.includes(username)) failTaken(taken, { email })
  if (!taken.includes(email)) return waiting ? {} : { waiting_email: null }
  if (username) return { waiting_email: email }
  for (const name of usernamesFor(email, Math.random))
    if ((await saveInDirectory(ctx.db, 'login', id, [name])).length === 0)
      return { username: name, waiting_email: email }
  throw new Error('names never end')
}
