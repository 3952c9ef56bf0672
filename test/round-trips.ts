import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { vi } from 'vitest'
import { nameOfWork } from '#server/at-work.ts'
import type { Product } from './product.ts'

type Connection = {
  prependOnceListener(event: 'readyForQuery', listener: () => void): void
}
type Client = {
  user: string
  connectionParameters: { application_name: string; database: string }
  connection: Connection
}
type Query = { text: string; submit(connection: Connection): Error | null }

type Options = {
  /** Whether only connections that `work` asks itself count: not those of what runs beside it. */
  readonly ownOnly?: boolean
  /** Name of the only unit of work that counts, e.g. `POST /api/auth/login`. */
  readonly workName?: string
}

/**
 * Returns the statements of the product's pools during `work`, grouped by round trip: statements written to a connection
 * before a response arrives are one.
 */
export const roundTripsOf = async (product: Product, work: () => Promise<unknown>, options: Options = {}) =>
  (await tripsOf(product, work, options)).map(({ trip }) => trip)

/** Returns the round trips of each transaction that was committed during `work`, whatever ran beside it. */
export async function transactionsOf(product: Product, work: () => Promise<unknown>): Promise<string[][][]> {
  const open = new Map<Connection, string[][]>()
  const committed: string[][][] = []
  for (const { connection, trip } of await tripsOf(product, work)) {
    if (trip.some((text) => text.startsWith('begin'))) open.set(connection, [])
    open.get(connection)?.push(trip)
    if (!trip.includes('commit')) continue
    committed.push(open.get(connection) ?? [])
    open.delete(connection)
  }
  return committed
}

async function tripsOf(
  product: Product,
  work: () => Promise<unknown>,
  { ownOnly = false, workName }: Options = {},
): Promise<{ connection: Connection; trip: string[] }[]> {
  const within = new AsyncLocalStorage<true>()
  const database = new URL(product.ownerUrl).pathname.slice(1)
  const trips: { connection: Connection; trip: string[] }[] = []
  const open = new WeakMap<Connection, { trip: string[]; count: number }>()
  const { query: ask } = pg.Client.prototype
  const asking = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: unknown,
    ...args: unknown[]
  ) {
    const { user, connectionParameters, connection } = this as Client
    const { application_name, database: asked } = connectionParameters
    const isPool = /_(app|platform)$/.test(user) && application_name === 'guiche' && asked === database
    const isCounted = isPool && (!ownOnly || within.getStore()) && (!workName || nameOfWork() === workName)
    if (!isCounted) open.delete(connection)
    else if (!open.has(connection)) open.set(connection, { trip: [], count: 0 })
    return (ask as (...args: unknown[]) => unknown).apply(this, args) as never
  })
  const { submit } = pg.Query.prototype as unknown as Query
  const writing = vi.spyOn(pg.Query.prototype as unknown as Query, 'submit').mockImplementation(function (
    this: Query,
    connection,
  ) {
    const own = open.get(connection)
    if (own) {
      if (own.count === 0) {
        own.trip = []
        trips.push({ connection, trip: own.trip })
      }
      own.trip.push(this.text.trim().replaceAll(/\s+/g, ' '))
      own.count++
      connection.prependOnceListener('readyForQuery', () => void own.count--)
    }
    return submit.call(this, connection)
  })
  await within.run(true, work).finally(() => {
    asking.mockRestore()
    writing.mockRestore()
  })
  return trips
}

/** Returns a test of query counts that is repeated up to ten times, since other queries of the process count as well. */
export const whenQuiet = (measured: () => Promise<void>) => async (): Promise<void> => {
  for (let times = 1; ; times++) {
    try {
      return await measured()
    } catch (error) {
      if (times === 10) throw error
    }
  }
}
