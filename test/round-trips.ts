import pg from 'pg'
import { vi } from 'vitest'

type Client = { user: string; connectionParameters: { application_name: string } }

/**
 * What the product's pools ask of the database meanwhile, by round trip: what goes out on a connection before an answer has
 * come is one.
 */
export async function roundTripsOf(work: () => Promise<unknown>): Promise<string[][]> {
  const trips: string[][] = []
  const waiting = new WeakMap<object, { trip: string[]; count: number }>()
  const ask = pg.Client.prototype.query as (this: unknown, ...args: unknown[]) => unknown
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: object, ...args: unknown[]) {
    const answer = ask.apply(this, args)
    const { user, connectionParameters } = this as Client
    if (!/_(app|platform)$/.test(user) || connectionParameters.application_name !== 'guiche') return answer as never
    const text = typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text
    const open = waiting.get(this) ?? { trip: [], count: 0 }
    if (open.count === 0) {
      open.trip = []
      trips.push(open.trip)
    }
    open.trip.push(text.trim().replaceAll(/\s+/g, ' '))
    open.count++
    waiting.set(this, open)
    const end = () => void open.count--
    void (answer as Promise<unknown>).then(end, end)
    return answer as never
  })
  await work().finally(() => spy.mockRestore())
  return trips
}
