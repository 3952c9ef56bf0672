import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { certificate } from '#features/lab/server/whatsapp/certificate.ts'
import { outboundStream } from '#server/outbound.ts'
import { openStorage } from '#server/storage.ts'
import { openFile } from './media-in.ts'

const MB = 1024 * 1024
const HOST = join(import.meta.dirname, '../../../../test/peers/whatsapp/large-file.ts')

// What waits to be collected is nobody's.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

test('a file of 100 MB is stored with 40 MB of memory at most', async ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'guiche-large-'))
  const host = spawn(process.execPath, [HOST, '100'], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => {
    host.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  const [pointer] = (await once(host.stdout!, 'data')) as [Buffer]
  const policy = { allow: ['127.0.0.1', '::1'] }
  const tools = {
    stream: (address: string, request?: object) => outboundStream(policy, address, { ...request, ca: certificate }),
    environment: { WHATSAPP_WEB_URL: 'ws://127.0.0.1' },
  }
  const used = () => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const take = async (pointer: object) => {
    const options = { name: 'nota.txt', maxBytes: 100 * MB, now: new Date() }
    return openStorage(folder).save(1, await openFile(tools, pointer as never), options)
  }
  // What every file needs is loaded by the first.
  const whole = JSON.parse(pointer.toString())
  await take({ ...whole, path: '/v/pequeno' })
  const before = used()
  let most = 0
  const look = setInterval(() => {
    most = Math.max(most, used() - before)
  }, 50)
  const file = await take(whole)
  clearInterval(look)
  expect(file).toMatchObject({ size: 100 * MB, mime: 'text/plain' })
  expect(most).toBeGreaterThan(0)
  expect(most / MB).toBeLessThan(40)
})
