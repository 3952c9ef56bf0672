/** Number of bars of a voice note's waveform, each 0–100. */
export const WAVE_BARS = 64
const LOUDEST = 100
/** Threshold of silence: codecs produce lower values for it. */
const AUDIBLE = 0.001

/** Accumulator of a recording's loudness over time. */
export type Loudness = {
  /** Adds the next samples, −1 to 1, of one channel. */
  add(samples: Float32Array): void
  /** Returns the number of samples. */
  samples(): number
  /** Returns `WAVE_BARS` numbers, the loudest being 100; silence gives zeros. */
  waveform(): number[]
}

/** Computes the loudness of a recording of any length, one value per `step` samples. */
export function loudness(step: number): Loudness {
  const steps: number[] = []
  let count = 0
  let sum = 0
  let inStep = 0
  return {
    add(samples) {
      for (const sample of samples) {
        sum += Math.abs(sample)
        if (++inStep < step) continue
        steps.push(sum / step)
        sum = 0
        inStep = 0
      }
      count += samples.length
    },
    samples: () => count,
    waveform: () => barsOf(inStep > 0 ? [...steps, sum / inStep] : steps),
  }
}

function barsOf(steps: readonly number[]): number[] {
  const bars = Array.from({ length: WAVE_BARS }, (_, bar) => {
    const from = Math.floor((bar * steps.length) / WAVE_BARS)
    const to = Math.max(from + 1, Math.floor(((bar + 1) * steps.length) / WAVE_BARS))
    const part = steps.slice(from, to)
    return part.reduce((all, one) => all + one, 0) / Math.max(1, part.length)
  })
  const most = Math.max(...bars)
  return bars.map((bar) => (most > AUDIBLE ? Math.round((bar / most) * LOUDEST) : 0))
}

/** Returns the heights (0–1) of a waveform resampled to `bars` bars; every bar is above 0. */
export function heightsOf(waveform: readonly number[], bars: number): number[] {
  return Array.from({ length: bars }, (_, bar) => {
    const from = Math.floor((bar * waveform.length) / bars)
    const to = Math.max(from + 1, Math.ceil(((bar + 1) * waveform.length) / bars))
    return Math.max(0.08, Math.max(...waveform.slice(from, to)) / LOUDEST)
  })
}
