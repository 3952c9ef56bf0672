import { fieldIn, ownMember } from '#domain/keys.ts'
import { codeOf, fail, required } from '#kit/errors.ts'
import { transactionTime } from '#server/db/db.ts'
import { changeInstallation } from '#server/db/installation.ts'
import { implement } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import { type Plan, plans } from '../contract.ts'
import { planTable } from '../table.ts'
import { listOffered, planRows } from './queries.ts'

/** Maximum number of plans on offer. */
const OFFERED = 100
const PART = 'signup'

/** Whether the installation takes new companies; a fresh one does not. */
export const isSignupOpen = async (platform: Platform): Promise<boolean> =>
  fieldIn((await platform.installation.get('all'))[PART], 'isOpen') === true

// Plan data for audit records.
const named = (plan: Plan) =>
  Object.fromEntries(Object.keys(planTable.fields).map((key) => [key, ownMember(plan, key)]))

/** Routes of plans; their rows belong to the platform. */
export const planRoutes = implement(plans, {
  offered: async ({ platform }) => {
    const found = await platform.db.asPlatform((db) => listOffered(db, OFFERED + 1))
    return { plan: found.slice(0, OFFERED), hasMore: found.length > OFFERED, isOpen: await isSignupOpen(platform) }
  },
  list: async ({ platform }, { query }) => {
    const { rows, page } = await platform.db.asPlatform((db) => planRows.list(db, query))
    return { plan: rows, ...page, isOpen: await isSignupOpen(platform) }
  },
  get: async ({ platform }, { params }) =>
    required(await platform.db.asPlatform((db) => planRows.find(db, params.id)), 'ERR_NO_PLAN_FOUND'),
  create: ({ platform, audit }, { body }) =>
    platform.db.asPlatform(async (db) => {
      const made = await planRows.insert(db, body, transactionTime(db))
      audit({ target: { id: made.id }, after: named(made) })
      return made
    }),
  update: ({ platform, audit }, { params, body }) =>
    platform.db.asPlatform(async (db) => {
      const before = required(await planRows.lock(db, params.id), 'ERR_NO_PLAN_FOUND')
      const after = required(await planRows.update(db, params.id, body, transactionTime(db)), 'ERR_NO_PLAN_FOUND')
      audit({ before: named(before), after: named(after) })
      return after
    }),
  remove: async ({ platform }, { params }) => {
    const isGone = await platform.db.asPlatform((db) => planRows.remove(db, params.id)).catch(refuseInUse)
    return isGone ? { message: 'ok' } : fail('ERR_NO_PLAN_FOUND')
  },
  open: async ({ platform, audit }, { body }) => {
    audit({ before: { isOpen: await isSignupOpen(platform) }, after: body })
    await platform.db.asPlatform((db) => changeInstallation(db, PART, body))
    platform.bus.stale('installation all')
    return body
  },
})

// A concurrent signup with the plan violates the foreign key.
function refuseInUse(error: unknown): never {
  if (codeOf(error) === '23503') return fail('ERR_PLAN_IN_USE')
  throw error
}
