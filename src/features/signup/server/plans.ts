import type { z } from 'zod'
import { decodeCursor, encodeCursor } from '#kit/cursor.ts'
import { fail, required } from '#kit/errors.ts'
import { changeInstallation } from '#server/db/installation.ts'
import { implement } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import { type Plan, plans } from '../contract.ts'
import type { planForm } from '../forms.ts'
import { deletePlan, findPlan, insertPlan, listOffered, listPlans, updatePlan } from './queries.ts'

/** So many plans are offered to somebody who signs up. */
const OFFERED = 100
const PAGE = 40
const LAST_NUMBERED_PAGE = 50
const PART = 'signup'

/** Whether the installation takes new companies; a fresh one does not. */
export const isSignupOpen = async (platform: Platform): Promise<boolean> =>
  ((await platform.installation.get('all'))[PART] as { isOpen?: boolean } | undefined)?.isOpen === true

type Row = Awaited<ReturnType<typeof listOffered>>[number]

const shown = ({ trial_period: trialPeriod, is_active: isActive, ...rest }: Row) => ({ ...rest, trialPeriod, isActive })
const shownWithTenants = (row: Row & { tenants: number }): Plan => ({ ...shown(row), tenants: row.tenants })

const stored = ({ trialPeriod, isActive, ...rest }: z.output<typeof planForm>) => ({
  ...rest,
  trial_period: trialPeriod,
  is_active: isActive,
})

const named = ({ tenants: _, id: __, ...fields }: Plan) => fields

/** What is offered and its administration; rows of the platform, reached through its one door. */
export const planRoutes = implement(plans, {
  offered: async ({ platform }) => {
    const found = await platform.db.asPlatform((db) => listOffered(db, OFFERED + 1))
    return {
      plan: found.slice(0, OFFERED).map(shown),
      hasMore: found.length > OFFERED,
      isOpen: await isSignupOpen(platform),
    }
  },
  list: async ({ platform }, { query }) => {
    if (query.pageNumber > LAST_NUMBERED_PAGE && !query.cursor) fail('ERR_PAGE_TOO_FAR')
    const after = query.cursor ? (decodeCursor(query.cursor, 2) as [string, number]) : null
    const offset = after ? 0 : (query.pageNumber - 1) * PAGE
    const rows = await platform.db.asPlatform((db) =>
      listPlans(db, { search: query.searchParam, after, offset, limit: PAGE + 1 }),
    )
    const page = rows.slice(0, PAGE)
    const hasMore = rows.length > PAGE
    const last = page.at(-1)
    return {
      plan: page.map(shownWithTenants),
      count: page.length,
      countIsCapped: hasMore,
      hasMore,
      nextCursor: hasMore && last ? encodeCursor([last.name, last.id]) : null,
      isOpen: await isSignupOpen(platform),
    }
  },
  get: async ({ platform }, { params }) =>
    shownWithTenants(required(await platform.db.asPlatform((db) => findPlan(db, params.id)), 'ERR_NO_PLAN_FOUND')),
  create: ({ platform, audit }, { body }) =>
    platform.db.asPlatform(async (db) => {
      const made = shownWithTenants((await findPlan(db, await insertPlan(db, stored(body))))!)
      audit({ target: { id: made.id }, after: named(made) })
      return made
    }),
  update: ({ platform, audit }, { params, body }) =>
    platform.db.asPlatform(async (db) => {
      const before = shownWithTenants(required(await findPlan(db, params.id), 'ERR_NO_PLAN_FOUND'))
      await updatePlan(db, params.id, stored(body))
      const after = shownWithTenants((await findPlan(db, params.id))!)
      audit({ before: named(before), after: named(after) })
      return after
    }),
  remove: async ({ platform }, { params }) => {
    const isGone = await platform.db.asPlatform((db) => deletePlan(db, params.id)).catch(refuseInUse)
    return isGone ? { message: 'ok' } : fail('ERR_NO_PLAN_FOUND')
  },
  open: async ({ platform, audit }, { body }) => {
    audit({ before: { isOpen: await isSignupOpen(platform) }, after: body })
    await platform.db.asPlatform((db) => changeInstallation(db, PART, body))
    platform.bus.stale('installation all')
    return body
  },
})

// A company that signed up meanwhile: the database says so.
function refuseInUse(error: unknown): never {
  if ((error as { code?: string }).code === '23503') return fail('ERR_PLAN_IN_USE')
  throw error
}
