import { usernamesFor } from '#domain/people/username.ts'
import { partAfter } from '#domain/present.ts'
import { writeAudit } from '#server/audit.ts'
import { unit } from '#server/context.ts'
import { type Tx, transactionTime } from '#server/db/db.ts'
import { addToDirectory, findInDirectory, forgetSubject } from '#server/db/directory.ts'
import { type Holder, lockLogin, moveLogin, removeOtherLogins } from '#server/db/directory-steps.ts'
import type { RequestInfo } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import { publishUserChange } from './publish.ts'
import { findAddress, findByEmail, updateAddress } from './queries-proof.ts'

/**
 * Result of a proof: whether the address is the login name now, the username beside it, and the users whose screens are
 * stale.
 */
export type Proven = { email: string; isHeld: boolean; username: string | null; changed: Holder[] }

/**
 * Records that a user owns an e-mail address. It becomes the proven login name; an account that held it unproven loses it,
 * keeps or gets a username, and its company's audit log records it. If another account has proven the address before, this
 * one keeps or gets a username instead. Returns null if the address is not this account's. Call `publishProof` after the
 * commit.
 */
export async function proveEmail(
  db: Tx,
  platform: Pick<Platform, 'secrets'>,
  who: Holder,
  email: string,
  from?: RequestInfo,
): Promise<Proven | null> {
  const asked = await findAddress(db, who)
  if (!asked?.is_active || (asked.email !== email && asked.waiting_email !== email)) return null
  // Locks the name first, then the users, so that concurrent proofs wait for each other.
  const holder = await lockLogin(db, email, who)
  const isOther = holder.tenantId !== who.tenantId || holder.userId !== who.userId
  const [person, other] = await lockBoth(db, who, isOther ? holder : null)
  if (!person || (person.email !== email && person.waiting_email !== email)) return null
  const now = transactionTime(db)
  if (other?.proven_email === email) {
    const isWaiting = person.email === email
    const username = isWaiting ? await usernameOf(db, who, person) : person.username
    await updateAddress(db, who, { username, waiting_email: isWaiting ? email : null, updated_at: now })
    return { email, isHeld: false, username, changed: [who] }
  }
  if (isOther) await moveLogin(db, email, who)
  if (other) {
    const username = await usernameOf(db, holder, other)
    await updateAddress(db, holder, { username, waiting_email: email, updated_at: now })
    await forgetSubject(db, 'oidc', holder.tenantId, String(holder.userId))
    await writeAudit(db, platform, holder.tenantId, [
      { action: 'email.moved', actor: null, target: { id: other.id, name: other.name, email }, after: { username } },
    ])
  }
  const waiting = person.waiting_email === email ? null : person.waiting_email
  await updateAddress(db, who, { email, proven_email: email, waiting_email: waiting, updated_at: now })
  await removeOtherLogins(
    db,
    who,
    [email, person.username].filter((name) => name !== null),
  )
  if (person.proven_email !== email || person.email !== email)
    await writeAudit(db, platform, who.tenantId, [
      {
        action: 'email.proven',
        actor: person,
        before: { email: person.email },
        after: { email },
        target: { id: person.id },
        ...(from ? { from } : {}),
      },
    ])
  return { email, isHeld: true, username: person.username, changed: other ? [who, holder] : [who] }
}

/** Publishes the changes of a proof to screens and caches. */
export async function publishProof(platform: Platform, proven: Proven | null): Promise<void> {
  for (const { tenantId, userId } of proven?.changed ?? [])
    await unit(platform, { tenantId, user: null }, async (ctx) => publishUserChange(ctx, userId))
}

/**
 * Finds the account for an issuer's verified e-mail claim: the one that has proven the address; or, if a company has
 * verified the address's domain, that company's, whose proof the claim is. Null for an unknown address, `unproven` for one
 * held without proof.
 */
export async function findClaimed(
  db: Tx,
  email: string,
): Promise<(Holder & { isProven: boolean }) | 'unproven' | null> {
  const named = await findInDirectory(db, 'login', email)
  const holder = named && { tenantId: named.tenant_id, userId: Number(named.subject_id) }
  if (holder && (await findAddress(db, holder))?.proven_email === email) return { ...holder, isProven: true }
  const domain = await findInDirectory(db, 'domain', partAfter(email, '@'))
  const own = domain && (await findByEmail(db, domain.tenant_id, email))
  if (domain && own) return { tenantId: domain.tenant_id, userId: own.id, isProven: false }
  return holder ? 'unproven' : null
}

/** Returns a user's username, or generates an unused one. */
export async function usernameOf(
  db: Tx,
  who: Holder,
  { email, username }: { email: string; username: string | null },
): Promise<string> {
  if (username) return username
  for (const key of usernamesFor(email, Math.random)) {
    await addToDirectory(db, { kind: 'login', key, tenantId: who.tenantId, subjectId: String(who.userId) })
    const holder = await findInDirectory(db, 'login', key)
    if (holder?.tenant_id === who.tenantId && holder.subject_id === String(who.userId)) return key
  }
  throw new Error('names never end')
}

// Locks in the order of ids, so that two users who exchange names do not deadlock.
async function lockBoth(db: Tx, one: Holder, other: Holder | null) {
  const [first, second] = other && other.userId < one.userId ? [other, one] : [one, other]
  const locked = [await findAddress(db, first, true), second ? await findAddress(db, second, true) : undefined]
  return first === one ? locked : locked.reverse()
}
