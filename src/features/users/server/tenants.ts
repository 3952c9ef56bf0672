import type { Manager } from '#domain/people/manage.ts'
import { claimOwnership } from '#features/tenants/server/index.ts'
import { fail, required } from '#kit/errors.ts'
import { type Ctx, unit } from '#server/context.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { COUNTED, countOf, pageOf, pageStartOf } from '#server/paging.ts'
import { userTenants } from '../user-tenants.ts'
import { invitePerson } from './invite.ts'
import { withTyped } from './passwords.ts'
import { findPerson } from './queries.ts'
import { countCompanies, countEverybody, findCompany, listCompanies, listEverybody } from './queries-platform.ts'
import { changePerson, createPerson, isInvited, removePerson } from './save.ts'
import { serializeUserDetail } from './serializer.ts'

/** Runs a transaction in an existing company, as the superadmin. */
async function within<T>(
  { platform, user, tenantId: home, audit }: SlowCtx,
  tenantId: number,
  work: (ctx: Ctx, by: Manager) => Promise<T>,
): Promise<T> {
  if (!(await platform.db.asPlatform((db) => findCompany(db, tenantId)))) fail('ERR_NO_TENANT_FOUND')
  const by = { id: user.id, name: user.name, profile: user.profile, isAtHome: tenantId === home }
  return unit(platform, { tenantId, user: by.isAtHome ? user : null, audit }, (ctx) => work(ctx, by))
}

const detail = async (ctx: Ctx, id: number) =>
  serializeUserDetail(required(await findPerson(ctx.db, id), 'ERR_NO_USER_FOUND'))

/** Routes of users of all companies. */
export const tenantRoutes = implement(userTenants, {
  list: async ({ platform }, { query }) => {
    const wanted = { search: query.searchParam, tenantId: query.tenantId }
    const found = await platform.db.asPlatform((db) => listEverybody(db, wanted, pageStartOf(query, 3)))
    const { rows, paging } = pageOf(found, (row) => [row.sort_tenant, row.sort_name, row.id])
    return {
      users: rows.map((row) => ({
        id: row.id,
        tenantId: row.tenant_id,
        tenantName: row.tenant_name,
        name: row.name,
        email: row.email,
        username: row.username,
        phone: row.phone,
        profile: row.profile,
        restrictedUser: row.restricted_user,
        isActive: row.is_active,
        isSupport: row.is_support,
        isInvited: row.password_hash === null,
        lastLogin: row.last_login,
      })),
      ...countOf(await platform.db.asPlatform((db) => countEverybody(db, wanted, COUNTED))),
      ...paging,
    }
  },
  companies: async ({ platform }, { query }) => {
    const found = await platform.db.asPlatform((db) => listCompanies(db, query.searchParam, pageStartOf(query, 2)))
    const { rows, paging } = pageOf(found, (row) => [row.sort_name, row.id])
    return {
      companies: rows.map(({ id, name, used, max_users }) => ({ id, name, used, max: max_users })),
      ...countOf(await platform.db.asPlatform((db) => countCompanies(db, query.searchParam, COUNTED))),
      ...paging,
    }
  },
  create: async (asked, { body: { tenantId, ...form }, request }) => {
    const made = await within(asked, tenantId, async (ctx, by) => {
      const id = await createPerson(ctx, by, withTyped(asked.platform, request, form))
      const isMailed = isInvited(form) && (await invitePerson(ctx, by, id)).isMailed
      return { ...(await detail(ctx, id)), isMailed }
    })
    if (form.profile === 'admin' && (await asked.platform.db.asPlatform((db) => claimOwnership(db, tenantId, made.id))))
      asked.platform.bus.stale(`settings ${tenantId}`)
    return made
  },
  update: (asked, { params, body: { tenantId, ...form }, request }) =>
    within(asked, tenantId, async (ctx, by) =>
      serializeUserDetail(await changePerson(ctx, by, params.id, withTyped(asked.platform, request, form))),
    ),
  remove: (asked, { params, body }) =>
    within(asked, body.tenantId, async (ctx, by) => {
      await removePerson(ctx, by, params.id)
      return { message: 'ok' }
    }),
  invite: (asked, { params, body }) => within(asked, body.tenantId, (ctx, by) => invitePerson(ctx, by, params.id)),
})
