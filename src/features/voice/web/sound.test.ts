import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBacklog, createFramer, createResampler } from './sound.ts'

test('resampling keeps the length in time and the values, whatever the blocks', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 20 }), (blocks) => {
      const resample = createResampler(48_000, 16_000)
      const made = blocks.flatMap((size) => [...resample(new Float32Array(size).fill(0.5))])
      const total = blocks.reduce((sum, size) => sum + size, 0)
      expect(Math.abs(made.length - total / 3)).toBeLessThanOrEqual(1)
      expect(made.every((one) => one === 0.5)).toBe(true)
    }),
  )
  const up = createResampler(16_000, 32_000)
  expect([...up(Float32Array.of(0, 0.75, 0)), ...up(Float32Array.of(0.5))]).toEqual([0, 0.375, 0.75, 0.375, 0, 0.25])
})

test('frames have their size, and no sample is out of range', () => {
  const frames: Int16Array[] = []
  const collect = createFramer(4, (frame) => frames.push(frame))
  collect(Float32Array.of(0, 1, -1))
  collect(Float32Array.of(2, -2, 0.5))
  expect(frames.map((frame) => [...frame])).toEqual([[0, 32_767, -32_767, 32_767]])
})

test('what waits too long is dropped, and silence follows what is left', () => {
  const backlog = createBacklog()
  for (let n = 0; n < 20; n++) backlog.push(new Int16Array(640).fill(n))
  expect(backlog.waiting()).toBe(25_600 - 10_000)
  const block = new Float32Array(7800 + 2)
  backlog.read(block)
  expect(Math.round(block[0]! * 32_768)).toBe(7)
  expect([...block.slice(-3)].map((one) => Math.round(one * 32_768))).toEqual([19, 0, 0])
  expect(backlog.waiting()).toBe(0)
})
