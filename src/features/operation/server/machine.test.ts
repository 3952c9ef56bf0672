import { expect, it } from 'vitest'
import { busyPercent, readDisk, readMemory } from './machine.ts'

const core = (user: number, idle: number) => ({ times: { user, idle, nice: 0, sys: 0, irq: 0 } })

it.each([
  ['idle', [core(10, 10)], [core(10, 110)], 0],
  ['busy', [core(10, 10)], [core(110, 10)], 100],
  ['one of two busy', [core(0, 0), core(0, 0)], [core(100, 0), core(0, 100)], 50],
  ['a third', [core(0, 0)], [core(1, 2)], 33.3],
  ['no time between', [core(5, 5)], [core(5, 5)], 0],
  ['no processors reported', [], [], 0],
  ['counters that went back', [core(5, 50)], [core(105, 20)], 100],
])('processors: %s', (_, before, after, usage) => expect(busyPercent(before, after)).toBe(usage))

it('reads memory and disk of this machine', async () => {
  const { total, used, free, usedPercentage, process: own } = readMemory()
  expect(used + free).toBe(total)
  expect(own).toBeLessThan(total)
  expect(usedPercentage).toBeCloseTo((100 * used) / total, 0)
  const disk = await readDisk('.')
  expect(disk!.free).toBeLessThanOrEqual(disk!.total)
  expect(await readDisk('/there/is/no/such/folder')).toBeNull()
})
