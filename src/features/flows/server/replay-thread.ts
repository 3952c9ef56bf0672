import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FlowDocument } from '#domain/flow/document.ts'
import type { Recording, ReplayOutcome } from '#domain/flow/replay.ts'
import { checkout } from '#server/checkout.ts'
import type { Documents } from './replayer.ts'

/** What a thread begins with: the draft (null: everything on its own version), and what other flows are published. */
export type WorkerStart = { readonly draft: FlowDocument | null; readonly documents: Documents }

/** What is stored of a conversation that is to go the same: its session, steps and texts, each with its number there. */
export type StoredConversation = {
  readonly state: unknown
  readonly steps: readonly { readonly number: number; readonly nodeId: string | null; readonly why: string }[]
  readonly texts: readonly { readonly number: number; readonly body: string }[]
}

/** A batch, with the versions that none before it has named. */
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

/** A thread that plays conversations. */
export type ReplayThread = {
  /** How each conversation of a batch goes; null for one that cannot be played. */
  readonly play: (work: ReplayWork) => Promise<readonly (ReplayOutcome | null)[]>
}

/**
 * Lets somebody play conversations beside the server's own thread, one after the other: each costs a core. After `mostMs` the
 * thread is ended, whatever it does, and what it was asked last fails.
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
    // Whatever it dies of while it is asked nothing is the next question's, not the whole process's.
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
