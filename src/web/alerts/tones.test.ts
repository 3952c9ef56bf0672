import { describe, expect, test } from 'vitest'
import { lengthOf, SOUNDS, samplesOf, tones } from './tones.ts'

const rate = 48_000

/** One second-order filter over samples (ITU-R BS.1770). */
function filtered(samples: Float32Array, b: readonly number[], a: readonly number[]): Float32Array {
  const out = new Float32Array(samples.length)
  for (let n = 0; n < samples.length; n++) {
    let sum = 0
    for (let back = 0; back <= 2 && back <= n; back++) {
      sum += (b[back] as number) * (samples[n - back] as number)
      if (back > 0) sum -= (a[back] as number) * (out[n - back] as number)
    }
    out[n] = sum
  }
  return out
}

/** Loudness in LUFS of a mono sound at 48 kHz, over one block of 400 ms that holds all of it (ITU-R BS.1770-4). */
function loudness(samples: Float32Array): number {
  const block = new Float32Array(0.4 * rate)
  block.set(samples)
  const shelf = filtered(
    block,
    [1.53512485958697, -2.69169618940638, 1.19839281085285],
    [1, -1.69065929318241, 0.73248077421585],
  )
  const weighted = filtered(shelf, [1, -2, 1], [1, -1.99004745483398, 0.99007225036621])
  const power = weighted.reduce((sum, one) => sum + one * one, 0) / weighted.length
  return -0.691 + 10 * Math.log10(power)
}

test('the measure itself: a full sine of 997 Hz is −3.01 LUFS', () => {
  const sine = Float32Array.from({ length: 0.4 * rate }, (_, n) => Math.sin((2 * Math.PI * 997 * n) / rate))
  expect(loudness(sine)).toBeCloseTo(-3.01, 1)
})

describe.each(SOUNDS)('%s', (sound) => {
  const notes = tones[sound]
  const samples = samplesOf(notes, rate)

  test('is shorter than 400 ms', () => {
    expect(lengthOf(notes)).toBeLessThan(400)
    expect(samples.length).toBe(Math.ceil((lengthOf(notes) * rate) / 1000))
  })

  test('is as loud as −18 LUFS and never clips', () => {
    expect(loudness(samples)).toBeGreaterThan(-18.5)
    expect(loudness(samples)).toBeLessThan(-17.5)
    expect(samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0)).toBeLessThan(0.9)
  })

  test('begins and ends without a click', () => {
    expect(Math.abs(samples[0] as number)).toBe(0)
    expect(Math.abs(samples.at(-1) as number)).toBeLessThan(0.001)
    const first = samples.subarray(0, rate / 1000)
    expect(first.reduce((most, one) => Math.max(most, Math.abs(one)), 0)).toBeLessThan(0.05)
  })
})

test('a new ticket goes up, a mention is higher than a message', () => {
  const [low, high] = tones.ticket
  expect(tones.ticket).toHaveLength(2)
  expect(high?.pitch).toBeGreaterThan(low?.pitch as number)
  expect(tones.mention[0]?.pitch).toBeGreaterThan(tones.message[0]?.pitch as number)
})
