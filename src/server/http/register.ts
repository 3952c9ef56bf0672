import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '#kit/contract.ts'
import { fail } from '#kit/errors.ts'
import { whyRefused } from '../actors.ts'
import { reading, unit } from '../context.ts'
import { shownTo } from '../masking.ts'
import type { Platform } from '../platform.ts'
import type { StoredFile } from '../storage.ts'
import { actorOf } from './access-token.ts'
import { readInput } from './answer-error.ts'
import { audited } from './audited.ts'
import { countAsUser } from './bodies.ts'
import { downloadHeaders, isDownload } from './download.ts'
import { once } from './idempotency.ts'
import { bearerOf, type Route, requestInfo } from './route.ts'
import { withUpload } from './uploads.ts'

/** Puts the operations on the server, below `/api`: who asks, may they, is the request well formed, then the handler. */
export function registerRoutes(http: FastifyInstance, platform: Platform, routes: readonly Route[]) {
  for (const { op, handler } of routes) {
    http.route({
      method: op.method,
      url: `/api${op.path}`,
      // Before anything of the body is read: a stranger's is not waited for.
      ...(op.can === 'public' ? {} : { onRequest: (request) => findAsker(platform, request) }),
      handler: async (request, reply) => {
        const answer = await run(platform, op, handler as AnyHandler, request, reply)
        reply.header('cache-control', 'no-store')
        return isDownload(answer) ? reply.headers(downloadHeaders(answer)).send(answer.stream) : reply.send(answer)
      },
    })
  }
}

type AnyHandler = (ctx: unknown, input: unknown) => unknown

type Asker = Awaited<ReturnType<typeof actorOf>>
const askers = new WeakMap<FastifyRequest, Asker>()

async function findAsker(platform: Platform, request: FastifyRequest): Promise<void> {
  const asker = await actorOf(platform, bearerOf(request))
  askers.set(request, asker)
  countAsUser(request, `${asker.actor.tenantId}:${asker.actor.id}`)
}

async function run(
  platform: Platform,
  op: Operation,
  handler: AnyHandler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const info = requestInfo(request, reply)
  const work = async (ctx: unknown, input: object, isWhole = true) =>
    platform.answers.shaped(op, await handler(ctx, { ...input, request: info }), isWhole)
  if (op.can === 'public') {
    const ctx = { platform, now: platform.now() }
    if (!op.upload) return work(ctx, input(op, request))
    const { upload } = op
    const isForm = request.isMultipart()
    const { body, ...given } = input(isForm ? { ...op, body: undefined } : op, request)
    const receive = (tenantId: number, then: (body: unknown, files: StoredFile[]) => Promise<unknown>) =>
      isForm
        ? withUpload(platform, request, { ...upload, tenantId, isStranger: true }, (fields, files) =>
            then(input(op, request, fields).body, files),
          )
        : then(body, [])
    return work(ctx, { ...given, receive })
  }
  const { actor, claims } = askers.get(request)!
  const { tenantId } = actor
  const log = op.audit ? audited(platform, op, { actor, claims, info }) : null
  await platform.limits.use('api', `${tenantId}:${actor.id}`)
  const settings = await platform.settings.get(String(tenantId))
  const refusal = op.can === 'session' ? null : whyRefused(actor, settings, op.can)
  if (refusal) {
    await log?.refused({ params: request.params }, refusal)
    fail(refusal)
  }
  const shown = (answer: unknown) => shownTo(actor, op.returns, answer)
  const base = { tenantId, user: actor, audit: log?.add ?? (() => {}) }
  const mode = op.mode ?? (op.method === 'GET' ? 'read' : 'write')
  if (mode === 'slow') {
    const ctx = { platform, ...base, now: platform.now() }
    const recorded = async (given: object) => {
      const answer = await work(ctx, given)
      await log?.after(given, answer)
      return shown(answer)
    }
    if (!op.upload || !request.isMultipart()) return recorded({ ...input(op, request), files: [] })
    return withUpload(platform, request, { ...op.upload, tenantId }, (fields, files) =>
      recorded({ ...input(op, request, fields), files }),
    )
  }
  const given = input(op, request)
  if (mode === 'read') {
    const answer = await reading(platform, base, (ctx) => work(ctx, given, actor.restrictedUser))
    await log?.after(given, answer)
    return shown(answer)
  }
  const key = op.method === 'POST' ? (request.headers['idempotency-key'] as string | undefined) : undefined
  const answer = await unit(platform, base, (ctx) =>
    once({ ...ctx, user: actor }, key, op.name, given, async () => {
      const answer = await work(ctx, given)
      await log?.within(ctx, given, answer)
      return answer
    }),
  )
  await log?.finish()
  return shown(answer)
}

const input = (op: Operation, request: FastifyRequest, body: unknown = request.body ?? {}) => ({
  params: op.params && readInput(op.params, request.params),
  query: op.query && readInput(op.query, plainQuery(request.query as Record<string, unknown>)),
  body: op.body && readInput(op.body, body),
})

// `x[]=1` is `x=1` (decision B5).
const plainQuery = (query: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(query).map(([key, value]) => [key.replace(/\[\]$/, ''), value]))
