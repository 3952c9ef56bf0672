import type { Manager } from '#domain/people/manage.ts'
import type { Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import { type Actor, may } from '#server/actors.ts'
import { type Ctx, type ReadCtx, unit } from '#server/context.ts'
import { implement } from '#server/http/route.ts'
import { sessionPermissionsOf } from '#server/session-permissions.ts'
import { userEvents, users } from '../contract.ts'
import { ownProfile } from '../profile.ts'
import { invitePerson } from './invite.ts'
import { listUsers } from './list.ts'
import { changeOwnPassword, requireOwnPassword, withTyped } from './passwords.ts'
import { withKnownPhone } from './phone.ts'
import { publishUserChange } from './publish.ts'
import { findPerson, type PersonRow } from './queries.ts'
import { mergeConfigs, updatePerson } from './queries-change.ts'
import { revokeSessions } from './revoke.ts'
import { changeOwnEmail, changePerson, createPerson, isInvited, lockManaged, removePerson } from './save.ts'
import { serializeUser, serializeUserDetail } from './serializer.ts'

type UserCtx = Ctx & { user: Actor }

const LONGEST_BREAK_MS = 86_400_000

const manager = ({ user: { id, name, profile } }: { user: Actor }): Manager => ({ id, name, profile, isAtHome: true })

const person = async (ctx: Pick<ReadCtx, 'db'>, id: number): Promise<PersonRow> =>
  required(await findPerson(ctx.db, id), 'ERR_NO_USER_FOUND')

/** Returns the requesting user's own row; throws ERR_NO_PERMISSION for a colleague's, ERR_NO_USER_FOUND for unknown ids. */
async function own(ctx: Pick<ReadCtx, 'db'> & { user: Actor }, id: number): Promise<PersonRow> {
  const row = await person(ctx, id)
  return ctx.user.id === id ? row : fail('ERR_NO_PERMISSION')
}

/** Serializes a user for the requesting user: all form fields for administrators and the user, the row for colleagues. */
async function shown(
  { settings, user, ...ctx }: Pick<ReadCtx, 'db' | 'settings'> & { user: Actor },
  id: number,
): Promise<Returned<typeof users.get>> {
  const row = await person(ctx, id)
  const isOwn = user.id === id
  const mayManage = may(user, settings, 'users:write')
  if (!row.is_active && !mayManage) return fail('ERR_NO_USER_FOUND')
  const { filtrosAtendimento = null, isDark = null, preferences = {} } = row.configs
  return {
    ...(isOwn || mayManage ? serializeUserDetail(row) : serializeUser(row)),
    configs: isOwn ? { filtrosAtendimento, isDark, preferences } : null,
    ...(isOwn ? sessionPermissionsOf({ ...user, queues: serializeUser(row).queues }, settings) : {}),
  }
}

const userRoutes = implement(users, {
  list: (ctx, { query }) => listUsers(ctx, query),
  get: (ctx, { params }) => shown(ctx, params.id),
  create: async (ctx, { body, request }) => {
    if (!isOn(ctx.settings, 'userCreation')) fail('ERR_USER_CREATION_DISABLED')
    const id = await createPerson(ctx, manager(ctx), withTyped(ctx.platform, request, body))
    // A link that could not be mailed is requested separately: this response is stored for repeated requests.
    const isMailed = isInvited(body) && (await invitePerson(ctx, manager(ctx), id)).isMailed
    return { ...serializeUserDetail(await person(ctx, id)), isMailed }
  },
  update: async (ctx, { params: { id }, body, request }) =>
    serializeUserDetail(await changePerson(ctx, manager(ctx), id, withTyped(ctx.platform, request, body))),
  remove: async (ctx, { params }) => {
    await removePerson(ctx, manager(ctx), params.id)
    return { message: 'ok' }
  },
  invite: (ctx, { params }) => invitePerson(ctx, manager(ctx), params.id),
  endSessions: async (ctx, { params }) => {
    await lockManaged(ctx, manager(ctx), params.id)
    return { ended: await revokeSessions(ctx, params.id, {}, 'revoked') }
  },
  setOnline: async (ctx, { params: { id }, body: { isOnline } }) => {
    await own(ctx, id)
    await updatePerson(ctx.db, id, { is_online: isOnline })
    ctx.emit(userEvents.online, { action: 'update', data: { userId: id, isOnline } }, { kind: 'tenant' })
    return { id, isOnline }
  },
  setAway: async (ctx, { params: { id }, body: { until } }) => {
    const { is_online: isOnline } = await own(ctx, id)
    const at = until === null ? null : new Date(until)
    const aheadMs = at === null ? 1 : at.getTime() - ctx.now.getTime()
    if (aheadMs <= 0 || aheadMs > LONGEST_BREAK_MS)
      fail('ERR_VALIDATION', { until: 'Escolha um momento das próximas 24 horas.' })
    await updatePerson(ctx.db, id, { away_until: at })
    ctx.emit(userEvents.online, { action: 'update', data: { userId: id, isOnline } }, { kind: 'tenant' })
    return { id, awayUntil: at }
  },
  setConfigs: async (ctx, { params: { id }, body }) => {
    await own(ctx, id)
    // The rest of them is the browser's alone.
    if (body.preferences?.undoSeconds !== undefined) ctx.stale(`actors ${ctx.tenantId}:${id}`)
    return { configs: await mergeConfigs(ctx.db, id, body) }
  },
})

const profileRoutes = implement(ownProfile, {
  save: async (ctx: UserCtx, { body }) => {
    await updatePerson(ctx.db, ctx.user.id, await withKnownPhone(body))
    publishUserChange(ctx, ctx.user.id)
    return { message: 'ok' }
  },
  changeEmail: async (asked, { body: { current, email }, request }) => {
    await requireOwnPassword(asked, request, current)
    const { platform, tenantId, user } = asked
    const change = await unit(platform, { tenantId, user, audit: asked.audit }, (ctx) =>
      changeOwnEmail(ctx, user.id, email),
    )
    return { message: 'ok', ...change }
  },
  changePassword: (ctx, { body, request }) => changeOwnPassword(ctx, request, body),
})

/** Routes of users and of the user's own account. */
export const peopleRoutes = [...userRoutes, ...profileRoutes]
