import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MantineProvider } from '@mantine/core'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { access } from '#features/access/contract.ts'
import { type ConnectionDetail, connections } from '#features/connections/contract.ts'
import { type ProviderRow, providers } from '#features/connections/providers-contract.ts'
import { providerScreens } from '#features/connections/web/provider-screens.ts'
import { type LabMessage, type LabPhone, lab } from '#features/lab/contract.ts'
import { messages } from '#features/messages/contract.ts'
import { companies } from '#features/tenants/companies.ts'
import { tickets } from '#features/tickets/contract.ts'
import type { Operation } from '#kit/contract.ts'
import { startValues } from '#kit/provider.ts'
import { lookOf } from '#providers/channels/config.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { ProviderFields } from '#web/fields/ProviderFields.tsx'
import { channelSuite } from '../suite.ts'
import { echoConfig } from './config.ts'
import { openValley, startMountain } from './mountain.ts'

channelSuite(echoConfig, import.meta.dirname, openValley)

describe('a new channel by the recipe alone', () => {
  const TOKEN = 'uma-senha-que-ecoa-1234'
  const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
  let mountain: Awaited<ReturnType<typeof startMountain>>
  let us: { tenantId: number; id: number; token: string }
  let agent: string
  let owner: string
  beforeAll(async () => {
    mountain = await startMountain(TOKEN)
    const m = make(product().platform)
    const tenantId = await m.tenant()
    const admin = await m.user(tenantId, { profile: 'admin' })
    us = { tenantId, id: admin.id, token: await m.token(admin) }
    agent = await m.token(await m.user(tenantId, { profile: 'user' }))
    await product().platform.db.asPlatform((db) =>
      db.updateTable('tenants').set({ max_connections: 20 }).where('id', '=', tenantId).execute(),
    )
    owner = await m.token(await m.user(await m.tenant(), { profile: 'superadmin' }))
  })
  afterAll(() => mountain.close())

  const ask = <T = Record<string, unknown>>(operation: Operation, input: object, by = us.token) =>
    call(product(), operation, by, input as never) as Promise<{ status: number; body: T }>
  const create = (config: object, by?: string) =>
    ask<ConnectionDetail>(connections.create, { body: { type: 'echo', name: 'Vale', config } }, by)

  test('nothing but its folder and the two lines of the lists names it', () => {
    const root = join(import.meta.dirname, '../../..')
    const files = globSync('{src,test,db}/**/*.{ts,tsx,json}', {
      cwd: root,
      exclude: ['test/channels/echo/**'],
    })
    expect(files.length).toBeGreaterThan(1000)
    const named = files.filter((file) =>
      /echoConfig|echoAdapter|channels\/echo\//.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(named).toEqual(['test/channels/register.ts'])
    const lines = readFileSync(join(root, 'test/channels/register.ts'), 'utf8').split('\n')
    expect(lines.filter((line) => /echo/i.test(line) && !line.startsWith('import '))).toEqual([
      '  echoConfig,',
      '  echo: echoAdapter,',
    ])
  })

  test('its form is drawn, checked field by field, and keeps its secret', async () => {
    const { fields } = echoConfig
    const form = createElement(ProviderFields, { fields, values: startValues(fields), errors: {}, set: () => {} })
    const drawn = renderToStaticMarkup(createElement(MantineProvider, null, form))
    for (const text of ['Vale', 'Onde se grita.', 'Senha do vale']) expect(drawn).toContain(text)
    expect(await create({ token: 'x', wind: 1 })).toMatchObject({
      status: 400,
      body: { details: { 'config.valley': expect.any(String), 'config.wind': 'Campo desconhecido.' } },
    })
    const { status, body } = await create({ valley: 'Norte', token: TOKEN })
    expect([status, body]).toMatchObject([200, { type: 'echo', config: { valley: 'Norte', token: '••••1234' } }])
    expect((await create({ valley: 'Norte', token: TOKEN })).status).toBe(409)
  })

  test('it is set once on a screen of its own, and tried there and at its connection', async () => {
    expect(providerScreens([lookOf(echoConfig)])).toMatchObject([
      { path: '/configuracoes/echo', title: 'Montanha do eco', can: 'connections:write' },
    ])
    const params = { id: 'echo' }
    expect((await ask(providers.save, { params, body: { url: 'ftp://x' } })).body).toMatchObject({
      details: { url: expect.any(String) },
    })
    expect((await ask(providers.save, { params, body: { url: mountain.address } })).status).toBe(200)
    expect((await ask(providers.test, { params, body: {} })).body).toMatchObject({ ok: true })
    const { body } = await ask<{ providers: ProviderRow[] }>(providers.list, {})
    expect(body.providers).toContainEqual({ id: 'echo', name: 'Montanha do eco', types: ['echo'], source: 'company' })
    const { id } = (await create({ valley: 'Sul', token: 'outra senha' })).body
    expect((await ask(connections.start, { params: { id } })).body).toMatchObject({
      details: { config: 'A montanha não conhece esta senha.' },
    })
  })

  test('virtual phones stand in for it in the laboratory, with what its own adapter knows to go wrong', async () => {
    const body = { name: 'Otávio', number: '(19) 99812-4407', type: 'echo' }
    const phone = (await ask<LabPhone>(lab.create, { body })).body
    expect(phone).toMatchObject({ type: 'echo', ofProvider: [{ id: 'avalanche', label: 'Avalanche' }] })
    const params = { id: phone.id }
    await ask(lab.send, { params, body: { id: randomUUID(), body: 'Olá, montanha' } })
    const ticket = () =>
      product().platform.db.read(us.tenantId, (db) =>
        db.selectFrom('tickets').selectAll().where('conversation_key', '=', phone.number).executeTakeFirst(),
      )
    await until(async () => (await ticket()) !== undefined)
    const { id, channel } = (await ticket())!
    expect(channel).toBe('echo')
    await ask(tickets.update, { params: { id }, body: { status: 'open', userId: us.id } })
    const answer = (text: string) =>
      ask(messages.send, { params: { ticketId: id }, body: { idFront: randomUUID(), body: text } })
    expect((await answer('x'.repeat(201))).body).toMatchObject({ error: 'ERR_MESSAGE_TOO_LONG' })
    expect((await ask(lab.setFaults, { params, body: { provider: 'avalanche' } })).status).toBe(200)
    await answer('Cai')
    const status = (text: string) =>
      product().platform.db.read(us.tenantId, (db) =>
        db.selectFrom('messages').select('status').where('body', '=', text).executeTakeFirst(),
      )
    await until(async () => (await status('Cai'))?.status === 'failed')
    await answer('Chega')
    await until(async () =>
      (await ask<{ messages: LabMessage[] }>(lab.messages, { params })).body.messages.some(
        ({ body: text }) => text === 'Chega',
      ),
    )
  })

  test('who may not make channels does not, and a plan may leave it out', async () => {
    expect((await create({ valley: 'Leste', token: TOKEN }, agent)).status).toBe(403)
    const { body } = await ask<{ person: { features: string[] } }>(access.get, { params: { id: us.id } })
    expect(body.person.features).toContain('channel:echo')
    const plan = (allowedChannels: string[]) =>
      ask(companies.update, { params: { id: us.tenantId }, body: { allowedChannels } }, owner)
    await plan(['webchat', 'lab'])
    expect(await create({ valley: 'Leste', token: TOKEN })).toMatchObject({
      status: 403,
      body: { error: 'ERR_CHANNEL_NOT_ALLOWED' },
    })
    await plan(['webchat', 'echo'])
    expect(await create({ valley: 'Leste', token: TOKEN })).toMatchObject({ status: 200, body: { type: 'echo' } })
  })
})
