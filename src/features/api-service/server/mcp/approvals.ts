import type { Returned } from '#kit/contract.ts'
import { AppError, errorText, fail, required } from '#kit/errors.ts'
import type { Permission } from '#kit/permissions.ts'
import type { TenantSettings } from '#kit/settings.ts'
import { type Actor, may, whyRefused, withScopes } from '#server/actors.ts'
import { type Ctx, unit } from '#server/context.ts'
import { implement, type Route } from '#server/http/route.ts'
import { countOf, pageOf, pageStartOf } from '#server/paging.ts'
import { mcpApprovals, mcpEvents } from '../../contract.ts'
import { findKey } from '../queries.ts'
import { type Acting, type Env, write } from './call.ts'
import {
  type Approval,
  countWaiting,
  decideApproval,
  endApproval,
  findApproval,
  insertApproval,
  pageOfApprovals,
} from './queries-mcp.ts'
import { rawInputOf, type Tool, toolsOf } from './tools.ts'

const WAITING_MS = 24 * 3_600_000
const MOST_WAITING = 100
/** Time after which a running call counts as lost with its process. */
const LONGEST_MS = 15 * 60_000

// The operations are known when the server begins to listen.
let known: { routes: ReadonlyMap<string, Route>; tools: ReadonlyMap<string, Tool> } | undefined

/** Registers the routes; returns those that are tools. */
export function knowRoutes(routes: readonly Route[]): NonNullable<typeof known> {
  known = { routes: new Map(routes.map((route) => [route.op.name, route])), tools: toolsOf(routes) }
  return known
}
const toolNamed = (operation: string): Tool | undefined => known?.tools.get(operation.replace('.', '_'))

/** Stores a call that waits for approval, with the result of a dry run; returns its id. */
export async function ask(
  env: Env,
  { actor, keyId, agent }: Acting,
  tool: Tool,
  given: { input: Record<string, unknown>; before: unknown; after: unknown },
): Promise<string> {
  return unit(env.platform, { tenantId: actor.tenantId, user: actor }, async (ctx) => {
    if ((await countWaiting(ctx.db, ctx.now, keyId)) >= MOST_WAITING) fail('ERR_MAX_APPROVALS')
    const id = ctx.newId()
    const about = { id, key_id: keyId, operation: tool.route.op.name, ...agent, ...given }
    await insertApproval(ctx.db, { ...about, expires_at: new Date(ctx.now.getTime() + WAITING_MS) }, ctx.now)
    publish(ctx, id)
    return id
  })
}

const publish = (ctx: Ctx, id: string): void =>
  ctx.emit(mcpEvents.approvals, { id }, { kind: 'permission', permission: 'api:write' })

const permissionOf = (operation: string): Permission | null => {
  const can = toolNamed(operation)?.route.op.can
  return can === undefined || can === 'session' || can === 'public' ? null : can
}
const mayDecide = (user: Actor, settings: TenantSettings, operation: string): boolean => {
  const permission = permissionOf(operation)
  return permission !== null && may(user, settings, permission)
}

/** Returns the displayed state of a call: undecided calls and those of dead processes expire. */
function stateOf(row: Approval, now: Date): Pick<Returned<typeof mcpApprovals.approve>, 'status' | 'error'> {
  const { status, error, expires_at, decided_at } = row
  if (status === 'waiting' && expires_at <= now) return { status: 'expired', error }
  if (status === 'running' && decided_at && decided_at.getTime() + LONGEST_MS <= now.getTime())
    return toolNamed(row.operation)?.mode === 'slow'
      ? { status: 'uncertain', error: UNCERTAIN }
      : { status: 'failed', error: NOT_DONE }
  return { status, error }
}

const UNCERTAIN = 'O servidor parou enquanto ela era feita: confira o que chegou a mudar antes de pedir de novo.'
// An operation within one transaction is done with its effect, or not at all.
const NOT_DONE = 'O servidor parou enquanto ela era feita: nada mudou. Ela pode ser pedida de novo.'

type Judged = { user: Actor; settings: TenantSettings; now: Date }

const shown = (row: Approval, { user, settings, now }: Judged): Returned<typeof mcpApprovals.approve> => ({
  ...{ id: row.id, key: row.key, owner: row.owner, operation: row.operation, client: row.client, prompt: row.prompt },
  summary: toolNamed(row.operation)?.route.op.summary.split(';', 1)[0] ?? row.operation,
  ...{ input: row.input, before: row.before, after: row.after },
  ...stateOf(row, now),
  mayDecide: mayDecide(user, settings, row.operation),
  ...{ decider: row.decider, decidedAt: row.decided_at, createdAt: row.created_at, expiresAt: row.expires_at },
})

/** Returns the state of a call, for the program that requested it. */
export const outcomeOf = (row: Approval, now: Date) => ({
  approvalId: row.id,
  ...stateOf(row, now),
  effectId: row.effect_id,
})

/** Routes of pending approvals. */
export const approvalRoutes = implement(mcpApprovals, {
  list: async ({ db, user, settings, now }, { query }) => {
    const start = pageStartOf<[number, string]>(query, 2)
    const found = await pageOfApprovals(db, { isWaiting: query.waiting, now }, start)
    const { rows, paging } = pageOf(found, (row) => [row.place, row.id])
    const waiting = await countWaiting(db, now)
    const items = rows.map((row) => shown(row, { user, settings, now }))
    return { items, waiting, ...countOf(query.waiting ? waiting : items.length), ...paging }
  },
  approve: async ({ platform, tenantId, user, audit }, { params: { id }, request: info }) => {
    const settings = await platform.settings.get(String(tenantId))
    const { row, key } = await unit(platform, { tenantId, user }, async (ctx) => {
      const found = required(await findApproval(ctx.db, id), 'ERR_NO_APPROVAL_FOUND')
      requireDecider(ctx, user, found)
      await decide(ctx, id, 'running', user)
      return { row: found, key: required(await findKey(ctx.db, found.key_id), 'ERR_NO_API_KEY_FOUND') }
    })
    audit({ target: { id, operation: row.operation, client: row.client } })
    const owner = await platform.actors.get(`${tenantId}:${key.user_id}`)
    const tool = toolNamed(row.operation)
    const end = (result: Parameters<typeof endApproval>[2]) =>
      unit(platform, { tenantId, user }, async (ctx) => {
        await endApproval(ctx.db, id, result)
        publish(ctx, id)
      })
    try {
      if (!key.is_active || !owner) return fail('ERR_API_KEY_OFF')
      if (!tool) return fail('ERR_NO_TOOL_FOUND')
      const agent = { client: row.client, prompt: row.prompt }
      const acting = { actor: withScopes(owner, key.scopes), keyId: key.id, info, agent }
      const refusal = whyRefused(acting.actor, settings, permissionOf(row.operation)!)
      if (refusal) fail(refusal)
      const raw = rawInputOf(tool, row.input, { isDry: false, newId: () => id })
      await write({ platform, routes: known!.routes }, acting, tool, raw, {
        within: (ctx, effectId) => {
          publish(ctx, id)
          return endApproval(ctx.db, id, { status: 'done', effect_id: effectId })
        },
      })
    } catch (error) {
      await end({
        status: 'failed',
        error: error instanceof AppError ? errorText(error.code) : errorText('ERR_UNIDENTIFIED'),
      })
      if (!(error instanceof AppError)) throw error
    }
    const now = platform.now()
    return shown(await platform.db.read(tenantId, async (db) => (await findApproval(db, id))!), { user, settings, now })
  },
  refuse: async (ctx, { params: { id } }) => {
    const found = required(await findApproval(ctx.db, id), 'ERR_NO_APPROVAL_FOUND')
    requireDecider(ctx, ctx.user, found)
    await decide(ctx, id, 'refused', ctx.user)
    ctx.audit({ target: { id, operation: found.operation, client: found.client } })
    return shown((await findApproval(ctx.db, id))!, ctx)
  },
})

const requireDecider = ({ settings }: Ctx, user: Actor, { operation }: Approval): void =>
  mayDecide(user, settings, operation) ? undefined : fail('ERR_NO_PERMISSION')

async function decide(ctx: Ctx, id: string, status: 'running' | 'refused', user: Actor): Promise<void> {
  if (!(await decideApproval(ctx.db, id, { status, userId: user.id, now: ctx.now }))) fail('ERR_APPROVAL_DECIDED')
  publish(ctx, id)
}
