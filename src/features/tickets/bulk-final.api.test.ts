import { describe, expect, it } from 'vitest'
import { bulk } from '#features/bulk/contract.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import type { BulkAnswer } from '#kit/bulk.ts'
import { finalizeJob } from '#server/bulk/finalize.ts'
import { make } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { ratingCompany } from '#test/rating-company.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type BulkAction, type BulkArgs, ticketsBulk } from './bulk-contract.ts'

let shiftMs = 0
const product = withProduct({ now: () => new Date(Date.now() + shiftMs) })

async function start(token: string, ids: number[], action: BulkAction, args: BulkArgs = {}): Promise<string> {
  const reply = await call(product(), ticketsBulk.start, token, { body: { ids, action, args } })
  expect(reply.body).toMatchObject({ done: ids.length })
  return (reply.body as unknown as BulkAnswer).id!
}
const undo = async (token: string, id: string) =>
  expect((await call(product(), bulk.undo, token, { params: { id } })).status).toBe(200)

/** Runs the finalizing job after the undo has expired, twice, as after a crash. */
async function finalize(tenantId: number, operationId: string, afterMs = 10_001): Promise<void> {
  shiftMs = afterMs
  const run = () => finalizeJob.run(product().platform, { tenantId, operationId }, { requireOwnership: () => {} })
  await run()
  await run()
  shiftMs = 0
}

const QUESTION = /avali|nota|atendimento/i

describe('what a customer would notice of many resolved tickets', () => {
  it('waits until nobody can take it back, and comes once', async () => {
    const { tenantId, token, talking, heard, jobsDone, rows } = await ratingCompany(product())
    const id = await talking()
    const operation = await start(token.ana, [id], 'close')
    await jobsDone()
    expect([await heard(), await rows()]).toEqual([[], []])
    // A queue whose clock is ahead of ours starts the job too early.
    await finalize(tenantId, operation, 0)
    await jobsDone()
    expect([await heard(), await rows()]).toEqual([[], []])
    await finalize(tenantId, operation)
    await until(async () => (await heard()).length === 1)
    await jobsDone()
    expect(await heard()).toEqual([expect.stringMatching(QUESTION)])
    expect(await rows()).toHaveLength(1)
  })

  it('never comes when it is taken back, when a colleague opens it again, and when no rating is wanted', async () => {
    const { tenantId, token, talking, heard, jobsDone, change, rows } = await ratingCompany(product())
    const id = await talking()
    const undone = await start(token.ana, [id], 'close')
    await undo(token.ana, undone)
    await finalize(tenantId, undone)
    const reopened = await start(token.ana, [id], 'close')
    await change(id, { status: 'open', userId: 1 }, token.admin).then(() =>
      change(id, { status: 'pending' }, token.admin),
    )
    await finalize(tenantId, reopened)
    const unrated = await start(token.ana, [id], 'close', { unrated: true })
    await finalize(tenantId, unrated)
    await jobsDone()
    expect([await heard(), await rows()]).toEqual([[], []])
  })

  it('also comes for those that could not be taken back', async () => {
    const { tenantId, token, talking, heard, change } = await ratingCompany(product())
    const id = await talking()
    const operation = await start(token.ana, [id], 'close')
    // Changed since, but still resolved.
    await change(id, { value: '10' }, token.admin)
    await undo(token.ana, operation)
    await finalize(tenantId, operation)
    await until(async () => (await heard()).length === 1)
  })
})

it('that many were read, their channel hears when it is final, and not before', async () => {
  const { platform } = product()
  const m = make(platform)
  const channel = testChannel(platform)
  const tenantId = await m.tenant()
  const token = await m.token(await m.user(tenantId, { profile: 'admin' }))
  const connectionId = await m.connection(tenantId, { type: 'test' })
  await receive(
    platform,
    { tenantId, connectionId },
    ['rita', 'joao'].map((from) => textEvent({ from, body: 'Oi' })),
  )
  await ingestIdle(platform)
  const found = await platform.db.read(tenantId, (db) => db.selectFrom('tickets').select('id').orderBy('id').execute())
  const ids = found.map(({ id }) => id)
  const undone = await start(token, ids, 'read')
  await undo(token, undone)
  await finalize(tenantId, undone)
  expect(channel.read).toEqual([])
  const operation = await start(token, ids, 'read')
  await finalize(tenantId, operation)
  await until(() => channel.read.length === 2)
  expect(channel.read.toSorted()).toEqual(['joao', 'rita'])
})
