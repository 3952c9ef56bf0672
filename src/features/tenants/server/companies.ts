import type { Returned } from '#kit/contract.ts'
import { codeOf, fail, required } from '#kit/errors.ts'
import { channelTypeIds } from '#providers/channels/configs.ts'
import { may } from '#server/actors.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { COUNTED, countOf, pageOf, pageStartOf } from '#server/paging.ts'
import { companies } from '../companies.ts'
import {
  type CompanyRow,
  countCompanies,
  countEverything,
  existingCompanies,
  findCompany,
  findOwn,
  listCompanies,
  type OwnRow,
  sumCompanies,
} from './queries-companies.ts'
import { changeCompany, makeCompany } from './save-company.ts'
import { trendOf } from './trends.ts'
import { trialDays } from './trial.ts'

const shownOwn = (row: OwnRow) => ({
  id: row.id,
  name: row.name,
  status: row.status,
  maxUsers: row.max_users,
  maxConnections: row.max_connections,
  maxAssistantAnswers: row.max_assistant_answers,
  users: row.users,
  connections: row.connections,
  timezone: row.timezone,
  trial: row.trial_ends_at ? ('enabled' as const) : ('disabled' as const),
  trialPeriod: trialDays(row.trial_began_at, row.trial_ends_at),
  trialEndsAt: row.trial_ends_at,
  allowedChannels: row.allowed_channels ?? channelTypeIds(),
  excludedFeatures: row.excluded_features,
  menuVisibility: JSON.parse(row.menu_visibility),
  createdAt: row.created_at,
})

const shown = (row: CompanyRow) => ({
  ...shownOwn(row),
  identity: row.identity,
  domains: row.domains,
  planId: row.plan_id,
  planName: row.plan_name,
  ownerName: row.owner_name,
  ownerEmail: row.owner_email,
  updatedAt: row.updated_at,
})

const runsInstallation = async ({ platform, user, tenantId }: SlowCtx): Promise<boolean> =>
  may(user, await platform.settings.get(String(tenantId)), 'platform:read')

const readOwn = async ({ platform, tenantId }: SlowCtx) =>
  shownOwn(required(await platform.db.read(tenantId, (db) => findOwn(db, tenantId)), 'ERR_NO_TENANT_FOUND'))

/** Routes of companies; the superadmin's use platform database access. */
export const companyRoutes = implement(companies, {
  list: async (ctx, { query }) => {
    if (!(await runsInstallation(ctx)))
      return { tenants: [await readOwn(ctx)], count: 1, hasMore: false, nextCursor: null }
    const wanted = { search: query.searchParam, status: query.status, only: query.only, now: ctx.platform.now() }
    return ctx.platform.db.asPlatform(async (db) => {
      const found = await listCompanies(db, wanted, pageStartOf(query, 2))
      const { rows, paging } = pageOf(found, (row) => [row.sort_name, row.id])
      return { tenants: rows.map(shown), ...countOf(await countCompanies(db, wanted, COUNTED)), ...paging }
    })
  },
  totals: ({ platform }) => platform.db.asPlatform((db) => sumCompanies(db, platform.now())),
  get: async (ctx, { params: { id } }) => {
    if (await runsInstallation(ctx))
      return [shown(required(await ctx.platform.db.asPlatform((db) => findCompany(db, id)), 'ERR_NO_TENANT_FOUND'))]
    return id === ctx.tenantId ? [await readOwn(ctx)] : fail('ERR_NO_TENANT_FOUND')
  },
  create: async (ctx, { body, request }) => shown(await makeCompany(ctx, request, body)),
  update: async (ctx, { params, body, request }) => shown(await changeCompany(ctx, request, params.id, body)),
  trends: async ({ platform }, { query: { ids } }) => {
    const trends: Returned<typeof companies.trends>['trends'] = []
    const known = await platform.db.askAsPlatform((db) => existingCompanies(db, ids ?? []))
    // One after the other, so that a page of companies does not take all platform connections.
    for (const id of known) trends.push({ id, days: await trendOf(platform, id) })
    return { trends }
  },
  metrics: async ({ platform }, { body }) =>
    platform.db
      .asPlatform(async (db) => {
        required(await findCompany(db, body.tenantId), 'ERR_NO_TENANT_FOUND')
        const { sent, received, open, pending, closed, schedule, contacts } = await countEverything(db, body.tenantId)
        return {
          totalMessages: { sent, received },
          tickets: { total: open + pending + closed, open, pending, closed, schedule },
          contacts: { total: contacts },
        }
      })
      .catch((error: unknown) => {
        if (codeOf(error) === '57014') return fail('ERR_COUNT_TIMEOUT')
        throw error
      }),
})
