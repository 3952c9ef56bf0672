import { itemAt } from '#domain/present.ts'
import { isInfrastructure } from './db/faults.ts'

/** Maximum number of calls in a set. */
const MOST = 16
/** Maximum number of sets that run at once. */
const SETS = 2

type Wanted<I, O> = { readonly input: I; done(output: O): void; failed(error: unknown): void }

/**
 * Batches concurrent calls: a call alone runs at once; while two sets are running, further calls form the next set;
 * inputs of the same `key` run one after the other. `work` returns one result per input. A set that fails because of
 * one input is repeated one by one; errors of the installation fail the whole set.
 */
export function inSets<I, O>(
  keyOf: (input: I) => string,
  work: (inputs: readonly I[]) => Promise<readonly O[]>,
): (input: I) => Promise<O> {
  const waiting: Wanted<I, O>[] = []
  const busy = new Set<string>()
  let underWay = 0

  async function finish(set: readonly Wanted<I, O>[]): Promise<void> {
    try {
      const outputs = await work(set.map(({ input }) => input))
      for (const [index, { done }] of set.entries()) done(itemAt(outputs, index))
    } catch (error) {
      if (set.length > 1 && !isInfrastructure(error)) for (const one of set) await finish([one])
      else for (const { failed } of set) failed(error)
    }
  }
  async function drain(): Promise<void> {
    underWay++
    // Calls that are triggered by the same answer of the database form one set.
    await new Promise(setImmediate)
    for (let set = gather(); set.size > 0; set = gather()) {
      for (const key of set.keys()) busy.add(key)
      await finish([...set.values()])
      for (const key of set.keys()) busy.delete(key)
    }
    underWay--
  }
  function gather(): Map<string, Wanted<I, O>> {
    const set = new Map<string, Wanted<I, O>>()
    for (const one of waiting) {
      const key = keyOf(one.input)
      if (set.size < MOST && !set.has(key) && !busy.has(key)) set.set(key, one)
    }
    for (const one of set.values()) waiting.splice(waiting.indexOf(one), 1)
    return set
  }
  return (input) =>
    new Promise((done, failed) => {
      waiting.push({ input, done, failed })
      if (underWay < SETS) void drain()
    })
}
