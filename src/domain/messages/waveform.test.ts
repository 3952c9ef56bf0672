import fc from 'fast-check'
import { expect, test } from 'vitest'
import { heightsOf, loudness, WAVE_BARS } from './waveform.ts'

test('a waveform has a bar for each part, the loudest being 100, whatever pieces it comes in', () => {
  const samples = Float32Array.from({ length: 6400 }, (_, at) => (at < 3200 ? 0.1 : at % 2 === 0 ? 0.4 : -0.4))
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 20 }), (cuts) => {
      const heard = loudness(10)
      for (let at = 0, n = 0; at < samples.length; n++) {
        const next = at + cuts[n % cuts.length]!
        heard.add(samples.subarray(at, next))
        at = next
      }
      const wave = heard.waveform()
      expect(heard.samples()).toBe(6400)
      expect(wave).toEqual(Array.from({ length: WAVE_BARS }, (_, bar) => (bar < WAVE_BARS / 2 ? 25 : 100)))
    }),
  )
})

test.each([0, 1, 5, 63])('what is shorter than its bars (%i samples) or silent is flat, never nothing', (length) => {
  const heard = loudness(960)
  heard.add(new Float32Array(length))
  expect(heard.waveform()).toEqual(Array(WAVE_BARS).fill(0))
  expect(heightsOf(heard.waveform(), 40)).toEqual(Array(40).fill(0.08))
})

test('a waveform is drawn with fewer bars, of which none hides a loud part', () => {
  const wave: number[] = Array(WAVE_BARS).fill(0)
  wave[10] = 100
  const heights = heightsOf(wave, 40)
  expect(heights).toHaveLength(40)
  expect(Math.max(...heights)).toBe(1)
})
