import { beforeAll, describe, expect, it } from 'vitest'
import { importsBy } from '#test/contact-imports.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { contacts } from './contract.ts'
import { contactImports } from './imports-contract.ts'

const product = withProduct()
let tenantId: number
let admin: string

const made = () => make(product().platform)

beforeAll(async () => {
  tenantId = await made().tenant()
  admin = (await made().person(tenantId, { profile: 'admin' })).token
})

const { imported, file } = importsBy(product, () => admin)

describe('an export', () => {
  it('has what the filter lets through, runs no formula, is recorded, and is not for who sees masked data', async () => {
    const m = made()
    const tag = await m.tag(tenantId, { tag: 'Exportar' })
    const evil = await m.contact(tenantId, {
      name: '=HYPERLINK("http://mau")',
      number: '5521900000001',
      business_name: '+55',
    })
    await m.contact(tenantId, { name: 'Fora do filtro' })
    await product().platform.db.write(tenantId, (db) =>
      db.insertInto('contact_tags').values({ tenant_id: tenantId, contact_id: evil, tag_id: tag }).execute(),
    )
    const { bytes } = await file('/contacts/export', { format: 'csv', tag: [tag] })
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from('\uFEFF'))
    expect(bytes.toString('utf8').trim().split('\r\n')).toEqual([
      'nome;numero;email;cpf;dataNascimento;primeiroNome;ultimoNome;Empresa;etiquetas;carteiras',
      `"'=HYPERLINK(""http://mau"")";5521900000001;;;;;;'+55;Exportar;`,
    ])
    expect(await imported(bytes)).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
    const actions = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('audit_log').select('action').execute(),
    )
    expect(actions).toContainEqual({ action: 'contactImports.export' })
    const restricted = await m.person(tenantId, { profile: 'admin' })
    await product().platform.db.asPlatform((db) =>
      db.updateTable('users').set({ restricted_user: true }).where('id', '=', restricted.id).execute(),
    )
    const reply = await call(product(), contactImports.export, restricted.token, { body: { format: 'csv' } })
    expect(reply.status).toBe(403)
  })

  it('has no groups among a phone’s cards, and nobody whom its reader does not see', async () => {
    const m = made()
    const company = await m.tenant()
    const [boss, lead] = [await m.person(company, { profile: 'admin' }), await m.person(company, { profile: 'super' })]
    await m.contact(company, { name: 'Turma', number: null, is_group: true })
    await m.contact(company, { name: 'Paula' })
    const guarded = await m.contact(company, { name: 'Olga' })
    for (const key of ['DirectTicketsToWallets', 'supervisorAdmin'] as const) await m.setting(company, key)
    const wallets = { params: { id: guarded }, body: { wallets: [boss.id] } }
    expect((await call(product(), contacts.setWallets, boss.token, wallets)).status).toBe(200)
    const of = async (format: string, { token } = boss) =>
      (await file('/contacts/export', { format }, token)).bytes.toString().match(/Turma|Paula|Olga/g)
    expect(new Set(await of('vcf'))).toEqual(new Set(['Olga', 'Paula']))
    expect(await of('csv')).toEqual(['Olga', 'Paula', 'Turma'])
    expect(await of('csv', lead)).toEqual(['Paula', 'Turma'])
  })
})
