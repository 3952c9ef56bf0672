import { isInfrastructure } from '#server/db/faults.ts'
import type { Platform } from '#server/platform.ts'

/** So many at most are done at once. */
const MOST = 16

type Wanted<I, O> = { readonly input: I; done(output: O): void; failed(error: unknown): void }
type Gathered<I, O> = { readonly waiting: Wanted<I, O>[]; isBusy: boolean }

/**
 * Does at once what is wanted of one company at the same moment: while a set is under way, the next one gathers; what is of
 * the same `key` comes one after the other. A set that fails by one of its own is done one by one, so that each has its own
 * outcome; what fails for the installation's sake fails for all of it.
 */
export function inSets<I, O>(
  keyOf: (input: I) => string,
  work: (platform: Platform, tenantId: number, inputs: readonly I[]) => Promise<readonly O[]>,
): (platform: Platform, tenantId: number, input: I) => Promise<O> {
  const ofPlatform = new WeakMap<Platform, Map<number, Gathered<I, O>>>()

  function nextOf({ waiting }: Gathered<I, O>): Wanted<I, O>[] {
    const keys = new Set<string>()
    const set = waiting.filter(({ input }) => keys.size < MOST && keys.size < keys.add(keyOf(input)).size)
    for (const one of set) waiting.splice(waiting.indexOf(one), 1)
    return set
  }
  async function finish(platform: Platform, tenantId: number, set: readonly Wanted<I, O>[]): Promise<void> {
    const inputs = set.map(({ input }) => input)
    try {
      const outputs = await work(platform, tenantId, inputs)
      for (const [index, { done }] of set.entries()) done(outputs[index]!)
    } catch (error) {
      if (set.length > 1 && !isInfrastructure(error)) for (const one of set) await finish(platform, tenantId, [one])
      else for (const { failed } of set) failed(error)
    }
  }
  return (platform, tenantId, input) => {
    const tenants = ofPlatform.get(platform) ?? new Map<number, Gathered<I, O>>()
    ofPlatform.set(platform, tenants)
    const gathered = tenants.get(tenantId) ?? { waiting: [], isBusy: false }
    tenants.set(tenantId, gathered)
    const { promise, resolve, reject } = Promise.withResolvers<O>()
    gathered.waiting.push({ input, done: resolve, failed: reject })
    if (!gathered.isBusy) void drain(platform, tenantId, tenants, gathered)
    return promise
  }

  async function drain(
    platform: Platform,
    tenantId: number,
    tenants: Map<number, Gathered<I, O>>,
    gathered: Gathered<I, O>,
  ): Promise<void> {
    gathered.isBusy = true
    // What is wanted by the same answer of the database is one set.
    await new Promise(setImmediate)
    while (gathered.waiting.length > 0) await finish(platform, tenantId, nextOf(gathered))
    tenants.delete(tenantId)
  }
}
