import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { expect, it } from 'vitest'
import { type LabPhone, lab } from '#features/lab/contract.ts'
import { make } from '#test/make.ts'
import { call, createDatabase, startProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { query, startChild, stop } from './processes.ts'

const MESSAGES = 130
const DAY = 86_400_000

it.for(['history block committed', 'before ingest commit'])(
  'killed at: %s (again and again), an import brings all that the phones kept, each once and in its order',
  async (point, { onTestFinished }) => {
    const databaseUrl = await createDatabase()
    const dataDir = mkdtempSync(join(tmpdir(), 'guiche-import-'))
    let child: Awaited<ReturnType<typeof startChild>> | null = null
    onTestFinished(async () => {
      await stop(child)
      rmSync(dataDir, { recursive: true, force: true })
    })
    const product = await startProduct({}, databaseUrl)
    const m = make(product.platform)
    const token = await m.token(await m.user(await m.tenant(), { profile: 'admin' }))
    const kept: { phone: LabPhone; ids: string[] }[] = []
    for (const name of ['Otávio', 'Tainá']) {
      const number = `(19) 99812-400${kept.length}`
      const phone = (await call(product, lab.create, token, { body: { name, number } })).body
      const messages = Array.from({ length: MESSAGES }, (_, n) => ({
        ...{ id: randomUUID(), fromPhone: n % 3 !== 1, body: `${name} ${n}` },
        timestamp: Date.now() - 9 * DAY + Math.floor(n / 2) * 1000,
      }))
      await call(product, lab.keep, token, { params: { id: phone.id }, body: { messages } })
      kept.push({ phone, ids: messages.map(({ id }) => id) })
    }
    await product.close()
    const rows = <R extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      query(databaseUrl, async (client) => (await client.query<R>(text, values)).rows)

    const launch = async (crashAt: string) => {
      child = await startChild({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PEER_URL: '', CRASH_AT: crashAt })
    }
    await launch(point)
    await fetch(`${child!.address}/api/messages/syncOld`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ whatsappId: kept[0]!.phone.connectionId, limit: 1000 }),
    }).catch(() => {})
    for (let deaths = 1; deaths <= 3; deaths++) {
      await until(() => child!.process.signalCode === 'SIGKILL')
      await launch(deaths < 3 ? point : '')
    }
    const ends = () => rows<{ status: string; n: number }>('select status, messages_new as n from history_imports')
    await until(async () => (await ends())[0]?.status === 'done')
    expect(await ends()).toEqual([{ status: 'done', n: 2 * MESSAGES }])
    for (const { phone, ids } of kept) {
      const stored = await rows<{ provider_id: string }>(
        'select provider_id from messages where conversation_key = $1 order by timestamp, seq',
        [phone.number],
      )
      expect(stored.map(({ provider_id }) => provider_id)).toEqual(ids)
    }
  },
)
