import { expect, test } from 'vitest'
import { together } from './together.ts'

/** Creates queries that resolve to their number on demand. */
function asking() {
  const asked: { key: string; answer: () => void; fail: () => void }[] = []
  const ask = together(
    (key) =>
      new Promise<number>((resolve, reject) => {
        const number = asked.length + 1
        asked.push({ key, answer: () => resolve(number), fail: () => reject(new Error(key)) })
      }),
  )
  return { asked, ask }
}
const settled = () => new Promise(setImmediate)

test('who comes while it is being asked gets the next answer, all of them the same one', async () => {
  const { asked, ask } = asking()
  const [first, second, third, other] = [ask('a'), ask('a'), ask('a'), ask('b')]
  expect(asked.map(({ key }) => key)).toEqual(['a', 'b'])
  asked[0]!.answer()
  expect(await first).toBe(1)
  await settled()
  const fourth = ask('a')
  expect(asked.map(({ key }) => key)).toEqual(['a', 'b', 'a'])
  asked[2]!.answer()
  expect(await Promise.all([second, third])).toEqual([3, 3])
  await settled()
  asked[3]!.answer()
  asked[1]!.answer()
  expect(await Promise.all([fourth, other])).toEqual([4, 2])
  await settled()
  void ask('a')
  expect(asked).toHaveLength(5)
})

test('one that fails fails for those who asked it; who waits behind it asks anew', async () => {
  const { asked, ask } = asking()
  const [first, second] = [ask('a'), ask('a')]
  asked[0]!.fail()
  await expect(first).rejects.toThrow('a')
  await settled()
  asked[1]!.answer()
  expect(await second).toBe(2)
})
