import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lookUp } from '#domain/present.ts'
import type { Operation } from '#kit/contract.ts'
import type { Platform } from '../platform.ts'
import type { StoredFile } from '../storage.ts'
import { actorOf } from './access-token.ts'
import { countAsUser } from './bodies.ts'
import { downloadHeaders, isDownload } from './download.ts'
import { checkedInput, modeOf, operate } from './operate.ts'
import { bearerOf, type Route, requestInfo } from './route.ts'
import { withUpload } from './uploads.ts'

/** Registers the operations below `/api`: authentication, permission, validation, then the handler. */
export function registerRoutes(http: FastifyInstance, platform: Platform, routes: readonly Route[]) {
  for (const { op, handler } of routes) {
    http.route({
      method: op.method,
      url: `/api${op.path}`,
      config: { takesAny: op.takesAny === true },
      // Checked before the body is read: a stranger's body is not waited for.
      ...(op.can === 'public' ? {} : { onRequest: (request) => findAsker(platform, request) }),
      ...(op.takesAny ? { preParsing: async (request) => forgetBrokenType(request) } : {}),
      handler: async (request, reply) => {
        const answer = await run(platform, op, handler, request, reply)
        reply.header('cache-control', 'no-store')
        return isDownload(answer)
          ? reply.headers(downloadHeaders(answer)).send(answer.stream)
          : reply.status(op.status ?? 200).send(answer)
      },
    })
  }
}

/** Removes a content type that is none, such as “json”: the framework would refuse the body unread. */
function forgetBrokenType({ headers }: FastifyRequest): void {
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+*-]+/.test(headers['content-type'] ?? '')) delete headers['content-type']
}

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
  handler: Route['handler'],
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
  const { actor, claims } = lookUp(askers, request)
  await platform.limits.use('api', `${actor.tenantId}:${actor.id}`)
  const { upload } = op
  const isForm = upload !== undefined && modeOf(op) === 'slow' && request.isMultipart()
  const by = { sessionId: claims.sessionId }
  return operate(platform, { op, handler }, { actor, by, info }, () => rawInput(request), {
    key: op.method === 'POST' ? singleHeader(request.headers['idempotency-key']) : undefined,
    receive: isForm
      ? (take) => withUpload(platform, request, { ...upload, tenantId: actor.tenantId }, take)
      : undefined,
  })
}

const singleHeader = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)

const rawInput = (request: FastifyRequest, body: unknown = request.body ?? {}) => ({
  ...{ params: request.params, body },
  query: plainQuery(request.query as Record<string, unknown>),
})

const input = (op: Operation, request: FastifyRequest, body?: unknown) => checkedInput(op, rawInput(request, body))

// `x[]=1` is `x=1` (decision B5).
const plainQuery = (query: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(query).map(([key, value]) => [key.replace(/\[\]$/, ''), value]))
