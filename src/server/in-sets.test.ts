import { expect, it } from 'vitest'
import { inSets } from './in-sets.ts'

const settled = async (wanted: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(wanted)).map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason.message)))

it('what is wanted at once is one set, what comes meanwhile the next, and one key is in each set once', async () => {
  const sets: string[][] = []
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const wanted = inSets(
    (input: string) => input[0]!,
    async (inputs) => {
      sets.push([...inputs])
      await gate
      return inputs.map((input) => input.toUpperCase())
    },
  )
  const first = ['a1', 'b1', 'a2'].map(wanted)
  await expect.poll(() => sets.length).toBe(1)
  const second = ['c1', 'a3'].map(wanted)
  open()
  expect(await settled([...first, ...second])).toEqual(['A1', 'B1', 'A2', 'C1', 'A3'])
  expect(sets).toEqual([['a1', 'b1'], ['a2', 'c1'], ['a3']])
})

it('one that fails fails alone; what fails for the installation’s sake fails for all, which may be tried again', async () => {
  let tries = 0
  const wanted = inSets(String, async (inputs: readonly string[]) => {
    tries++
    if (inputs.includes('bad')) throw new Error('bad')
    if (inputs.includes('full')) throw Object.assign(new Error('full'), { code: '53100' })
    return inputs
  })
  expect(await settled(['a', 'bad', 'b'].map(wanted))).toEqual(['a', 'bad', 'b'])
  expect(tries).toBe(4)
  expect(await settled(['a', 'full'].map(wanted))).toEqual(['full', 'full'])
  expect([tries, await wanted('a')]).toEqual([5, 'a'])
})

it('what is wanted alone leaves while another is under way; two sets are at most, and no key is in both', async () => {
  const sets: string[][] = []
  const gates: (() => void)[] = []
  const wanted = inSets(
    (input: string) => input[0]!,
    async (inputs) => {
      sets.push([...inputs])
      await new Promise<void>((open) => gates.push(open))
      return inputs
    },
  )
  const all = [wanted('a1')]
  await expect.poll(() => sets).toEqual([['a1']])
  all.push(wanted('a2'), wanted('b1'))
  await expect.poll(() => sets).toEqual([['a1'], ['b1']])
  all.push(wanted('c1'), wanted('d1'))
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  expect(sets).toHaveLength(2)
  gates[1]!()
  await expect.poll(() => sets.slice(2)).toEqual([['c1', 'd1']])
  gates[0]!()
  await expect.poll(() => sets.slice(3)).toEqual([['a2']])
  for (const open of gates) open()
  expect(await settled(all)).toEqual(['a1', 'a2', 'b1', 'c1', 'd1'])
})
