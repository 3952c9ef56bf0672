import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addToDirectory } from '#server/db/directory.ts'
import { changeInstallation } from '#server/db/installation.ts'
import { make } from '#test/make.ts'
import { call, startProduct, withProduct } from '#test/server.ts'
import { colors } from './colors.ts'

const product = withProduct()

async function company() {
  const m = make(product().platform)
  const tenantId = await m.tenant()
  const token = await m.token(await m.user(tenantId, { profile: 'admin' }))
  return { m, tenantId, token }
}

const BLUE = [{ label: 'Primária', primary: '#1C5D99' }, { accent: '#F2B02C' }]

describe('colours', () => {
  it('of the company are kept by an admin, known to everybody in it and told to open screens', async () => {
    const { m, tenantId, token } = await company()
    const agent = await m.token(await m.user(tenantId))
    const heard: unknown[] = []
    const stop = product().platform.bus.subscribe((tenant, changes) => {
      if (tenant === tenantId) heard.push(...changes.map(({ payload }) => payload))
    })
    expect((await call(product(), colors.setColors, token, { body: BLUE })).body).toEqual(BLUE)
    stop()
    expect((await call(product(), colors.colors, agent)).body).toEqual(BLUE)
    expect(heard).toEqual([{ keys: ['systemColors'] }])
    expect((await call(product(), colors.setColors, agent, { body: [] })).status).toBe(403)
    await call(product(), colors.setColors, token, { body: [] })
    expect((await call(product(), colors.colors, agent)).body).toEqual([])
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
    const reply = await call(product(), colors.setColors, token, { body: body as never })
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
      await call(own, colors.setColors, token, { body: BLUE })
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
