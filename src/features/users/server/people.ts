import { fail } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Tx } from '#server/db/db.ts'
import { addToDirectory, findInDirectory } from '#server/db/directory.ts'
import type { UserRow } from '../contract.ts'
import { usernameOf } from './proof.ts'
import { updatePerson } from './queries-change.ts'
import { insertUser } from './queries-platform.ts'
import { findAddress, updateAddress } from './queries-proof.ts'

/**
 * Creates a user with login names; for new companies with platform database access. Throws ERR_DUPLICATED for a taken login
 * name. If links can be mailed (`canProve`), only a proven e-mail counts as taken; otherwise it waits for its proof and the
 * user gets a username.
 */
export async function createUser(
  db: Tx,
  input: {
    tenantId: number
    name: string
    email: string
    username?: string
    profile: UserRow['profile']
    passwordHash: string | null
    canProve?: boolean
  },
): Promise<number> {
  const { tenantId, name, email, username = null, profile, passwordHash, canProve = false } = input
  const id = await insertUser(db, { tenant_id: tenantId, name, email, username, profile, password_hash: passwordHash })
  for (const key of [email, username]) {
    if (!key) continue
    await addToDirectory(db, { kind: 'login', key, tenantId, subjectId: String(id) })
    const holder = await findInDirectory(db, 'login', key)
    if (holder?.tenant_id === tenantId && holder.subject_id === String(id)) continue
    const other = holder && { tenantId: holder.tenant_id, userId: Number(holder.subject_id) }
    const isFree = canProve && key === email && other && (await findAddress(db, other))?.proven_email !== email
    if (!isFree) failTaken([key], input)
    const who = { tenantId, userId: id }
    await updateAddress(db, who, { waiting_email: email, username: await usernameOf(db, who, { email, username }) })
  }
  return id
}

/** Sets a new password; throws ERR_NO_USER_FOUND for a removed or inactive user. */
export async function setPassword(ctx: Pick<Ctx, 'db'>, userId: number, passwordHash: string): Promise<void> {
  if (!(await updatePerson(ctx.db, userId, { password_hash: passwordHash }, true))) fail('ERR_NO_USER_FOUND')
}

/** Throws ERR_DUPLICATED at the fields of taken login names. */
export function failTaken(taken: readonly string[], { email }: { email: string }): never {
  return fail('ERR_DUPLICATED', {
    ...(taken.includes(email) ? { email: 'Já existe um usuário com este e-mail.' } : {}),
    ...(taken.some((key) => key !== email) ? { username: 'Este nome de usuário já é de outra pessoa.' } : {}),
  })
}
