import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { memberOf } from '#domain/present.ts'
import type { Input, Operation, OperationSpec, Returned } from '#kit/contract.ts'
import type { Actor } from '../actors.ts'
import type { AuditDetails } from '../audit.ts'
import type { Ctx, ReadCtx } from '../context.ts'
import type { Platform } from '../platform.ts'
import type { StoredFile } from '../storage.ts'

/** Facts about the request that a handler may read. */
export type RequestInfo = {
  readonly id: string
  readonly ip: string
  /** Whether the request came from this machine, without a proxy that forwards others. */
  readonly isLocal: boolean
  readonly host: string
  /** Scheme, host and port under which the page was opened. */
  readonly origin: string
  readonly secure: boolean
  readonly userAgent: string
  readonly cookies: Readonly<Record<string, string | undefined>>
  readonly bearer: string | null
  /** Returns a header by its name in lower case; null without it. */
  header(name: string): string | null
  setCookie(name: string, value: string, options: { path: string; maxAgeSeconds: number }): void
  clearCookie(name: string, path: string): void
}

/** Stores the files of a form for a tenant; for public operations the handler knows which. */
type Receive<O extends OperationSpec> = <T>(
  tenantId: number,
  work: (body: Input<O>['body'], files: StoredFile[]) => Promise<T>,
) => Promise<T>

type Given<O extends OperationSpec> = O['upload'] extends object
  ? O['can'] extends 'public'
    ? Omit<Input<O>, 'body'> & { receive: Receive<O> }
    : Input<O> & { files: StoredFile[] }
  : Input<O>
type HandlerInput<O extends OperationSpec> = Given<O> & { request: RequestInfo }

type Answer<O extends OperationSpec> = Returned<O> | Promise<Returned<O>>
type Mode<O extends OperationSpec> = O['mode'] extends string ? O['mode'] : O['method'] extends 'GET' ? 'read' : 'write'

/** Context of slow operations' handlers, which open units of work themselves. */
export type SlowCtx = {
  readonly platform: Platform
  readonly tenantId: number
  readonly user: Actor
  readonly now: Date
  /** Adds what an operation with `audit: true` changed to its audit record. */
  audit(details: AuditDetails): void
}

/** Context of handlers of public operations. */
export type PublicCtx = { readonly platform: Platform; readonly now: Date }

/** Handler of an operation; its form depends on the mode: public, read, write or slow. */
export type Handler<O extends OperationSpec> = O['can'] extends 'public'
  ? (ctx: PublicCtx, input: HandlerInput<O>) => Answer<O>
  : Mode<O> extends 'read'
    ? (ctx: ReadCtx & { user: Actor }, input: HandlerInput<O>) => Answer<O>
    : Mode<O> extends 'write'
      ? (ctx: Ctx & { user: Actor }, input: HandlerInput<O>) => Answer<O>
      : (ctx: SlowCtx, input: HandlerInput<O>) => Answer<O>

/** Operation with its handler. */
export type Route = { readonly op: Operation; handler(ctx: unknown, input: unknown): unknown }

/** Binds every operation of a contract to its handler; a missing or mistyped one does not compile. */
export function implement<C extends Record<string, Operation>>(
  contract: C,
  handlers: { [K in keyof C]: Handler<C[K]> },
): Route[] {
  return Object.keys(contract).map((key) => ({ op: memberOf(contract, key), handler: memberOf(handlers, key) }))
}

/** Returns the request's bearer token; null without one. */
export function bearerOf({ headers }: FastifyRequest): string | null {
  const [scheme, token] = (headers.authorization ?? '').split(' ')
  return scheme === 'Bearer' && token ? token : null
}

// An untrusted forwarding header still shows that the request was proxied; with a trusted proxy, the address is the
// client's.
function isLocal({ ip, ips, headers }: FastifyRequest): boolean {
  if (ips === undefined && (headers['x-forwarded-for'] ?? headers['forwarded']) !== undefined) return false
  return ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'loopback'
}

/** Returns the facts about a request that handlers read. */
export function requestInfo(request: FastifyRequest, reply: FastifyReply): RequestInfo {
  const secure = request.protocol === 'https'
  return {
    id: request.id,
    ip: request.ip,
    isLocal: isLocal(request),
    host: request.hostname,
    origin: `${request.protocol}://${request.host}`,
    secure,
    userAgent: request.headers['user-agent'] ?? '',
    cookies: request.cookies,
    bearer: bearerOf(request),
    header: (name) => [request.headers[name] ?? []].flat()[0] ?? null,
    setCookie: (name, value, { path, maxAgeSeconds }) =>
      void reply.setCookie(name, value, { path, maxAge: maxAgeSeconds, httpOnly: true, sameSite: 'lax', secure }),
    clearCookie: (name, path) => void reply.clearCookie(name, { path, httpOnly: true, sameSite: 'lax', secure }),
  }
}
