import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { can, type Permission } from '#domain/access/permissions.ts'
import type { Operation } from '#kit/contract.ts'
import { fail } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import type { Actor } from '../actors.ts'
import { reading, unit } from '../context.ts'
import type { Platform } from '../platform.ts'
import { actorOf } from './access-token.ts'
import { readInput } from './answer-error.ts'
import { once } from './idempotency.ts'
import { type Route, requestInfo } from './route.ts'
import { withUpload } from './uploads.ts'

/** Puts the operations on the server, below `/api`: who asks, may they, is the request well formed, then the handler. */
export function registerRoutes(http: FastifyInstance, platform: Platform, routes: readonly Route[]) {
  for (const { op, handler } of routes) {
    http.route({
      method: op.method,
      url: `/api${op.path}`,
      handler: async (request, reply) => {
        const answer = await run(platform, op, handler as AnyHandler, request, reply)
        reply.header('cache-control', 'no-store')
        return reply.send(answer)
      },
    })
  }
}

type AnyHandler = (ctx: unknown, input: unknown) => unknown

async function run(
  platform: Platform,
  op: Operation,
  handler: AnyHandler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const info = requestInfo(request, reply)
  const work = async (ctx: unknown, input: object) => op.returns.parse(await handler(ctx, { ...input, request: info }))
  if (op.can === 'public') return work({ platform, now: platform.now() }, input(op, request))
  const { actor } = await actorOf(platform, info.bearer)
  const { tenantId } = actor
  await platform.limits.use('api', `${tenantId}:${actor.id}`)
  if (op.can !== 'session' && !(await may(platform, actor, op.can))) fail('ERR_NO_PERMISSION')
  const base = { tenantId, user: actor }
  const mode = op.mode ?? (op.method === 'GET' ? 'read' : 'write')
  if (mode === 'slow') {
    const ctx = { platform, ...base, now: platform.now() }
    if (!op.upload || !request.isMultipart()) return work(ctx, { ...input(op, request), files: [] })
    return withUpload(platform, request, { ...op.upload, tenantId }, (fields, files) =>
      work(ctx, { ...input(op, request, fields), files }),
    )
  }
  const given = input(op, request)
  if (mode === 'read') return reading(platform, base, (ctx) => work(ctx, given))
  const key = op.method === 'POST' ? (request.headers['idempotency-key'] as string | undefined) : undefined
  return unit(platform, base, (ctx) => once({ ...ctx, user: actor }, key, op.name, given, () => work(ctx, given)))
}

async function may(platform: Platform, actor: Actor, permission: Permission): Promise<boolean> {
  const settings = await platform.settings.get(String(actor.tenantId))
  return can({ ...actor, supervisorsLimited: isOn(settings, 'supervisorAdmin') }, permission)
}

const input = (op: Operation, request: FastifyRequest, body: unknown = request.body ?? {}) => ({
  params: op.params && readInput(op.params, request.params),
  query: op.query && readInput(op.query, plainQuery(request.query as Record<string, unknown>)),
  body: op.body && readInput(op.body, body),
})

// `x[]=1` is `x=1` (decision B5).
const plainQuery = (query: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(query).map(([key, value]) => [key.replace(/\[\]$/, ''), value]))
