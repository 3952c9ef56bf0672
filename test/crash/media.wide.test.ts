import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { createDatabase, startProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { query, startChild, startPeer, stop } from './processes.ts'

it('killed without a word between a message and its file, the file comes once', async ({ onTestFinished }) => {
  const databaseUrl = await createDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'guiche-media-'))
  const peer = await startPeer()
  const host = createServer((_, response) => response.end('Nota fiscal 4512'))
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  let child: Awaited<ReturnType<typeof startChild>> | null = null
  onTestFinished(async () => {
    await stop(child)
    await peer.close()
    host.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const product = await startProduct({}, databaseUrl)
  const m = make(product.platform)
  const tenantId = await m.tenant()
  const connectionId = await m.connection(tenantId, { type: 'test' })
  await product.close()
  const rows = (text: string) => query(databaseUrl, async (client) => (await client.query(text)).rows)
  const died = () => until(() => child!.process.signalCode === 'SIGKILL')
  const launch = async (crashAt: string) => {
    await stop(child)
    child = await startChild({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PEER_URL: peer.url, CRASH_AT: crashAt })
  }
  await launch('media downloaded')
  const event = textEvent({ from: '5511988880401', body: 'A nota', id: 'nota-1' })
  const pointer = `http://127.0.0.1:${(host.address() as AddressInfo).port}/`
  const remote = { name: 'nota.txt', size: 16, pointer }
  const message = { ...event.message, type: 'document', remote }
  await fetch(`${child!.address}/test/hook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tenantId, connectionId, events: [{ ...event, message }] }),
  }).catch(() => null)
  await died()
  expect(await rows('select file_id from messages')).toEqual([{ file_id: null }])
  expect(await rows('select id from files')).toEqual([])
  await launch('')
  await until(async () => (await rows('select id from messages where file_id is not null')).length === 1)
  expect(await rows('select name, size from files')).toEqual([{ name: 'nota.txt', size: 16 }])
  expect(await rows('select message_id from media_downloads')).toEqual([])
  // Neither does what had been downloaded when it died.
  await until(() => readdirSync(join(dataDir, 'files', 'incoming')).length === 0)
}, 120_000)
