import type { MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { can, type Permission } from '#domain/access/permissions.ts'
import type { Operation } from '#kit/contract.ts'
import { fail } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import type { Actor } from '../actors.ts'
import { reading, unit } from '../context.ts'
import type { Platform } from '../platform.ts'
import type { StoredFile } from '../storage.ts'
import { actorOf } from './access-token.ts'
import { once } from './idempotency.ts'
import { type Route, requestInfo } from './route.ts'

/** Puts the operations on the server, below `/api`: who asks, may they, is the request well formed, then the handler. */
export function registerRoutes(http: FastifyInstance, platform: Platform, routes: readonly Route[]) {
  for (const { op, handler } of routes) {
    http.route({
      method: op.method,
      url: `/api${op.path}`,
      handler: async (request, reply) => {
        const answer = await run(platform, op, handler as AnyHandler, request, reply)
        reply.header('cache-control', 'no-store')
        return reply.send(op.returns.parse(answer))
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
  if (op.can === 'public') {
    return handler({ platform, now: platform.now() }, { ...(await input(op, request)), request: info })
  }
  const { actor } = await actorOf(platform, info.bearer)
  await platform.limits.use('api', `${actor.tenantId}:${actor.id}`)
  if (op.can !== 'session' && !(await may(platform, actor, op.can))) fail('ERR_NO_PERMISSION')
  const base = { tenantId: actor.tenantId, user: actor }
  const mode = op.mode ?? (op.method === 'GET' ? 'read' : 'write')
  const checked = await input(op, request, mode === 'slow' ? { platform, tenantId: actor.tenantId } : undefined)
  const given = { ...checked, request: info }
  if (mode === 'read') return reading(platform, base, async (ctx) => handler(ctx, given))
  if (mode === 'slow') return handler({ platform, ...base, now: platform.now() }, given)
  const key = op.method === 'POST' ? (request.headers['idempotency-key'] as string | undefined) : undefined
  return unit(platform, base, (ctx) =>
    once({ ...ctx, user: actor }, key, op.name, given.body, async () => handler(ctx, given)),
  )
}

async function may(platform: Platform, actor: Actor, permission: Permission): Promise<boolean> {
  const settings = await platform.settings.get(String(actor.tenantId))
  return can({ ...actor, supervisorsLimited: isOn(settings, 'supervisorAdmin') }, permission)
}

type Parts = { params: unknown; query: unknown; body: unknown; files?: StoredFile[] }

async function input(
  op: Operation,
  request: FastifyRequest,
  store?: { platform: Platform; tenantId: number },
): Promise<Parts> {
  const params = op.params?.parse(request.params)
  const query = op.query?.parse(plainQuery(request.query as Record<string, unknown>))
  if (op.upload && request.isMultipart() && store) {
    const { fields, files } = await receive(op.upload, request, store)
    return { params, query, body: op.body?.parse(fields), files }
  }
  return { params, query, body: op.body?.parse(request.body ?? {}), ...(op.upload ? { files: [] } : {}) }
}

// `x[]=1` is `x=1` (decision B5).
const plainQuery = (query: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(query).map(([key, value]) => [key.replace(/\[\]$/, ''), value]))

async function receive(
  limits: NonNullable<Operation['upload']>,
  request: FastifyRequest,
  { platform, tenantId }: { platform: Platform; tenantId: number },
) {
  const fields: Record<string, unknown> = {}
  const files: StoredFile[] = []
  for await (const part of request.parts({
    limits: { files: limits.maxFiles, fileSize: limits.maxBytes + 1, fields: 30, fieldSize: 100_000 },
  })) {
    if (part.type === 'field') fields[part.fieldname] = part.value
    else
      files.push(
        await platform.storage.save(tenantId, (part as MultipartFile).file, {
          name: part.filename,
          maxBytes: limits.maxBytes,
          now: platform.now(),
        }),
      )
  }
  return { fields, files }
}
