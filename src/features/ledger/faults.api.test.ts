import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { messages } from '#features/messages/contract.ts'
import { isInfrastructure } from '#server/db/faults.ts'
import { DISK_FULL, type Faults, installFaults } from '#test/faults.ts'
import { make } from '#test/make.ts'
import { receiptEvent, type TestChannel, testChannel, textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { ingestIdle } from './server/ingest/ingest.ts'
import { receive } from './server/ingest/journal.ts'

let isDiskFull = false
const product = withProduct({
  checkpoint: (name) => {
    if (isDiskFull && name === 'file being written')
      throw Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC', syscall: 'write' })
  },
})
let faults: Faults
let channel: TestChannel
let tenantId: number
let connectionId: number
let agent: { id: number; token: string }

beforeAll(async () => {
  const m = make(product().platform)
  faults = await installFaults(product().ownerUrl)
  channel = testChannel(product().platform, { isIdempotent: false })
  tenantId = await m.tenant()
  connectionId = await m.connection(tenantId, { type: 'test' })
  const user = await m.user(tenantId, { profile: 'admin' })
  agent = { id: user.id, token: await m.token(user) }
})
afterEach(async () => {
  isDiskFull = false
  await faults.heal()
})
afterAll(() => faults.close())

const hear = (...events: Parameters<typeof receive>[2]) =>
  receive(product().platform, { tenantId, connectionId }, events)
const isReady = async () => (await fetch(`${product().address}/ready`)).status === 200
const bodiesOf = async (from: string) =>
  (
    await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('messages').select('body').where('conversation_key', '=', from).orderBy('timestamp').execute(),
    )
  ).map((row) => row.body)
const journaled = () =>
  product().platform.db.read(tenantId, (db) => db.selectFrom('journal').selectAll().orderBy('seq').execute())
const eventOf = async (id: string) => (await journaled()).find((row) => row.dedupe_key === id)!

async function openTicket(from: string): Promise<number> {
  await hear(textEvent({ from, body: 'Oi' }))
  await until(async () => (await bodiesOf(from)).length > 0)
  const row = await product().platform.db.write(tenantId, (db) =>
    db
      .updateTable('tickets')
      .set({ status: 'open', user_id: agent.id })
      .where('conversation_key', '=', from)
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return row.id
}

let front = 0
const send = (ticketId: number, body: string) =>
  call(product(), messages.send, agent.token, {
    params: { ticketId },
    body: { idFront: `front-of-faults-${++front}`, body, isNote: false },
  })
const statusOf = async (body: string) =>
  (
    await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('messages').select('status').where('body', '=', body).executeTakeFirst(),
    )
  )?.status

describe('an infrastructure error', () => {
  // Which codes are the installation's is in server/db/faults.test.ts.
  it('stops the turn: what was acknowledged waits uncounted, says so, and is stored afterwards', async () => {
    const from = '5511910053100'
    const sent = Array.from({ length: 60 }, (_, n) => `Antes ${n}`)
    await faults.raise('messages', DISK_FULL)
    await Promise.all(sent.map((body, n) => hear(textEvent({ from, body, id: body, at: 1_700_000_000_000 + n }))))
    await until(async () => !(await isReady()))
    // Longer than the attempts of a bad event.
    for (let n = 0; n < 4; n++) {
      await hear(textEvent({ from, body: `Mais ${n}`, at: 1_700_000_001_000 + n }))
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    const waiting = (await journaled()).filter((row) => row.processed_at === null)
    expect(waiting).toHaveLength(64)
    expect(waiting.every((row) => row.attempts === 0 && row.set_aside_at === null)).toBe(true)
    expect(await isReady()).toBe(false)
    await faults.heal()
    await until(isReady)
    await until(async () => (await bodiesOf(from)).length === 64)
    expect((await bodiesOf(from)).slice(0, 60)).toEqual(sent)
  })

  it('while an event is journaled is answered with it, and told until it is over', async () => {
    await faults.raise('journal', DISK_FULL)
    const refused = await hear(textEvent({ from: '5511920000001', body: 'não cabe' })).catch((error: unknown) => error)
    expect(isInfrastructure(refused)).toBe(true)
    expect(await isReady()).toBe(false)
    await faults.heal()
    await hear(textEvent({ from: '5511920000001', body: 'cabe' }))
    expect(await isReady()).toBe(true)
    await until(async () => (await bodiesOf('5511920000001')).length === 1)
  })

  it('while the result of a send is written makes it neither failed nor uncertain, and sends nothing twice', async () => {
    const ticketId = await openTicket('5511930000001')
    channel.behave(async (message) => {
      channel.sent.push(message)
      await faults.raise('message_trail', DISK_FULL, 'sent')
      return { providerId: message.messageId }
    })
    await send(ticketId, 'uma vez só')
    await until(() => channel.sent.some((message) => message.body === 'uma vez só'))
    await until(async () => (await statusOf('uma vez só')) === 'queued')
    await new Promise((resolve) => setTimeout(resolve, 600))
    await faults.heal()
    await until(async () => (await statusOf('uma vez só')) === 'sent')
    expect(channel.sent.filter((message) => message.body === 'uma vez só')).toHaveLength(1)
  })

  it('or a fast provider: a receipt that comes before the result of its send is written counts', async () => {
    const ticketId = await openTicket('5511930000003')
    channel.behave(async (message) => {
      await hear(receiptEvent('5511930000003', message.messageId, 'delivered'))
      await ingestIdle(product().platform)
      return { providerId: message.messageId }
    })
    await send(ticketId, 'chegou antes')
    await until(async () => (await statusOf('chegou antes')) === 'delivered')
    channel.behave(async (message) => {
      await faults.raise('message_trail', DISK_FULL, 'sent')
      await hear(receiptEvent('5511930000003', message.messageId, 'read'))
      channel.sent.push(message)
      return { providerId: message.messageId }
    })
    await send(ticketId, 'lida antes')
    await until(() => channel.sent.some((message) => message.body === 'lida antes'))
    expect(await statusOf('lida antes')).toBe('queued')
    await ingestIdle(product().platform)
    await faults.heal()
    await until(async () => (await statusOf('lida antes')) === 'read')
  })

  it('costs a job no try', async () => {
    const ticketId = await openTicket('5511930000002')
    channel.behave(async (message) => ({ providerId: message.messageId }))
    await faults.raise('message_trail', DISK_FULL, 'attempt')
    expect((await send(ticketId, 'depois')).status).toBe(200)
    const owner = new pg.Client({ connectionString: product().ownerUrl })
    await owner.connect()
    try {
      let job: { attempts: number; last_error: string | null; locked_at: Date | null } | undefined
      await until(async () => {
        const { rows } = await owner.query(
          "select attempts, last_error, locked_at from graphile_worker._private_jobs where key like '%5511930000002'",
        )
        job = rows[0]
        return job?.last_error != null && job.locked_at === null && job.attempts === 0
      })
      expect(job).toMatchObject({ attempts: 0 })
    } finally {
      await owner.end()
    }
    await faults.heal()
    await until(async () => (await statusOf('depois')) === 'sent')
  })

  it('of the storage refuses an upload with 503, leaves nothing behind, and the same request works afterwards', async () => {
    const ticketId = await openTicket('5511940000001')
    const upload = () => {
      const form = new FormData()
      for (const [name, value] of Object.entries({ idFront: 'front-of-disk-1', body: 'veja', isNote: 'false' }))
        form.append(name, value)
      form.append('medias', new Blob(['um texto que é um arquivo']), 'nota.txt')
      return fetch(`${product().address}/api/messages/${ticketId}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${agent.token}` },
        body: form,
      })
    }
    isDiskFull = true
    const refused = await upload()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    expect(readdirSync(join(product().platform.env.DATA_DIR, 'files', 'incoming'))).toEqual([])
    isDiskFull = false
    expect((await upload()).status).toBe(200)
    expect((await bodiesOf('5511940000001')).filter((body) => body === 'veja')).toHaveLength(1)
  })
})

describe('an event that fails by itself', () => {
  it('is put aside after exactly three tries alone; neighbours and what follows it arrive', async () => {
    const poisons = ['22023', '54000', 'P0001'].map((code, n) => {
      const from = `551195000000${n}`
      return { code, from, bad: textEvent({ from, body: `veneno ${code}`, at: 1_700_000_000_000 }) }
    })
    const neighbour = '5511950000009'
    for (const { code, bad } of poisons) await faults.raise('messages', code, bad.message.body)
    await hear(
      ...poisons.map(({ from }) => textEvent({ from, body: 'antes', at: 1_699_999_999_000 })),
      ...poisons.map(({ bad }) => bad),
      ...poisons.map(({ from }) => textEvent({ from, body: 'depois', at: 1_700_000_001_000 })),
      textEvent({ from: neighbour, body: 'vizinha' }),
    )
    await until(async () => (await bodiesOf(neighbour)).length === 1)
    for (const { code, from, bad } of poisons) {
      await until(async () => (await bodiesOf(from)).length === 2)
      expect(await bodiesOf(from)).toEqual(['antes', 'depois'])
      expect(await eventOf(bad.dedupeKey)).toMatchObject({
        attempts: 3,
        error_code: code,
        set_aside_at: expect.any(Date),
      })
    }
    expect((await journaled()).filter((row) => row.set_aside_at)).toHaveLength(poisons.length)
    expect(await isReady()).toBe(true)
  })

  it('waits through a full disk without being counted', async () => {
    const from = '5511960000001'
    const bad = textEvent({ from, body: 'veneno e disco' })
    await faults.raise('messages', DISK_FULL)
    await hear(bad)
    await until(async () => !(await isReady()))
    await new Promise((resolve) => setTimeout(resolve, 1200))
    expect(await eventOf(bad.dedupeKey)).toMatchObject({ attempts: 0, set_aside_at: null })
    await faults.heal()
    await until(async () => (await bodiesOf(from)).length === 1)
  })
})
