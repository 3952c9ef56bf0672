import { decodeCursor, encodeCursor } from '#kit/cursor.ts'
import { fail, required } from '#kit/errors.ts'
import { settingsRegistry } from '#kit/settings.ts'
import type { Ctx } from '#server/context.ts'
import type { Tx } from '#server/db/db.ts'
import { addToDirectory } from '#server/db/directory.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { type UserRow, userEvents, users } from '../contract.ts'
import { findUser, insertUser, listUsers, updateUser } from './queries.ts'

const PAGE = 40

/** Creates a user with its login names; as the platform, because login names are unique over the installation. */
export async function createUser(
  db: Tx,
  input: {
    tenantId: number
    name: string
    email: string
    username?: string
    profile: UserRow['profile']
    passwordHash: string | null
  },
): Promise<number> {
  const id = await insertUser(db, {
    tenant_id: input.tenantId,
    name: input.name,
    email: input.email,
    username: input.username ?? null,
    profile: input.profile,
    password_hash: input.passwordHash,
  })
  for (const key of [input.email, input.username]) {
    if (key) await addToDirectory(db, { kind: 'login', key, tenantId: input.tenantId, subjectId: String(id) })
  }
  return id
}

/** Sets a new password. */
export async function setPassword(ctx: Ctx, userId: number, passwordHash: string): Promise<void> {
  if (!(await updateUser(ctx.db, userId, { password_hash: passwordHash }))) fail('ERR_NO_USER_FOUND')
}

/** One's own row; a colleague's is refused, anybody else's is not there. */
async function own(ctx: Pick<Ctx, 'db'> & { user: { id: number } }, id: number) {
  const row = required(await findUser(ctx.db, id), 'ERR_NO_USER_FOUND')
  return ctx.user.id === id ? row : fail('ERR_NO_PERMISSION')
}

const routes = implement(users, {
  list: async (ctx, { query }) => {
    const after = query.cursor ? (decodeCursor(query.cursor, 2) as [string, number]) : null
    const rows = await listUsers(ctx.db, { search: query.searchParam, queueId: query.queueId, after, limit: PAGE + 1 })
    const page = rows.slice(0, PAGE)
    const hasMore = rows.length > PAGE
    const last = page.at(-1)
    return {
      users: page.map(wire),
      count: page.length,
      countIsCapped: hasMore,
      hasMore,
      nextCursor: hasMore && last ? encodeCursor([last.name, last.id]) : null,
    }
  },
  get: async (ctx, { params }) => {
    const row = required(await findUser(ctx.db, params.id), 'ERR_NO_USER_FOUND')
    const isOwn = ctx.user.id === params.id
    const configs = row.configs as { filtrosAtendimento?: unknown; isDark?: boolean }
    return {
      ...wire(row),
      configs: isOwn
        ? { filtrosAtendimento: configs.filtrosAtendimento ?? null, isDark: configs.isDark ?? null }
        : null,
      menuVisibility: isOwn ? JSON.parse(ctx.settings.values.menuVisibility) : null,
      settings: isOwn
        ? Object.fromEntries(
            Object.keys(settingsRegistry).map((key) => [
              key,
              ctx.settings.values[key as keyof typeof settingsRegistry],
            ]),
          )
        : null,
    }
  },
  setOnline: async (ctx, { params, body }) => {
    await own(ctx, params.id)
    await updateUser(ctx.db, params.id, { is_online: body.isOnline })
    ctx.emit(
      userEvents.online,
      { action: 'update', data: { userId: params.id, isOnline: body.isOnline } },
      { kind: 'tenant' },
    )
    return { id: params.id, isOnline: body.isOnline }
  },
  setConfigs: async (ctx, { params, body }) => {
    const row = await own(ctx, params.id)
    const configs = { ...(row.configs as object), ...body }
    await updateUser(ctx.db, params.id, { configs: JSON.stringify(configs) })
    return { configs }
  },
})

const wire = (row: Awaited<ReturnType<typeof listUsers>>[number]) => ({
  id: row.id,
  name: row.name,
  email: row.email,
  profile: row.profile as UserRow['profile'],
  isOnline: row.is_online,
  queues: row.queues,
})

/** Users, first cut. */
export const usersFeature: Feature = { name: 'users', routes }
