import { expect } from 'vitest'
import { refuseJob } from '#features/ledger/server/calls/refuse.ts'
import { make } from '#test/make.ts'
import { until } from '#test/until.ts'
import type { World } from './world.ts'

const callsOf = ({ product, tenantId }: World) =>
  product.platform.db.read(tenantId, (db) =>
    db.selectFrom('messages').selectAll().where('media_type', '=', 'call').orderBy('seq').execute(),
  )

const pendingOf = async ({ product, tenantId }: World): Promise<number> =>
  (
    await product.platform.db.read(tenantId, (db) =>
      db.selectFrom('messages').select('id').where('status', 'in', ['pending', 'queued']).execute(),
    )
  ).length

/**
 * Checks that a call appears in its conversation; if the company accepts no calls, it is rejected, and the caller gets the
 * reason once.
 */
export async function callCheck(world: World): Promise<void> {
  const { product, tenantId, end } = world
  const m = make(product.platform)
  const call = async () => {
    const before = (await callsOf(world)).length
    const isRefused = await end.ring!()
    await until(async () => (await callsOf(world)).length > before, world.patienceMs)
    return isRefused
  }
  const rings = await call()
  expect(await callsOf(world)).toMatchObject([{ body: 'Chamada de voz', from_me: false }])
  expect(rings()).toBe(false)
  await m.setting(tenantId, 'rejectCalls', 'enabled')
  await m.setting(tenantId, 'callRejectMessage', 'Não atendemos chamadas')
  const isRefused = await call()
  await until(isRefused, world.patienceMs)
  await until(async () => (await callsOf(world)).at(-1)!.body === 'Chamada de voz recusada', world.patienceMs)
  const said = async () => (await end.arrived()).filter(({ body }) => body === 'Não atendemos chamadas')
  await until(async () => (await said()).length > 0, world.patienceMs)
  // A repeated job sends no second message.
  const messageId = (await callsOf(world)).at(-1)!.id
  await refuseJob.run(product.platform, { tenantId, messageId }, { requireOwnership() {} })
  await until(async () => (await pendingOf(world)) === 0, world.patienceMs)
  expect(await said()).toHaveLength(1)
  await m.setting(tenantId, 'rejectCalls', 'disabled')
}
