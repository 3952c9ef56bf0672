import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FlowDocument } from '#domain/flow/document.ts'
import type { Recording, ReplayOutcome } from '#domain/flow/replay.ts'
import { checkout } from '#server/checkout.ts'
import type { Documents } from './replayer.ts'

/** Start data of the worker thread: the draft (null: each conversation on its own version), and the published documents. */
export type WorkerStart = { readonly draft: FlowDocument | null; readonly documents: Documents }

/** Stored conversation that a replay must reproduce: its session, steps and texts, each with its number. */
export type StoredConversation = {
  readonly state: unknown
  readonly steps: readonly { readonly number: number; readonly nodeId: string | null; readonly why: string }[]
  readonly texts: readonly { readonly number: number; readonly body: string }[]
}

/** Batch of recordings, with the versions that earlier batches did not include. */
export type ReplayWork = {
  readonly added: Documents
  readonly recordings: readonly (Recording & { readonly stored: StoredConversation | null })[]
}

const MOST_MEMORY_MB = 256
const isSource = import.meta.url.endsWith('.ts')
const file = isSource
  ? new URL('./replay-worker.ts', import.meta.url)
  : new URL('dist/server/replay-worker.js', checkout)
let turn: Promise<unknown> = Promise.resolve()

/** Worker thread that plays conversations. */
export type ReplayThread = {
  /** Returns the outcome of each conversation of a batch; null for an unplayable one. */
  readonly play: (work: ReplayWork) => Promise<readonly (ReplayOutcome | null)[]>
}

/**
 * Runs `work` with a worker thread that plays conversations, one replay at a time, as each occupies a core. After `mostMs`
 * the thread is terminated and its pending request rejects.
 */
export function withReplayThread<T>(
  start: WorkerStart,
  mostMs: number,
  use: (thread: ReplayThread) => Promise<T>,
): Promise<T> {
  const mine = turn.then(async () => {
    const worker = new Worker(file, {
      workerData: start,
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    })
    const timer = setTimeout(() => void worker.terminate(), mostMs)
    const ended = new AbortController()
    worker.once('exit', () => ended.abort())
    // An error between requests rejects the next request instead of crashing the process.
    worker.on('error', (error) => ended.abort(error))
    try {
      return await use({
        play: async (work) => {
          const answer = once(worker, 'message', { signal: ended.signal })
          worker.postMessage(work)
          return (await answer)[0]
        },
      })
    } finally {
      clearTimeout(timer)
      await worker.terminate()
    }
  })
  turn = mine.catch(() => {})
  return mine
}
