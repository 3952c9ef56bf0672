import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it, test } from 'vitest'
import { type SettingKey, type SettingSpec, settingEntries, settingsRegistry } from '#kit/settings.ts'
import { make } from '#test/make.ts'
import { call, startProduct, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { flagOperations, settings, tenantFlags } from './contract.ts'

const product = withProduct()

async function company() {
  const m = make(product().platform)
  const tenantId = await m.tenant()
  const admin = await m.token(await m.user(tenantId, { profile: 'admin' }))
  const agent = await m.token(await m.user(tenantId))
  const set = (key: string, value: string, token = admin) =>
    call(product(), settings.set, token, { params: { key }, body: { key, value } })
  const get = (key: string, token = admin) => call(product(), settings.get, token, { params: { key } })
  return { m, tenantId, admin, agent, set, get }
}

describe('reading', () => {
  it('answers every setting to an admin, with its default, and to others only what the interface uses', async () => {
    const { admin, agent } = await company()
    const all = (await call(product(), settings.list, admin)).body as { key: SettingKey; value: string }[]
    expect(Object.fromEntries(all.map(({ key, value }) => [key, value]))).toEqual(
      Object.fromEntries(settingEntries().map(([key, spec]) => [key, spec.default])),
    )
    const few = (await call(product(), settings.list, agent)).body.map(({ key }) => key)
    expect(few).toContain('signed')
    expect(few).not.toContain('forbiddenNumbers')
  })

  it('one by its name; a name that is none, or not theirs to know, is not found', async () => {
    const { get, agent } = await company()
    expect((await get('nullTickets')).body).toEqual({ key: 'nullTickets', value: 'disabled' })
    for (const reply of [await get('toString'), await get('inventada'), await get('forbiddenNumbers', agent)]) {
      expect([reply.status, reply.body]).toMatchObject([404, { error: 'ERR_NO_SETTING_FOUND' }])
    }
  })
})

describe('writing', () => {
  it('keeps a value and answers it from then on', async () => {
    const { set, get } = await company()
    expect((await set('maxRetries', '4')).body).toEqual({ key: 'maxRetries', value: '4' })
    expect((await get('maxRetries')).body).toMatchObject({ value: '4' })
  })

  const badValues: [SettingKey, string, RegExp][] = [
    ['signed', 'true', /enabled ou disabled/],
    ['maxRetries', '0', /de 1 a 10/],
    ['maxRetries', '11', /de 1 a 10/],
    ['maxRetries', '2.5', /número inteiro/],
    ['autoCloseTime', '15', /Escolha entre: 10 minutos/],
    ['autoCloseMessage', 'x'.repeat(1001), /no máximo 1000/],
    ['forbiddenNumbers', '5519998124407, Dona Marlene', /“Dona Marlene” não é um número/],
    ['businessHours', '[]', /endereço próprio/],
  ]
  test.each(badValues)('%s refuses %j', async (key, value, sentence) => {
    const { set, get } = await company()
    const reply = await set(key, value)
    expect([reply.status, reply.body]).toMatchObject([400, { details: { value: expect.stringMatching(sentence) } }])
    expect((await get(key)).body).toMatchObject({ value: settingsRegistry[key].default })
  })

  it('is refused to agents, for keys of the installation, for names that are none and for two names', async () => {
    const { set, agent, admin } = await company()
    expect((await set('signed', 'enabled', agent)).status).toBe(403)
    expect((await set('menuVisibility', '{}')).body).toMatchObject({ error: 'ERR_NO_PERMISSION' })
    expect((await set('inventada', 'enabled')).body).toMatchObject({ error: 'ERR_NO_SETTING_FOUND' })
    const two = await call(product(), settings.set, admin, {
      params: { key: 'signed' },
      body: { key: 'nullTickets', value: 'enabled' },
    })
    expect([two.status, two.body]).toMatchObject([400, { details: { key: expect.any(String) } }])
  })
})

describe('settings that do not go together', () => {
  const pairs = settingEntries().flatMap(([key, spec]) => (spec.conflicts ?? []).map((other) => [key, other] as const))

  it('know it of each other, and the three of the specification are among them', () => {
    for (const [key, other] of pairs) expect(pairs).toContainEqual([other, key])
    const three = ['NotViewAssignedTickets', 'NotViewTicketsChatBot', 'nullTickets']
    for (const one of three) for (const two of three) if (one !== two) expect(pairs).toContainEqual([one, two])
  })

  test.each(pairs)('%s is refused while %s is on, by name, and taken once it is off', async (key, other) => {
    const { set, get } = await company()
    await set(other, 'enabled')
    const reply = await set(key, 'enabled')
    expect([reply.status, reply.body]).toMatchObject([
      409,
      { error: 'ERR_SETTING_CONFLICT', details: { key: other, label: settingsRegistry[other as SettingKey].label } },
    ])
    expect((await get(key)).body).toMatchObject({ value: 'disabled' })
    await set(other, 'disabled')
    expect((await set(key, 'enabled')).status).toBe(200)
  })

  it('of two at the same moment only one is taken', async () => {
    const { set } = await company()
    const replies = await Promise.all([set('nullTickets', 'enabled'), set('NotViewAssignedTickets', 'enabled')])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

describe('the addresses of old', () => {
  test.each(tenantFlags().map((flag) => [flag.alias, flag] as const))('PUT /%s/{id} sets it', async (_, flag) => {
    const { admin, tenantId, get, m } = await company()
    const put = (id: number, value: unknown, more: object = { id }) =>
      call(product(), flagOperations()[flag.key]!, admin, {
        params: { id },
        body: { ...more, [flag.field]: value },
      } as never)
    const spec: SettingSpec = flag.spec
    const value = spec.kind === 'switch' ? 'enabled' : spec.kind === 'number' ? spec.max : 'Texto'
    const reply = await put(tenantId, value)
    expect([reply.status, reply.body]).toEqual([200, { id: tenantId, [flag.field]: String(value) }])
    expect((await get(flag.key)).body).toMatchObject({ value: String(value) })
    const foreign = await m.tenant()
    expect((await put(foreign, value)).status).toBe(404)
    expect((await put(tenantId, value, { id: foreign })).status).toBe(404)
    expect((await put(tenantId, 'talvez')).status).toBe(400)
  })
})

describe('a change', () => {
  it('is known to every process and told to open screens', async () => {
    const { set, tenantId } = await company()
    const second = await startProduct({}, product().ownerUrl)
    try {
      const known = async () => (await second.platform.settings.get(String(tenantId))).values.showClosedForAll
      expect(await known()).toBe('disabled')
      const told: unknown[] = []
      second.platform.bus.subscribe((tenant, changes) => {
        if (tenant === tenantId) told.push(...changes.map(({ type, payload }) => [type, payload]))
      })
      await set('showClosedForAll', 'enabled')
      await until(async () => (await known()) === 'enabled' && told.length > 0)
      expect(told).toEqual([['settings:changed', { keys: ['showClosedForAll'] }]])
      await set('showClosedForAll', 'enabled')
      await sleep(50)
      expect(told).toHaveLength(1)
    } finally {
      await second.close()
    }
  })

  it('stands in the audit log with the value before and after', async () => {
    const { set, tenantId } = await company()
    await set('maxRetries', '3')
    const owner = new pg.Client({ connectionString: product().ownerUrl })
    await owner.connect()
    const { rows } = await owner.query('select * from audit_log where tenant_id = $1', [tenantId])
    await owner.end()
    expect(rows).toMatchObject([
      { action: 'settings.set', changes: { maxRetries: { before: '1', after: '3' } }, result: 'ok' },
    ])
  })
})
