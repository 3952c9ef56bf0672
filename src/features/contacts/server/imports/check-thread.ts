import { Worker } from 'node:worker_threads'
import { checkout } from '#server/checkout.ts'
import type { CheckAsks, FileCheck } from './check-file.ts'
import { NOT_A_SHEET } from './read-sheet.ts'

/** What the thread says: a question, or why the file cannot be taken, which ends it. */
export type CheckMessage =
  | { readonly ask: keyof CheckAsks; readonly about: unknown }
  | { readonly problem: string | undefined }

/** A spreadsheet is taken apart as a whole; of other files there is one block of lines, and by what earlier ones are known. */
const MOST_MB = { csv: 192, vcf: 192, xlsx: 512 } as const
/** What is new is short-lived: a small nursery is enough. */
const NURSERY_MB = 6

const isSource = import.meta.url.endsWith('.ts')
const worker = isSource
  ? new URL('./check-worker.ts', import.meta.url)
  : new URL('dist/server/check-worker.js', checkout)

/** So long a thread may work without asking anything. */
const SILENT_MS = 120_000
/** So often it is looked whether the import still goes on. */
const LOOK_MS = 1000
const TOO_SLOW = 'Este arquivo demorou demais para ser lido. Divida-o em dois ou mais.'

type Watch = { isOn(): Promise<boolean>; readonly silentMs?: number; readonly lookMs?: number }

/**
 * `checkFile` in a thread of its own, whose memory is given back when it ends; fails with what an answer failed with. A file
 * that would take more memory or time than there is for one cannot be taken; the thread ends once the import does not go on.
 */
export function checkInThread(
  file: FileCheck,
  asks: CheckAsks,
  { isOn, silentMs = SILENT_MS, lookMs = LOOK_MS }: Watch,
): Promise<string | undefined> {
  const thread = new Worker(worker, {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MB[file.kind], maxYoungGenerationSizeMb: NURSERY_MB },
  })
  let silence: NodeJS.Timeout
  let looking: NodeJS.Timeout
  const ended = new Promise<string | undefined>((resolve, reject) => {
    const listen = () => {
      silence = setTimeout(() => resolve(TOO_SLOW), silentMs).unref()
    }
    const look = async () => {
      if (!(await isOn())) resolve(undefined)
    }
    looking = setInterval(() => void look().catch(reject), lookMs)
    listen()
    thread.on('message', async (message: CheckMessage) => {
      clearTimeout(silence)
      if ('problem' in message) return resolve(message.problem)
      try {
        const answer = await asks[message.ask](message.about as never)
        thread.postMessage(answer)
        listen()
      } catch (error) {
        reject(error)
      }
    })
    thread.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') reject(error)
      else resolve(file.kind === 'xlsx' ? NOT_A_SHEET : 'Este arquivo é grande demais. Divida-o em dois ou mais.')
    })
    thread.once('exit', () => reject(new Error('the check of a file was cut off')))
  })
  return ended.finally(() => {
    clearTimeout(silence)
    clearInterval(looking)
    return thread.terminate()
  })
}
