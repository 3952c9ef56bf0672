import { afterAll, beforeAll, expect, test } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { messages } from '#features/messages/contract.ts'
import { call } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type LinkedCompany, linkedCompany } from '#test/whatsapp-company.ts'

let { server, product, us, contact: person } = {} as LinkedCompany
beforeAll(async () => {
  const names = {
    shop: { number: '551130000601', name: 'Livraria' },
    contact: { number: '5511988880601', name: 'Otávio' },
  }
  ;({ server, product, us, contact: person } = await linkedCompany(names))
})
afterAll(async () => {
  await product.close()
  await server.close()
})

async function begin(number: string): Promise<() => Promise<string>> {
  const body = { whatsappId: us.id, number, message: `Olá, ${number}`, idFront: crypto.randomUUID() }
  expect((await call(product, messages.direct, us.token, { body })).status).toBe(200)
  return async () => (await us.message(`Olá, ${number}`)).status
}

test('somebody who never wrote is reached when WhatsApp knows the number, and not written to when it does not', async () => {
  const known = await begin('5511988880601')
  await until(async () => ['sent', 'delivered'].includes(await known()))
  await until(() => person.inbox.length === 1)
  const unknown = await begin('5511988880699')
  await until(async () => (await unknown()) === 'failed')
})

test('three refusals 463 within an hour are shown on the card, and open conversations go on', async () => {
  for (const number of ['5511988880611', '5511988880612', '5511988880613']) {
    await server.addPhone({ number, name: number })
    server.faults.refused.set(number, '463')
    const refused = await begin(number)
    await until(async () => (await refused()) === 'failed')
  }
  const { body } = await call(product, connections.list, us.token, { query: {} })
  const [row] = body.connections
  expect(row!.slowUntil).toBeGreaterThan(product.platform.now().getTime())
  await us.reply(await us.accept('5511988880601'), 'Ainda por aqui')
  await until(() => person.inbox.length === 2)
})
