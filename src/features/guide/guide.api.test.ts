import { beforeAll, expect, test } from 'vitest'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { guide } from './contract.ts'

const product = withProduct()
let tenantId: number
const tokens: Record<string, string> = {}

beforeAll(async () => {
  const m = make(product().platform)
  tenantId = await m.tenant()
  for (const profile of ['admin', 'super', 'user'] as const)
    tokens[profile] = await m.token(await m.user(tenantId, { profile }))
})

const write = (change: Parameters<ReturnType<typeof product>['platform']['db']['asPlatform']>[0]) =>
  product().platform.db.asPlatform(change)
const steps = async (who: string) => {
  const { body } = await call(product(), guide.steps, tokens[who]!)
  return body.steps.map(({ step, isDone }) => `${step} ${isDone}`)
}
const health = async (who: string) => (await call(product(), guide.health, tokens[who]!)).body.health

test('each role has the steps that it may take, with what was done', async () => {
  expect(await steps('admin')).toEqual(['channel false', 'people true', 'hours false', 'bot false', 'trial false'])
  expect((await steps('super')).map((line) => line.split(' ')[0])).not.toContain('people')
  expect(await steps('user')).toContain('answer false')
  await write(async (db) => {
    const connected = {
      tenant_id: tenantId,
      name: 'Loja',
      type: 'lab',
      status: 'CONNECTED',
      first_connected_at: new Date(),
    }
    await db.insertInto('connections').values(connected).execute()
    const hours = { tenant_id: tenantId, key: 'businessHours', value: '[{"day":1}]' }
    await db.insertInto('settings').values(hours).execute()
    await db.updateTable('users').set({ is_online: true }).where('tenant_id', '=', tenantId).execute()
  })
  expect(await steps('admin')).toEqual(['channel true', 'people true', 'hours true', 'bot false', 'trial false'])
  expect(await steps('user')).toContain('presence true')
})

test('a channel that was connected once and is away fails; one that never was is nothing to tell', async () => {
  expect(await health('admin')).toEqual({ '/laboratorio': 'pos', '/sessoes': 'pos' })
  await write((db) =>
    db
      .insertInto('connections')
      .values({ tenant_id: tenantId, name: 'Nova', type: 'lab', status: 'DISCONNECTED' })
      .execute(),
  )
  expect(await health('admin')).toMatchObject({ '/sessoes': 'pos' })
  await write((db) =>
    db
      .updateTable('connections')
      .set({ status: 'DISCONNECTED', cause: 'unlinked' })
      .where('tenant_id', '=', tenantId)
      .where('name', '=', 'Loja')
      .execute(),
  )
  expect(await health('admin')).toEqual({ '/laboratorio': 'neg', '/sessoes': 'neg' })
  expect(await health('user')).toEqual({})
  // The person who ended it knows; nothing is done there, and nothing fails.
  await write((db) =>
    db.updateTable('connections').set({ cause: 'person' }).where('tenant_id', '=', tenantId).execute(),
  )
  expect(await health('admin')).toEqual({})
})
