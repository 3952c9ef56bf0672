import { rm } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { checkout } from '../checkout.ts'
import { transcode } from './ffmpeg.ts'
import type { Voice } from './voice.ts'

/** File to convert: its MIME type, its path, and the path of the result. */
export type Conversion = { readonly mime: string; readonly from: string; readonly to: string }

/** Time-out of a thread, in ms; enough to convert an hour of sound into a voice note. */
const MOST_MS = 120_000
const MOST_MEMORY_MB = 256

const isSource = import.meta.url.endsWith('.ts')
const thread = isSource
  ? new URL('./media-worker.ts', import.meta.url)
  : new URL('dist/server/media-worker.js', checkout)
let turn: Promise<unknown> = Promise.resolve()

// One conversion at a time: each takes a core for a while.
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = turn.then(work)
  turn = mine.catch(() => {})
  return mine
}

const inThread = <T>(work: 'voice' | 'mp4', { from, to }: Conversion): Promise<T> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(thread, {
      ...{ workerData: { work, from, to }, stdout: true, stderr: true },
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    })
    const timer = setTimeout(() => worker.terminate(), MOST_MS)
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => {
      clearTimeout(timer)
      reject(new Error('a conversion was cut off'))
    })
  })

/**
 * Converts a recording to a voice note; formats that the product cannot read by `transcoder`, if there is one. Fails for
 * others.
 */
export const toVoice = (transcoder: string | null, file: Conversion): Promise<Voice> =>
  inTurn(async () => {
    try {
      return await inThread('voice', file)
    } catch (error) {
      if (!transcoder) throw error
      const plain = `${file.to}.wav`
      try {
        await transcode(transcoder, { ...file, to: plain }, 'wav')
        return await inThread('voice', { ...file, from: plain })
      } finally {
        await rm(plain, { force: true })
      }
    }
  })

/** Converts a video to an MP4 that phones play: by remuxing, else by `transcoder`; fails if neither works. */
export const toMp4 = (transcoder: string | null, file: Conversion): Promise<void> =>
  inTurn(() =>
    inThread<void>('mp4', file).catch((error) => {
      if (!transcoder) throw error
      return transcode(transcoder, file, 'mp4')
    }),
  )
