import { z } from 'zod'
import type { Address, AddressSpec } from './addresses.ts'
import type { ErrorCode } from './errors.ts'
import { id } from './fields.ts'

/**
 * Input, output and mode of an endpoint.
 * - `params`: the path's parameters; ids unless given here.
 * - `mode`: 'read' (GET, default) runs on a reader of the tenant; 'write' (default otherwise) in one transaction;
 *   'slow' without a transaction, because it calls outside systems or moves files.
 * - `status`: of a success, unless it is 200; 202 where the work goes on after the answer.
 * - `audit`: each success is recorded in the audit log.
 * - `sampled`: for frequent operations; the handler returns exactly the form of `returns` (numbers instead of Dates, no
 *   extra field). Tests parse every answer, the server one in fifty (decision 0041).
 */
export type Schemas = {
  readonly summary: string
  readonly mode?: 'read' | 'write' | 'slow'
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  readonly returns: z.ZodType
  readonly status?: 202
  readonly errors?: readonly ErrorCode[]
  readonly audit?: boolean
  readonly sampled?: boolean
}

/** Specification of an endpoint: its address and its schemas; read by the server's checks, OpenAPI and the matrix test. */
export type OperationSpec = AddressSpec & Schemas

/** Endpoint with its name in the registry, such as `tickets.list`. */
export type Operation<S extends OperationSpec = OperationSpec> = S & Address

type Addresses = Readonly<Record<string, Address>>
type ParamsIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never
type Shape<S> = S extends { readonly params: { readonly shape: infer P } } ? keyof P : never
type Ids<Path extends string> = [ParamsIn<Path>] extends [never]
  ? {}
  : { readonly params: z.ZodObject<{ [Name in ParamsIn<Path>]: typeof id }> }

type Fitting<Path extends string, S> = S extends { readonly params: z.ZodObject }
  ? [ParamsIn<Path>, Shape<S>] extends [Shape<S>, ParamsIn<Path>]
    ? unknown
    : { readonly params: 'those that the path names' }
  : unknown
type Contract<A extends Addresses, T extends { readonly [K in keyof A]: Schemas }> = {
  readonly [K in keyof A]: A[K] & T[K] & (T[K] extends { readonly params: z.ZodObject } ? {} : Ids<A[K]['path']>)
}

const idsIn = (path: string) => {
  const names = [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? [])
  return names.length > 0 ? { params: z.object(Object.fromEntries(names.map((name) => [name, id]))) } : {}
}

/** Adds schemas to the addresses of a feature: one for each address, and no others. */
export function contract<A extends Addresses, const T extends { readonly [K in keyof A]: Schemas }>(
  addresses: A,
  schemas: T & { readonly [K in keyof T]: K extends keyof A ? Fitting<A[K]['path'], T[K]> : never },
): Contract<A, T>
export function contract(addresses: Addresses, schemas: Readonly<Record<string, Schemas>>): Addresses {
  return Object.fromEntries(
    Object.entries<Address>(addresses).map(([key, one]) => [key, { ...one, ...idsIn(one.path), ...schemas[key] }]),
  )
}

/** Registry of contracts by family, so that callers need only the address; each feature adds its own (`declare module`). */
// biome-ignore lint/suspicious/noEmptyInterface: the kit has none, features merge theirs into it.
export interface Contracts {}

/** Registry of all features' events by family, so that subscribers need only the name. */
// biome-ignore lint/suspicious/noEmptyInterface: the kit has none, features merge theirs into it.
export interface Events {}

type Described<A extends Address> = A extends OperationSpec
  ? A
  : A['name'] extends `${infer F extends keyof Contracts}.${infer K}`
    ? Extract<Contracts[F][K & keyof Contracts[F]], OperationSpec>
    : never

type Output<S> = S extends z.ZodType ? z.output<S> : undefined
type Given<S> = S extends z.ZodType ? z.input<S> : undefined

/** Parsed input of a handler. */
export type Input<O extends OperationSpec> = {
  params: Output<O['params']>
  query: Output<O['query']>
  body: Output<O['body']>
}

type InputOf<O extends OperationSpec> = (O['params'] extends z.ZodType ? { params: Given<O['params']> } : {}) &
  (O['query'] extends z.ZodType ? { query?: Given<O['query']> } : {}) &
  (O['body'] extends z.ZodType ? { body: Given<O['body']> } : {})

/** Arguments of a call; parts without a schema are left out. */
export type CallInput<A extends Address> = InputOf<Described<A>>

/** Return value of a handler, before it is checked. */
export type Returned<O extends OperationSpec> = z.input<O['returns']>

/** Answer that a caller receives. */
export type Answer<A extends Address> = z.output<Described<A>['returns']>
