import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { type CheckAsks, checkFile, type FileCheck } from './check-file.ts'
import type { CheckMessage } from './check-thread.ts'

const port = parentPort!
const asking =
  <K extends keyof CheckAsks>(ask: K) =>
  async (about: Parameters<CheckAsks[K]>[0]) => {
    const answer = once(port, 'message')
    port.postMessage({ ask, about } satisfies CheckMessage)
    return (await answer)[0]
  }

const problem = await checkFile(workerData as FileCheck, {
  persons: asking('persons'),
  save: asking('save'),
  saveLetters: asking('saveLetters'),
  saveColumns: asking('saveColumns'),
})
port.postMessage({ problem } satisfies CheckMessage)
