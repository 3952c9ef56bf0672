import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { companyMail } from '#features/mail/contract.ts'
import { make } from '#test/make.ts'
import { type SmtpPeer, startSmtp } from '#test/peers/smtp.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { reportViews } from './contract.ts'
import { mailDue } from './server/views.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const period = { startDate: '2026-01-01', endDate: '2026-01-31' }
let peer: SmtpPeer
let tenantId: number

beforeAll(async () => {
  peer = await startSmtp({ login: { user: 'loja', password: 'segredo' } })
  tenantId = await make(product().platform).tenant()
})
afterAll(() => peer.close())

it('saved reports are one’s own, and go by mail in their time, once, to those who may read them', async () => {
  const m = make(product().platform)
  const owner = await m.person(tenantId, { profile: 'admin', email: 'dona@empresa.com.br' })
  const other = await m.person(tenantId, { profile: 'admin' })
  const helper = await m.person(tenantId)
  const foreign = await m.person(await m.tenant(), { profile: 'admin' })
  const body = { report: 'summary', filter: { ...period, report: 'sla' } } as const
  const form = { name: 'SLA da semana', path: 'sla', search: { filas: '1' }, body }
  const create = (more: object, who = owner) =>
    call(product(), reportViews.create, who.token, { body: { ...form, ...more } as never })
  for (const recipients of [[helper.id], [foreign.id], []])
    expect((await create({ frequency: 'weekly', recipients })).status).toBe(400)
  const mailed = { frequency: 'weekly', recipients: [owner.id] }
  expect((await create(mailed)).body).toMatchObject({ error: 'ERR_MAIL_NOT_CONFIGURED' })
  const saved = (await create({})).body as { id: number }
  expect((await call(product(), reportViews.list, other.token, {})).body).toEqual({ views: [] })
  const rename = (who: { token: string }) =>
    call(product(), reportViews.update, who.token, { params: { id: saved.id }, body: { name: 'Outra' } })
  expect([(await rename(other)).status, (await rename(owner)).status]).toEqual([404, 200])
  await call(product(), companyMail.save, owner.token, {
    body: {
      ...{ smtp: 'enabled', emailHost: '127.0.0.1', emailPort: peer.port, emailSecure: 'none', emailUser: 'loja' },
      ...{ emailPass: 'segredo', emailName: 'Loja', emailFrom: 'contato@loja.test' },
    },
  })
  const due = new Date(Date.now() - 1000)
  await product().platform.db.write(tenantId, (db) =>
    sql`update report_views set frequency = 'weekly', recipients = ${[owner.id, helper.id]}::bigint[], next_at = ${due}
      where tenant_id = app.tenant() and id = ${saved.id}`.execute(db),
  )
  await Promise.all([mailDue(product().platform), mailDue(product().platform)])
  const { rows } = await product().platform.db.read(tenantId, (db) =>
    sql<{
      next: Date
      sent: Date
    }>`select next_at as next, sent_at as sent from report_views where id = ${saved.id}`.execute(db),
  )
  await until(() => peer.mails.length > 0)
  expect(peer.mails.flatMap(({ to }) => to)).toEqual(['dona@empresa.com.br'])
  expect(rows[0]!.sent).not.toBeNull()
  expect(rows[0]!.next.getTime()).toBeGreaterThan(Date.now())
})
