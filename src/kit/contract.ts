import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { Permission } from './permissions.ts'

/**
 * One endpoint as data. The server's checks, the typed client, OpenAPI and the matrix test all read it.
 * - `can`: 'public' (nobody logged in), 'session' (anyone logged in) or a permission.
 * - `mode`: 'read' (GET, default) runs on a reader of the tenant; 'write' (default otherwise) in one transaction;
 *   'slow' gets no transaction of its own, because it calls outside systems or moves files.
 * - `upload`: the request may be multipart; files arrive checked and stored ('slow' operations), or are received when
 *   the handler knows for which tenant ('public' ones).
 * - `touches`: names of the query families that a browser has to read again after it.
 * - `audit`: each success is recorded in the audit log: who, when, from where, on what.
 */
export type OperationSpec = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly summary: string
  readonly can: Permission | 'public' | 'session'
  readonly mode?: 'read' | 'write' | 'slow'
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  readonly upload?: { readonly maxFiles: number; readonly maxBytes: number }
  readonly returns: z.ZodType
  readonly errors?: readonly ErrorCode[]
  readonly touches?: readonly string[]
  readonly audit?: boolean
}

/** An endpoint with the name it has in the registry, such as `tickets.list`. */
export type Operation<S extends OperationSpec = OperationSpec> = S & { readonly name: string; readonly family: string }

/** Names the endpoints of a feature: `contract('tickets', { list: … })` gives `tickets.list` to everyone. */
export function contract<const T extends Record<string, OperationSpec>>(
  family: string,
  specs: T,
): { readonly [K in keyof T]: Operation<T[K]> } {
  return Object.fromEntries(
    Object.entries(specs).map(([key, spec]) => [key, { ...spec, name: `${family}.${key}`, family }]),
  ) as { readonly [K in keyof T]: Operation<T[K]> }
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined
type Wire<S> = S extends z.ZodType ? z.input<S> : undefined

/** What a handler receives, after the checks. */
export type Input<O extends OperationSpec> = {
  params: Output<O['params']>
  query: Output<O['query']>
  body: Output<O['body']>
}

/** What a caller has to give; parts without a schema are left out. */
export type CallInput<O extends OperationSpec> = (O['params'] extends z.ZodType ? { params: Wire<O['params']> } : {}) &
  (O['query'] extends z.ZodType ? { query?: Wire<O['query']> } : {}) &
  (O['body'] extends z.ZodType ? { body: Wire<O['body']> } : {})

/** What a handler returns, before the answer is checked. */
export type Returned<O extends OperationSpec> = z.input<O['returns']>

/** What a caller gets. */
export type Answer<O extends OperationSpec> = z.output<O['returns']>

/** The address of an operation with its parameters filled in, below the API base. */
export function pathOf(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(params[key])))
}

/** Query values as the wire wants them: arrays as repeated parameters, empty ones left out (decision B5). */
export function queryString(query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') search.append(key, String(one))
    }
  }
  const text = search.toString()
  return text && `?${text}`
}
