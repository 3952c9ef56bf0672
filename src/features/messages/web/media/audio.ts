import { itemAt } from '#domain/present.ts'
import { createKeyedStore } from '#web/store.ts'

/** Number of bars in a waveform. */
export const barCount = 40

const waves = createKeyedStore<string, readonly number[]>()
let queue: Promise<unknown> = Promise.resolve()
const asked = new Set<string>()
const tooLarge = 3_000_000

/** Returns the heights (0–1) of a recording's bars; undefined until decoded. */
export const useWave = (fileId: string): readonly number[] | undefined => waves.use(fileId)

/** Decodes a recording's waveform: sequentially, once, and only up to the size of a voice note. */
export function decodeWave(file: { id: string; url: string; size: number }): void {
  if (asked.has(file.id) || file.size > tooLarge) return
  asked.add(file.id)
  queue = queue.then(async () => {
    const answer = await fetch(file.url)
    if (!answer.ok) throw new Error('file not readable')
    waves.set(file.id, await waveOf(await answer.arrayBuffer()))
  })
  queue = queue.catch(() => asked.delete(file.id))
}

/** Returns the bar heights of an encoded recording; the loudest is 1. */
export async function waveOf(encoded: ArrayBuffer): Promise<number[]> {
  const context = new OfflineAudioContext(1, 1, 8000)
  const samples = (await context.decodeAudioData(encoded)).getChannelData(0)
  return barsOf(samples)
}

/** Returns the loudness of a recording in `barCount` equal parts, normalised to 1; silence is flat. */
export function barsOf(samples: Float32Array): number[] {
  const size = Math.max(1, Math.floor(samples.length / barCount))
  const loud = Array.from({ length: barCount }, (_, bar) => {
    let sum = 0
    for (let at = bar * size; at < (bar + 1) * size && at < samples.length; at++) sum += itemAt(samples, at) ** 2
    return Math.sqrt(sum / size)
  })
  const most = Math.max(...loud, 1e-6)
  return loud.map((one) => Math.max(0.08, one / most))
}

let playing: HTMLAudioElement | undefined

/** Pauses the current player, so that only one plays at a time. */
export function playAlone(audio: HTMLAudioElement): void {
  if (playing && playing !== audio) playing.pause()
  playing = audio
}

const speeds = [1, 1.5, 2] as const

/** Returns the next speed in the cycle 1×, 1.5×, 2×. */
export const nextSpeed = (speed: number): number => speeds[(speeds.indexOf(speed as 1) + 1) % speeds.length] as number
