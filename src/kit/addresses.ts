import type { Permission } from './permissions.ts'

/**
 * Address of an endpoint for the browser; its schemas are in the contract.
 * - `can`: 'public' (without login), 'session' (any logged-in user) or a permission.
 * - `upload`: the request may be multipart; files arrive checked and stored ('slow' operations), or are received once
 *   the handler knows the tenant ('public' ones).
 * - `takesAny`: the body may be of any type: JSON, also under another type, form fields, or plain text.
 * - `touches`: names of the query families that the browser refetches after it.
 */
export type AddressSpec = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly can: Permission | 'public' | 'session'
  readonly upload?: { readonly maxFiles: number; readonly maxBytes: number }
  readonly takesAny?: true
  readonly touches?: readonly string[]
}

/** Address with its endpoint's name in the registry, such as `tickets.list`. */
export type Address<S extends AddressSpec = AddressSpec, Name extends string = string> = S & {
  readonly name: Name
  readonly family: string
}

type Family = Readonly<Record<string, AddressSpec>>
type Named<F extends string, T extends Family> = { readonly [K in keyof T]: Address<T[K], `${F}.${K & string}`> }

/** Adds names to the addresses of a feature: `addresses('tickets', { list: … })` names its first one `tickets.list`. */
export function addresses<const F extends string, const T extends Family>(family: F, specs: T): Named<F, T>
export function addresses(family: string, specs: Family): Readonly<Record<string, Address>> {
  return Object.fromEntries(
    Object.entries(specs).map(([key, spec]) => [key, { ...spec, name: `${family}.${key}`, family }]),
  )
}

/** Name and path of a plain table; `can`: permissions to read and to change it. */
export type TableAddress = {
  readonly name: string
  readonly path: string
  readonly can: { readonly read: Permission; readonly write: Permission }
}

type NamedTable<Name, Path, Read, Write> = {
  readonly name: Name
  readonly path: Path
  readonly can: { readonly read: Read; readonly write: Write }
}

/** Returns the addresses of a plain table: five endpoints, and one that sets the manual order of its rows. */
export function tableAddresses<
  const Name extends string,
  const Path extends string,
  const Read extends Permission,
  const Write extends Permission,
>({ name, path, can: { read, write } }: NamedTable<Name, Path, Read, Write>) {
  const one = `${path}/:id` as const
  const touches = [name]
  return addresses(name, {
    list: { method: 'GET', path, can: read },
    get: { method: 'GET', path: one, can: read },
    create: { method: 'POST', path, can: write, touches },
    update: { method: 'PUT', path: one, can: write, touches },
    remove: { method: 'DELETE', path: one, can: write, touches },
    arrange: { method: 'PUT', path: `${path}/order`, can: write, touches },
  })
}

/**
 * Names of a realtime event, on the wire `{tenantId}:{channel}` with `{ type, payload, seq }` (specification §7, product
 * facts 3.9). `durable` events go through the changes feed and are redelivered after a reconnect; the others (typing,
 * presence) reach connected sockets only.
 */
export type EventAddress = { readonly channel: string; readonly type: string; readonly durable: boolean }

/** Event addresses of a feature, by name. */
export type EventAddresses = Readonly<Record<string, EventAddress>>

/** Builds a path with its parameters filled in, below the API base. */
export function pathOf(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(params[key])))
}

/** Formats query values for the wire: arrays as repeated parameters, empty ones left out (decision B5). */
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
