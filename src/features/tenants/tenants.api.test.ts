import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addToDirectory } from '#server/db/directory.ts'
import { changeInstallation } from '#server/db/installation.ts'
import { uuidv7 } from '#server/ids.ts'
import { make } from '#test/make.ts'
import { call, startProduct, withProduct } from '#test/server.ts'
import { tenants } from './contract.ts'

const product = withProduct()

async function company() {
  const m = make(product().platform)
  const tenantId = await m.tenant('Padaria Sol')
  const token = await m.token(await m.user(tenantId, { profile: 'admin' }))
  const read = async () => (await call(product(), tenants.version, token, {})).body as Record<string, unknown>
  return { m, tenantId, token, read }
}

describe('version and health', () => {
  it('says what is installed, how its parts are, and how much of the plan is used', async () => {
    const { m, tenantId, read } = await company()
    await m.connection(tenantId)
    await m.connection(tenantId, { is_deleted: true })
    const elsewhere = await m.tenant()
    await m.user(elsewhere)
    expect(await read()).toEqual({
      version: product().platform.version,
      node: process.version,
      database: expect.stringMatching(/^1\d\./),
      uptimeSeconds: expect.any(Number),
      tenantName: 'Padaria Sol',
      checks: [
        { name: 'Banco de dados', ok: true, detail: expect.stringMatching(/^respondeu em \d+ ms$/) },
        { name: 'Fila de entrada', ok: true, detail: 'nada esperando' },
        { name: 'Envios', ok: true, detail: 'nenhum parado' },
      ],
      limits: { users: 1, maxUsers: 10, connections: 1, maxConnections: 5 },
    })
  })

  it('sees a send that hangs, and an entrance that is too full', async () => {
    const { m, tenantId, read } = await company()
    const connectionId = await m.connection(tenantId)
    const ticketId = await m.ticket(tenantId, { connection_id: connectionId })
    const stuck = { from_me: true, status: 'queued' }
    await m.message(tenantId, ticketId, { ...stuck, created_at: new Date(Date.now() - 10 * 60_000) })
    await m.message(tenantId, ticketId, stuck)
    await product().platform.db.write(tenantId, (db) =>
      db
        .insertInto('journal')
        .values(
          Array.from({ length: 1200 }, (_, n) => ({
            tenant_id: tenantId,
            id: uuidv7(),
            connection_id: connectionId,
            dedupe_key: `cheia-${n}`,
            payload: '{}',
            error: 'held back by the test',
            attempts: 99,
          })),
        )
        .execute(),
    )
    const { checks } = (await read()) as { checks: { name: string; ok: boolean; detail: string }[] }
    expect(checks[1]).toMatchObject({ ok: false, detail: expect.stringContaining('esperando') })
    expect(checks[2]).toEqual({ name: 'Envios', ok: false, detail: '1 parado há mais de 5 minutos' })
  })
})

const BLUE = [{ label: 'Primária', primary: '#1C5D99' }, { accent: '#F2B02C' }]

describe('colours', () => {
  it('of the company are kept by an admin, known to everybody in it and told to open screens', async () => {
    const { m, tenantId, token } = await company()
    const agent = await m.token(await m.user(tenantId))
    const heard: unknown[] = []
    const stop = product().platform.bus.subscribe((tenant, changes) => {
      if (tenant === tenantId) heard.push(...changes.map(({ payload }) => payload))
    })
    expect((await call(product(), tenants.setColors, token, { body: BLUE })).body).toEqual(BLUE)
    stop()
    expect((await call(product(), tenants.colors, agent)).body).toEqual(BLUE)
    expect(heard).toEqual([{ keys: ['systemColors'] }])
    expect((await call(product(), tenants.setColors, agent, { body: [] })).status).toBe(403)
    await call(product(), tenants.setColors, token, { body: [] })
    expect((await call(product(), tenants.colors, agent)).body).toEqual([])
  })

  it.each([
    [[{ primary: 'red' }], '0.primary'],
    [[{ primary: '#12345' }], '0.primary'],
    [[{ primary: '#1C5D99; background: url(x)' }], '0.primary'],
    [[{ cor: '#1C5D99' }], '0.cor'],
    [[{ primary: '#1C5D99' }, { primary: '#000000' }], '1.primary'],
    [{ primary: '#1C5D99' }, 'pedido'],
  ])('%j are refused', async (body, field) => {
    const { token } = await company()
    const reply = await call(product(), tenants.setColors, token, { body: body as never })
    expect([reply.status, Object.keys((reply.body as { details: object }).details)]).toEqual([400, [field]])
  })

  it('before anybody has entered are those of the company whose domain was visited, else the installation’s', async () => {
    const web = mkdtempSync(join(tmpdir(), 'guiche-web-'))
    mkdirSync(join(web, 'web', 'assets'), { recursive: true })
    for (const page of ['index.html', 'login.html']) {
      writeFileSync(join(web, 'web', page), '<script id="boot" type="application/json">%BOOT%</script>')
    }
    const own = await startProduct({ env: { WEB_DIST: web } })
    try {
      const m = make(own.platform)
      const tenantId = await m.tenant()
      const token = await m.token(await m.user(tenantId, { profile: 'admin' }))
      await call(own, tenants.setColors, token, { body: BLUE })
      await own.platform.db.asPlatform(async (db) => {
        await changeInstallation(db, 'colors', [{ primary: '#2B5F77' }])
        await addToDirectory(db, { kind: 'domain', key: '127.0.0.1', tenantId, subjectId: 'domain' })
      })
      const colorsAt = async (address: string) =>
        (await fetch(`${address}/api/publicSystemColors`).then((answer) => answer.json())) as unknown
      const other = own.address.replace('127.0.0.1', 'localhost')
      expect(await colorsAt(own.address)).toEqual(BLUE)
      expect(await colorsAt(other)).toEqual([{ primary: '#2B5F77' }])
      for (const [address, colors] of [
        [own.address, BLUE],
        [other, [{ primary: '#2B5F77' }]],
      ] as const) {
        const page = await fetch(`${address}/login`).then((answer) => answer.text())
        expect(page).toContain(JSON.stringify(colors))
      }
    } finally {
      await own.close()
      rmSync(web, { recursive: true })
    }
  })
})
