import { Worker } from 'node:worker_threads'
import { checkout } from '#server/checkout.ts'
import type { CheckAsks, FileCheck } from './check-file.ts'
import { NOT_A_SHEET } from './read-sheet.ts'

/** Message of the worker thread: a request, or the problem of the file, which ends it. */
export type CheckMessage =
  | { readonly ask: keyof CheckAsks; readonly about: unknown }
  | { readonly problem: string | undefined }

/** Memory limits in MB: a spreadsheet is parsed as a whole, other files block by block with the keys of earlier lines. */
const MOST_MB = { csv: 192, vcf: 192, xlsx: 512 } as const
/** Young generation in MB: new objects are short-lived, so a small one is enough. */
const NURSERY_MB = 6

const isSource = import.meta.url.endsWith('.ts')
const worker = isSource
  ? new URL('./check-worker.ts', import.meta.url)
  : new URL('dist/server/check-worker.js', checkout)

/** Time without a request after which the thread is stopped, in ms. */
const SILENT_MS = 120_000
/** Interval of checking whether the import was canceled, in ms. */
const LOOK_MS = 1000
const TOO_SLOW = 'Este arquivo demorou demais para ser lido. Divida-o em dois ou mais.'

type Watch = { isOn(): Promise<boolean>; readonly silentMs?: number; readonly lookMs?: number }

/**
 * Runs `checkFile` in a worker thread, whose memory is freed at its end; rejects with an error of `asks`. A file that
 * exceeds the memory or time limit is reported as unusable; the thread ends if the import is canceled.
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
