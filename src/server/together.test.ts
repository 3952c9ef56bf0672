import { expect, test } from 'vitest'
import { together } from './together.ts'

test('who asks the same at the same moment gets one answer, or one failure; the next one asks anew', async () => {
  const asked: string[] = []
  const ask = together(async (key: string) => {
    asked.push(key)
    await new Promise(setImmediate)
    if (key === 'gone') throw new Error('gone')
    return asked.length
  })
  expect(await Promise.all([ask('a'), ask('a'), ask('b')])).toEqual([2, 2, 2])
  expect(await ask('a')).toBe(3)
  const lost = await Promise.allSettled([ask('gone'), ask('gone')])
  expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(ask('gone')).rejects.toThrow('gone')
  expect(asked).toEqual(['a', 'b', 'a', 'gone', 'gone'])
})
