import { expect, test } from 'vitest'
import { byteGate } from './byte-gate.ts'

test('so many bytes go at once, in order; what is larger goes alone; what fails makes room', async () => {
  const gate = byteGate(10)
  const began: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const run = (name: string, bytes: number) => {
    const end = Promise.withResolvers<void>()
    ends.set(name, end)
    return gate(bytes, async () => {
      began.push(name)
      await end.promise
      return name
    })
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const all = [run('a', 6), run('b', 6), run('c', 3), run('large', 25), run('d', 1)]
  await turn()
  // A waiting request is not overtaken by one that would fit.
  expect(began).toEqual(['a'])
  ends.get('a')!.reject(new Error('cut'))
  await expect(all[0]).rejects.toThrow('cut')
  await turn()
  expect(began).toEqual(['a', 'b', 'c'])
  for (const name of ['b', 'c']) ends.get(name)!.resolve()
  expect(await Promise.all(all.slice(1, 3))).toEqual(['b', 'c'])
  await turn()
  expect(began).toEqual(['a', 'b', 'c', 'large'])
  ends.get('large')!.resolve()
  ends.get('d')!.resolve()
  expect(await Promise.all(all.slice(3))).toEqual(['large', 'd'])
})

test('what has waited too long is not begun any more, and keeps nothing behind it back', async () => {
  const gate = byteGate(10, { ms: 30, error: () => new Error('late') })
  const began: string[] = []
  const end = Promise.withResolvers<void>()
  const held = gate(6, () => end.promise)
  const late = gate(6, async () => began.push('late')).catch((error: unknown) => error)
  const small = gate(3, async () => began.push('small'))
  expect(await late).toMatchObject({ message: 'late' })
  await small
  end.resolve()
  await held
  expect(began).toEqual(['small'])
})
