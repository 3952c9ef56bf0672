import type { MenuVisibility } from '#domain/access/menu.ts'
import { LIMITS } from '#domain/access/plan.ts'
import type { Profile } from '#domain/access/profiles.ts'
import { isEverOpen } from '#domain/calendar/business-hours.ts'
import { type AccountChange, type Manager, type Person, refuseManaging } from '#domain/people/manage.ts'
import { codeOf, fail, required } from '#kit/errors.ts'
import { assignableRoutes } from '#kit/permissions.ts'
import type { Ctx } from '#server/context.ts'
import { saveInDirectory } from '#server/db/directory.ts'
import { newHash } from '#server/passwords.ts'
import type { UserChange } from '../contract.ts'
import { confirmByMail, removeLinks } from './confirm.ts'
import { releaseWork } from './leaving.ts'
import { giveLogins } from './logins.ts'
import { failTaken } from './people.ts'
import { withKnownPhone } from './phone.ts'
import { publishUserChange } from './publish.ts'
import { findPerson, type PersonRow, planOf } from './queries.ts'
import {
  countOthers,
  forgetPerson,
  hasColleague,
  insertPerson,
  lockPeople,
  replaceConnections,
  replaceQueues,
  updatePerson,
} from './queries-change.ts'
import { revokeSessions } from './revoke.ts'
import { serializeUserDetail } from './serializer.ts'
import { limitSupport } from './support-time.ts'

/** Form of a new user, with the decrypted password. */
export type NewPerson = UserChange & Required<Pick<UserChange, 'name' | 'email' | 'profile'>>

/** Whether a new user is invited: active and without a password. */
export const isInvited = ({ password, isActive = true }: UserChange): boolean => password === undefined && isActive

/** Creates a user and returns the id; checks permission and plan limit in the same transaction. */
export async function createPerson(ctx: Ctx, by: Manager, form: NewPerson): Promise<number> {
  const { isActive = true, isSupport = false, profile } = form
  const passwordHash = form.password === undefined ? null : await newHash(form.password)
  await lockPeople(ctx.db)
  // A user who does not exist yet outranks no other.
  await requireManaging(ctx, by, { id: 0, profile: 'user', isActive, isSupport: false }, { profile, isSupport })
  if (isActive) await requireSeat(ctx)
  const id = await insertPerson(ctx.db, {
    ...(await columnsOf(form, profile)),
    name: form.name,
    email: form.email,
    profile,
    password_hash: passwordHash,
  }).catch((error: unknown) => refuseTaken(error, form))
  const logins = await giveLogins(ctx, id, { email: form.email, username: form.username || null })
  if (logins.waiting_email) {
    await updatePerson(ctx.db, id, logins)
    // An invited user gets a mailed link anyway.
    if (!isInvited(form)) await confirmByMail(ctx, id)
  }
  await saveSets(ctx, id, form)
  publishUserChange(ctx, id)
  return id
}

/**
 * Changes a user; omitted fields remain unchanged. At the commit caches are invalidated, and sessions end if password or
 * access changed. A deactivated user's open tickets return to their queues. Returns the user's new row.
 */
export async function changePerson(ctx: Ctx, by: Manager, id: number, form: UserChange): Promise<PersonRow> {
  const passwordHash = form.password === undefined ? undefined : await newHash(form.password)
  await lockPeople(ctx.db)
  const row = required(await findPerson(ctx.db, id), 'ERR_NO_USER_FOUND')
  await requireManaging(ctx, by, personOf(row), accountOf(form))
  if (passwordHash !== undefined && by.id === id)
    fail('ERR_VALIDATION', { password: 'Mude a sua senha em “Meu perfil”, com a senha de agora.' })
  // The e-mail's owner can reset the password: a session alone must not change the own e-mail.
  if (form.email !== undefined && form.email !== row.email && by.id === id)
    fail('ERR_VALIDATION', { email: 'Mude o seu e-mail em “Meu perfil”, com a senha de agora.' })
  // A week without any hours locks the user out for good: not permitted on the own account either.
  if (by.id === id && form.businessHours && !isEverOpen(form.businessHours)) fail('ERR_OWN_ACCESS')
  if (form.isActive && !row.is_active) await requireSeat(ctx)
  const profile = form.profile ?? row.profile
  const hidden = form.menuPermissions ?? visibilityFor(profile, row.menu_permissions)
  const { email = row.email, username = row.username } = form
  const isNewEmail = email !== row.email
  if (isNewEmail && (await hasColleague(ctx.db, email))) failTaken([email], { email })
  const logins =
    isNewEmail || (username || null) !== row.username
      ? await giveLogins(ctx, id, { email, username: username || null }, isNewEmail ? null : row.waiting_email)
      : {}
  await updatePerson(ctx.db, id, {
    ...(await columnsOf({ ...form, menuPermissions: hidden }, profile)),
    ...logins,
    ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
  })
  const left = row.is_active && form.isActive === false
  // A user with a password needs no invitation, and links mailed to a former address are invalid.
  if (passwordHash !== undefined || isNewEmail || left) await removeLinks(ctx, id, isNewEmail || left)
  if (isNewEmail && logins.waiting_email) await confirmByMail(ctx, id)
  await saveSets(ctx, id, form)
  if (left || passwordHash !== undefined) await revokeSessions(ctx, id, {}, 'revoked')
  if (left) await releaseWork(ctx, id)
  if (form.isSupport && !row.is_support) await limitSupport(ctx, id)
  publishUserChange(ctx, id)
  const after = required(await findPerson(ctx.db, id), 'ERR_NO_USER_FOUND')
  ctx.audit({ before: serializeUserDetail(row), after: serializeUserDetail(after) })
  return after
}

/**
 * Changes the user's own login e-mail, after the password was checked. If the installation has mail, the new e-mail takes
 * effect when its mailed link is opened; returns whether one was mailed.
 */
export async function changeOwnEmail(ctx: Ctx, id: number, email: string): Promise<{ isMailed: boolean }> {
  await lockPeople(ctx.db)
  const row = required(await findPerson(ctx.db, id), 'ERR_NO_USER_FOUND')
  const isSame = email === row.email
  if (isSame && row.proven_email === email) return { isMailed: false }
  if (!isSame && (await hasColleague(ctx.db, email))) failTaken([email], { email })
  await updatePerson(ctx.db, id, { waiting_email: isSame && row.waiting_email !== email ? null : email })
  const isMailed = await confirmByMail(ctx, id)
  if (!isMailed && !isSame) {
    const logins = await giveLogins(ctx, id, { email, username: row.username })
    if (logins.waiting_email) failTaken([email], { email })
    await updatePerson(ctx.db, id, { email, ...logins })
    await removeLinks(ctx, id, true)
  }
  publishUserChange(ctx, id)
  ctx.audit(isMailed ? { after: { newEmail: email } } : { before: { email: row.email }, after: { email } })
  return { isMailed }
}

/**
 * Removes a user from the company (decision B26): open tickets return to their queues, sessions end, the name remains in the
 * history.
 */
export async function removePerson(ctx: Ctx, by: Manager, id: number): Promise<void> {
  await lockPeople(ctx.db)
  const row = required(await findPerson(ctx.db, id), 'ERR_NO_USER_FOUND')
  // Users cannot remove themselves, active or not.
  if (by.id === id) fail('ERR_OWN_ACCESS')
  await requireManaging(ctx, by, personOf(row), { isActive: false })
  await releaseWork(ctx, id)
  await revokeSessions(ctx, id, {}, 'revoked')
  await saveInDirectory(ctx.db, 'login', id, [])
  await removeLinks(ctx, id, true)
  await forgetPerson(ctx.db, id, by.isAtHome ? by.id : null, ctx.now)
  ctx.audit({ before: serializeUserDetail(row), after: {} })
  publishUserChange(ctx, id)
}

/** Finds a user whom the manager may change, locked until the transaction ends. */
export async function lockManaged(ctx: Ctx, by: Manager, id: number): Promise<PersonRow> {
  await lockPeople(ctx.db)
  const row = required(await findPerson(ctx.db, id), 'ERR_NO_USER_FOUND')
  await requireManaging(ctx, by, personOf(row), {})
  return row
}

async function requireManaging(ctx: Ctx, by: Manager, person: Person, change: AccountChange): Promise<void> {
  const refusal = refuseManaging(by, person, change, await countOthers(ctx.db, person.id))
  if (refusal) fail(refusal)
}

async function requireSeat(ctx: Ctx): Promise<void> {
  const { used, max } = await planOf(ctx.db)
  if (used >= max) fail(LIMITS.users.refusal, { used, max })
}

// An e-mail of the own company is refused by the table, before the directory is asked.
function refuseTaken(error: unknown, form: NewPerson): never {
  if (codeOf(error) === '23505') return failTaken([form.email], form)
  throw error
}

async function saveSets(ctx: Ctx, id: number, { queueIds, whatsappIds }: UserChange): Promise<void> {
  if (queueIds && !(await replaceQueues(ctx.db, id, queueIds))) fail('ERR_NO_QUEUE_FOUND')
  if (whatsappIds && !(await replaceConnections(ctx.db, id, whatsappIds))) fail('ERR_NO_WAPP_FOUND')
}

const personOf = (row: PersonRow): Person => ({
  id: row.id,
  profile: row.profile,
  isActive: row.is_active,
  isSupport: row.is_support,
})

const accountOf = ({ profile, isActive, isSupport }: UserChange): AccountChange => ({
  ...(profile === undefined ? {} : { profile }),
  ...(isActive === undefined ? {} : { isActive }),
  ...(isSupport === undefined ? {} : { isSupport }),
})

/** Returns the menu entries hidden for a user, limited to those that can be hidden for the role. */
const visibilityFor = (profile: Profile, hidden: MenuVisibility): MenuVisibility =>
  Object.fromEntries(Object.entries(hidden).filter(([name]) => assignableRoutes(profile).includes(name)))

async function columnsOf(form: UserChange, profile: Profile) {
  const { menuPermissions, phone } = await withKnownPhone(form)
  const other = Object.keys(menuPermissions ?? {}).find((name) => !assignableRoutes(profile).includes(name))
  if (other !== undefined)
    fail('ERR_VALIDATION', { menuPermissions: `“${other}” não pode ser escondido de quem tem este perfil.` })
  const columns = {
    name: form.name,
    email: form.email,
    username: form.username === undefined ? undefined : form.username || null,
    phone,
    profile: form.profile,
    is_active: form.isActive,
    is_support: form.isSupport,
    restricted_user: form.restrictedUser,
    block_wavoip: form.blockWavoip,
    capacity: form.capacity,
    menu_permissions: menuPermissions && JSON.stringify(menuPermissions),
    business_hours:
      form.businessHours === undefined ? undefined : form.businessHours && JSON.stringify(form.businessHours),
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}
