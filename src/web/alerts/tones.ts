/** Sounds, in the order of the profile. */
export const SOUNDS = ['ticket', 'message', 'mention'] as const

/** Event of a sound: a new ticket, a message, a mention of the user's name. */
export type Sound = (typeof SOUNDS)[number]

/** Note of a sound: its beginning and length in ms, its pitch in Hz, and its peak amplitude (0–1). */
export type Note = { readonly at: number; readonly lasts: number; readonly pitch: number; readonly peak: number }

/** Sounds as notes: a new ticket is two notes up, a message one soft tap, a mention one higher note. About −18 LUFS. */
export const tones: Readonly<Record<Sound, readonly Note[]>> = {
  ticket: [
    { at: 0, lasts: 200, pitch: 587.33, peak: 0.615 },
    { at: 120, lasts: 260, pitch: 880, peak: 0.615 },
  ],
  message: [{ at: 0, lasts: 280, pitch: 523.25, peak: 0.82 }],
  mention: [{ at: 0, lasts: 340, pitch: 1174.66, peak: 0.63 }],
}

/** Returns the duration of a sound, in ms. */
export const lengthOf = (notes: readonly Note[]): number => Math.max(...notes.map(({ at, lasts }) => at + lasts))

const attackMs = 8
const releaseMs = 40

/** Returns the envelope of a note: a soft attack, a decay like a struck bar, and a silent end. */
function swell(ms: number, { lasts }: Note): number {
  const rise = ms < attackMs ? 0.5 - 0.5 * Math.cos((Math.PI * ms) / attackMs) : 1
  const left = Math.min(1, (lasts - ms) / releaseMs)
  return rise * Math.exp((-4 * ms) / lasts) * left
}

/** Renders a sound as samples between −1 and 1, `rate` per second: each note a sine with a little of its octave. */
export function samplesOf(notes: readonly Note[], rate: number): Float32Array<ArrayBuffer> {
  const samples = new Float32Array(Math.ceil((lengthOf(notes) * rate) / 1000))
  for (const note of notes) {
    const first = Math.round((note.at * rate) / 1000)
    const count = Math.min(samples.length - first, Math.floor((note.lasts * rate) / 1000))
    for (let n = 0; n < count; n++) {
      const turn = (2 * Math.PI * note.pitch * n) / rate
      const wave = 0.85 * Math.sin(turn) + 0.15 * Math.sin(2 * turn)
      samples[first + n] = (samples[first + n] as number) + note.peak * swell((1000 * n) / rate, note) * wave
    }
  }
  return samples
}
