import { isDeepStrictEqual } from 'node:util'
import { parentPort, workerData } from 'node:worker_threads'
import type { ReplayWork, WorkerStart } from './replay-thread.ts'
import { createReplayer } from './replayer.ts'

const { draft, documents }: WorkerStart = workerData
const { known, play } = createReplayer(draft, documents)

/** Answers each batch with the outcomes of its conversations; null for an unplayable one. */
parentPort?.on('message', ({ added, recordings }: ReplayWork) => {
  known(added)
  parentPort?.postMessage(
    recordings.map(({ stored, ...recording }) => {
      const played = play(recording)
      if (!played || !stored) return played?.outcome ?? null
      const { session, steps, texts } = played.before
      const sent = new Map(texts.map(({ number, body }) => [number, body]))
      const isSame =
        isDeepStrictEqual(JSON.parse(JSON.stringify(session)), stored.state) &&
        isDeepStrictEqual(steps, stored.steps) &&
        // A channel may have truncated the text.
        stored.texts.every(({ number, body }) => sent.get(number)?.startsWith(body))
      return isSame ? 'same' : 'way'
    }),
  )
})
