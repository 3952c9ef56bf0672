import { expect } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { call } from '#test/server.ts'
import { until } from '#test/until.ts'
import type { World } from './world.ts'

/**
 * Checks that a device is linked again with the connection's code, which is readable until it expires, and gone after use.
 */
export async function linkCheck(
  { product, token, end, patienceMs }: World,
  by: 'qrcode' | 'pairingCode',
): Promise<void> {
  const params = { id: end.connectionId }
  const read = async () => (await call(product, connections.get, token, { params })).body
  const reply =
    by === 'qrcode'
      ? await call(product, connections.renew, token, { params })
      : await call(product, connections.start, token, { params, body: { pairing: '5519999990000' } })
  expect([reply.status, reply.body]).toMatchObject([200, { status: 'OPENING', qrcode: null, pairingCode: null }])
  await until(async () => (await read())[by] !== null, patienceMs)
  const shown = await read()
  expect(shown).toMatchObject({ status: 'qrcode', retries: 1 })
  expect(by === 'qrcode' ? shown.pairingCode : shown.qrcode).toBeNull()
  expect(shown.codeExpiresAt! - product.platform.now().getTime()).toSatisfy((ms: number) => ms > 0 && ms <= 120_000)
  await end.scan!(shown[by]!)
  await until(async () => (await read()).status === 'CONNECTED', patienceMs)
  expect(await read()).toMatchObject({ qrcode: null, pairingCode: null, codeExpiresAt: null, retries: 0, cause: null })
}
