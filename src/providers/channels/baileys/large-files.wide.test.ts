import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificate } from '#features/lab/server/whatsapp/certificate.ts'
import { outboundConnect, outboundStream } from '#server/outbound.ts'
import { openStorage } from '#server/storage.ts'
import type { Outbound } from '../port.ts'
import { loadLibrary, silent } from './library.ts'
import { openFile } from './media-in.ts'
import { wholeContent } from './media-out.ts'
import { guardedAgent } from './network.ts'

const MB = 1024 * 1024
const HOST = join(import.meta.dirname, '../../../../test/peers/whatsapp/large-file.ts')
const policy = { allow: ['127.0.0.1', '::1'] }

// What waits to be collected is nobody's.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const folder = mkdtempSync(join(tmpdir(), 'guiche-large-'))
let host: ReturnType<typeof spawn>
let pointer: { url: string; path: string }
beforeAll(async () => {
  host = spawn(process.execPath, [HOST, '100'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [about] = (await once(host.stdout!, 'data')) as [Buffer]
  pointer = JSON.parse(about.toString())
})
afterAll(() => {
  host.kill()
  rmSync(folder, { recursive: true, force: true })
})

/** How many MB of memory something takes at most, and what it answers. */
async function measured<T>(work: () => Promise<T>): Promise<{ most: number; result: T }> {
  const used = () => {
    // Buffers are given back beside the program when a collection has ended, and all of them counted by the next one: after
    // one alone, whatever was passed on in the meantime seems to be held.
    collect()
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = used()
  const looks: number[] = []
  const look = setInterval(() => looks.push(used() - before), 250)
  const result = await work().finally(() => clearInterval(look))
  expect(looks).not.toEqual([])
  return { most: Math.max(...looks) / MB, result }
}

/** Stores what the host has there. */
async function take(about: object) {
  const tools = {
    stream: (address: string, request?: object) => outboundStream(policy, address, { ...request, ca: certificate }),
    environment: { WHATSAPP_WEB_URL: 'ws://127.0.0.1' },
  }
  const options = { name: 'nota.txt', maxBytes: 100 * MB, now: new Date() }
  return openStorage(folder).save(1, await openFile(tools, about as never), options)
}

test('a file of 100 MB is stored with 40 MB of memory at most', async () => {
  // What every file needs is loaded by the first.
  await take({ ...pointer, path: '/v/pequeno' })
  const { most, result } = await measured(() => take(pointer))
  expect(result).toMatchObject({ size: 100 * MB, mime: 'text/plain' })
  expect(most).toBeLessThan(40)
})

test('one that is sent takes no more', async () => {
  const library = await loadLibrary()
  const connect = (to: Parameters<typeof outboundConnect>[1]) => outboundConnect(policy, to)
  const hosts = [{ hostname: new URL(pointer.url).host, maxContentLengthBytes: 0 }]
  const upload = library.getWAUploadToServer(
    {
      ...library.DEFAULT_CONNECTION_CONFIG,
      fetchAgent: guardedAgent({ connect }, true, certificate),
      logger: silent,
    } as never,
    async () => ({ auth: 'a', hosts, ttl: 300, fetchDate: new Date() }),
  )
  const send = async (size: number) => {
    const path = join(folder, 'nota.txt')
    writeFileSync(path, '')
    truncateSync(path, size)
    const file = { id: '1', name: 'nota.txt', mime: 'text/plain', durationMs: null, waveform: null, path, size }
    const tools = { readFile: (path: string) => createReadStream(path) }
    const content = await wholeContent(library, tools, { type: 'document', body: '', file } as Outbound)
    const made = await library.generateWAMessage('5511988880301@s.whatsapp.net', content, {
      ...{ userJid: '551130000301@s.whatsapp.net', upload, logger: silent },
    })
    return made.message!.documentMessage!
  }
  await send(MB)
  const { most, result } = await measured(() => send(100 * MB))
  expect(Number(result.fileLength)).toBe(100 * MB)
  // The host has read all of it: whole blocks, the last of them padding, and what it is proven by.
  expect(result.directPath).toBe(`/v/${100 * MB + 16 + 10}`)
  expect(most).toBeLessThan(40)
})
