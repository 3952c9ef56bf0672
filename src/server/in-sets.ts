import { isInfrastructure } from './db/faults.ts'

/** So many at most are done at once. */
const MOST = 16

type Wanted<I, O> = { readonly input: I; done(output: O): void; failed(error: unknown): void }

/**
 * Does at once what is wanted at the same moment: while a set is under way, the next one gathers; what is of the same `key`
 * comes one after the other. `work` answers each input at its place. A set that fails by one of its own is done one by one,
 * so that each has its own outcome; what fails for the installation's sake fails for all of it.
 */
export function inSets<I, O>(
  keyOf: (input: I) => string,
  work: (inputs: readonly I[]) => Promise<readonly O[]>,
): (input: I) => Promise<O> {
  const waiting: Wanted<I, O>[] = []
  let isBusy = false

  async function finish(set: readonly Wanted<I, O>[]): Promise<void> {
    try {
      const outputs = await work(set.map(({ input }) => input))
      for (const [index, { done }] of set.entries()) done(outputs[index]!)
    } catch (error) {
      if (set.length > 1 && !isInfrastructure(error)) for (const one of set) await finish([one])
      else for (const { failed } of set) failed(error)
    }
  }
  async function drain(): Promise<void> {
    isBusy = true
    // What is wanted by the same answer of the database is one set.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const set = new Map<string, Wanted<I, O>>()
      for (const one of waiting) if (set.size < MOST && !set.has(keyOf(one.input))) set.set(keyOf(one.input), one)
      for (const one of set.values()) waiting.splice(waiting.indexOf(one), 1)
      await finish([...set.values()])
    }
    isBusy = false
  }
  return (input) =>
    new Promise((done, failed) => {
      waiting.push({ input, done, failed })
      if (!isBusy) void drain()
    })
}
