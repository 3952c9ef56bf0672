import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { certificate } from '#features/lab/server/whatsapp/certificate.ts'
import { loadLibrary, silent } from '#providers/channels/baileys/library.ts'
import { openFile } from '#providers/channels/baileys/media-in.ts'
import { wholeContent } from '#providers/channels/baileys/media-out.ts'
import type { Outbound } from '#providers/channels/port.ts'
import { guardedAgent } from '#providers/guarded-agent.ts'
import { makeVoice } from '#server/media/voice.ts'
import { outboundConnect, outboundStream } from '#server/outbound.ts'
import { openStorage } from '#server/storage.ts'
import type { FrontEnd } from './front-end.ts'

const MB = 1024 * 1024
const SIZE = 100 * MB
const test = join(import.meta.dirname, '..', 'test')
const policy = { allow: ['127.0.0.1', '::1'] }

/** Measures the cost of files (CPU of a voice note, memory of large files of linked numbers) in a separate process. */
export async function measureFiles(): Promise<FrontEnd> {
  const child = spawn(process.execPath, [import.meta.filename], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (part: Buffer) => {
    output += part
  })
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`files ended with ${code}`)
  return JSON.parse(output) as FrontEnd
}

async function measure(): Promise<FrontEnd> {
  const folder = mkdtempSync(join(tmpdir(), 'guiche-bench-files-'))
  const host = spawn(process.execPath, [join(test, 'peers/whatsapp/large-file.ts'), '100'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [about] = (await once(host.stdout, 'data')) as [Buffer]
    const pointer = JSON.parse(about.toString()) as { url: string; path: string }
    const memory = { unit: 'MB', goal: '≤ 40' }
    return [
      ...[
        {
          key: 'voice',
          name: 'a minute of MP3 becomes a voice note, CPU',
          value: await voice(folder),
          unit: 's',
          goal: '≤ 5',
        },
      ],
      {
        key: 'fileIn',
        name: 'a file of 100 MB from a linked number, memory',
        value: await fileIn(folder, pointer),
        ...memory,
      },
      {
        key: 'fileOut',
        name: 'a file of 100 MB to a linked number, memory',
        value: await fileOut(folder, pointer),
        ...memory,
      },
    ]
  } finally {
    host.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function voice(folder: string): Promise<number> {
  const tone = join(folder, 'tone.mp3')
  writeFileSync(tone, Buffer.concat(Array(60).fill(readFileSync(join(test, 'media/tone.mp3')))))
  const before = process.cpuUsage()
  await makeVoice(tone, join(folder, 'voice'))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** Returns the peak of memory (MB) while `work` runs, above the level before. */
async function memoryOf(work: () => Promise<unknown>): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = () => {
    // Buffers that one collection has given back are counted until the next.
    collect()
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = used()
  let most = 0
  const look = setInterval(() => {
    most = Math.max(most, used() - before)
  }, 250)
  await work().finally(() => clearInterval(look))
  return most / MB
}

async function fileIn(folder: string, pointer: { path: string }): Promise<number> {
  const take = async (about: object) => {
    const tools = {
      stream: (address: string, request?: object) => outboundStream(policy, address, { ...request, ca: certificate }),
      environment: { WHATSAPP_WEB_URL: 'ws://127.0.0.1' },
    }
    const options = { name: 'nota.txt', maxBytes: SIZE, now: new Date() }
    return openStorage(folder).save(1, await openFile(tools, about as never), options)
  }
  // The first file loads the code that every file needs.
  await take({ ...pointer, path: '/v/pequeno' })
  return memoryOf(() => take(pointer))
}

async function fileOut(folder: string, pointer: { url: string }): Promise<number> {
  const library = await loadLibrary()
  const connect = (to: Parameters<typeof outboundConnect>[1]) => outboundConnect(policy, to)
  const hosts = [{ hostname: new URL(pointer.url).host, maxContentLengthBytes: 0 }]
  const upload = library.getWAUploadToServer(
    {
      ...library.DEFAULT_CONNECTION_CONFIG,
      fetchAgent: guardedAgent({ connect }, true, certificate),
      logger: silent,
    },
    async () => ({ auth: 'a', hosts, ttl: 300, fetchDate: new Date() }),
  )
  const send = async (size: number) => {
    const path = join(folder, 'nota.txt')
    writeFileSync(path, '')
    truncateSync(path, size)
    const file = { id: '1', name: 'nota.txt', mime: 'text/plain', durationMs: null, waveform: null, path, size }
    const tools = { readFile: (path: string) => createReadStream(path) }
    const content = await wholeContent(library, tools, { type: 'document', body: '', file } as Outbound)
    return library.generateWAMessage('5511988880301@s.whatsapp.net', content, {
      ...{ userJid: '551130000301@s.whatsapp.net', upload, logger: silent },
    })
  }
  await send(MB)
  return memoryOf(() => send(SIZE))
}

if (import.meta.filename === process.argv[1]) console.log(JSON.stringify(await measure()))
