import { randomUUID } from 'node:crypto'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { phoneAddress } from '#domain/consents/consents.ts'
import { tags } from '#features/catalog/tags.ts'
import { lab } from '#features/lab/contract.ts'
import { BAD_ROWS, CONTACTS_HEADER, GOOD_ROW } from '#test/bad-contact-rows.ts'
import { importsBy } from '#test/contact-imports.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { contactFields } from './contact-fields.ts'
import { contacts } from './contract.ts'
import { contactImports } from './imports-contract.ts'

let clock: Date | undefined
const product = withProduct({ now: () => clock ?? new Date() })
let tenantId: number
let admin: string

const made = () => make(product().platform)

beforeAll(async () => {
  tenantId = await made().tenant()
  admin = (await made().person(tenantId, { profile: 'admin' })).token
})

const { send, ended, imported, steer, file } = importsBy(product, () => admin)
const everybody = (company = tenantId) =>
  product().platform.db.read(company, (db) => db.selectFrom('contacts').selectAll().orderBy('id').execute())
const named = async (name: string) => (await everybody()).find((one) => one.name === name)
describe('a file of contacts', () => {
  it('comes in as it was checked: new ones, changed ones, those that are so already, and what cannot be taken', async () => {
    const m = made()
    const tag = await m.tag(tenantId)
    await m.contact(tenantId, { name: 'Bruna', number: '5519988887777', email: 'bruna@casa.br' })
    await m.contact(tenantId, { name: 'Caio', number: '551988886666' })
    const content = [
      CONTACTS_HEADER,
      'Álvaro Dias;(19) 99812-4407;Alvaro@Sol.com.br;318.604.927-03;14/03/1968;;;Padaria Sol',
      'Bruna Prado;19 98888-7777;;;;;;',
      'Caio;5519988886666;;;;;;',
      'Dora;119;;;;;;',
    ].join('\r\n')
    const dry = await imported(content, { dryRun: true, tags: tag })
    expect(dry).toMatchObject({
      phase: 'check',
      status: 'done',
      total: 4,
      created: 1,
      updated: 2,
      unchanged: 0,
      rejected: 1,
    })
    expect(dry.columns[1]).toEqual({
      title: 'numero',
      use: 'number',
      samples: ['(19) 99812-4407', '19 98888-7777', '5519988886666'],
    })
    expect(dry.firstRejected).toMatchObject([{ line: 5, problems: [expect.stringMatching(/^Número: /)] }])
    expect(await named('Álvaro Dias')).toBeUndefined()
    const { total, created, updated, unchanged, rejected } = dry
    expect(await steer('run', dry.id)).toMatchObject({
      phase: 'run',
      status: 'done',
      total,
      created,
      updated,
      unchanged,
      rejected,
    })
    expect(await named('Álvaro Dias')).toMatchObject({
      ...{ number: '5519998124407', email: 'alvaro@sol.com.br', cpf: '31860492703' },
      ...{ birthday_date: '1968-03-14', business_name: 'Padaria Sol' },
    })
    expect(await named('Bruna Prado')).toMatchObject({ number: '5519988887777', email: 'bruna@casa.br' })
    const again = await imported(content, { tags: tag })
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 3, rejected: 1, mayUndo: false })
  })

  it('is undone: who came in goes, fields return, and what somebody has changed since stays', async () => {
    const m = made()
    const known = await m.contact(tenantId, { name: 'Eva', number: '5521977776666', email: 'eva@velho.br' })
    const done = await imported(
      `nome;numero;email;Convênio\nEva Lima;21977776666;eva@novo.br;Ouro\nFabio;21966665555;;\nGil;21955554444;;`,
    )
    expect(done).toMatchObject({ created: 2, updated: 1, mayUndo: true })
    const gil = (await named('Gil'))!.id
    await call(product(), contacts.update, admin, { params: { id: gil }, body: { businessName: 'Gil ME' } })
    await call(product(), contacts.update, admin, { params: { id: known }, body: { email: 'eva@dela.br' } })
    expect(await steer('undo', done.id)).toMatchObject({
      phase: 'undo',
      status: 'done',
      restored: 1,
      skipped: 2,
      mayUndo: false,
    })
    expect(await named('Fabio')).toBeUndefined()
    expect(await named('Gil')).toBeDefined()
    expect(await named('Eva')).toMatchObject({ id: known, email: 'eva@dela.br' })
    const reply = await call(product(), contactImports.undo, admin, { params: { id: done.id }, body: {} })
    expect([reply.status, reply.body]).toMatchObject([409, { error: 'ERR_IMPORT_STATE' }])
  })

  it('is undone but for who has an attendance by now, and the contact says what became of the others', async () => {
    const m = made()
    const known = await m.contact(tenantId, { name: 'Ugo', number: '5521955550001' })
    const done = await imported('nome;numero;email\nUgo;21955550001;ugo@novo.br\nVito;21955550002;')
    const { id } = (await named('Vito'))!
    const ticket = await m.ticket(tenantId, { contact_id: id, status: 'closed' })
    expect(await steer('undo', done.id)).toMatchObject({ restored: 1, skipped: 1 })
    expect(await named('Vito')).toMatchObject({ id })
    expect(ticket).toBeGreaterThan(0)
    const { body } = await call(product(), contacts.changes, admin, { params: { id: known }, query: {} })
    const told = body.changes
    expect(told.map(({ before, after }) => [before, after])).toEqual([
      ['ugo@novo.br', ''],
      ['', 'ugo@novo.br'],
    ])
  })

  it('finds without a number by e-mail, document, name; who is named twice is refused the second time', async () => {
    const content = `nome;numero;email;cpf\nHelena;;helena@casa.br;\nIgor;;;529.982.247-25\nJussara;;;\nHelena B;;helena@casa.br;\njussára;;;\nKelly;21988883333;;\nKelly de novo;2188883333;;`
    const first = await imported(content)
    expect(first).toMatchObject({ total: 7, created: 4, rejected: 3 })
    const { bytes } = await file(`/contacts/imports/${first.id}/rejected`)
    expect(bytes.toString('utf8').trim().split('\r\n')).toEqual([
      'linha;motivo;nome;numero;email;cpf',
      '5;Repete a linha 2.;Helena B;;helena@casa.br;',
      '6;Repete a linha 4.;jussára;;;',
      expect.stringMatching(/^8;/),
    ])
    expect(await imported(content)).toMatchObject({ created: 0, updated: 0, unchanged: 4 })
  })

  it('refuses a line that leads to whom another line led, and one to whom only others may see', async () => {
    const m = made()
    const company = await m.tenant()
    for (const key of ['DirectTicketsToWallets', 'supervisorAdmin'] as const) await m.setting(company, key)
    const [lead, owner] = [await m.person(company, { profile: 'super' }), await m.person(company, { profile: 'user' })]
    const guarded = await m.contact(company, { name: 'Olga', number: '5521944443333' })
    await m.contact(company, { name: 'Nilo', number: '5521944442222', email: 'nilo@casa.br' })
    await call(product(), contacts.setWallets, (await m.person(company, { profile: 'admin' })).token, {
      params: { id: guarded },
      body: { wallets: [owner.id] },
    })
    const theirs = importsBy(product, () => lead.token)
    const content = 'nome;numero;email\nOlga;21944443333;\nNilo;21944442222;\nNilo B;;nilo@casa.br'
    expect((await theirs.imported(content, { dryRun: true })).firstRejected).toMatchObject([
      { line: 2, problems: ['Este contato é da carteira de outra pessoa.'] },
      { line: 4, problems: ['Leva ao mesmo contato que a linha 3.'] },
    ])
    // Includes a contact that was moved to another user's wallet since the check.
    const late = await m.contact(company, { name: 'Otto', number: '5521944441111' })
    const dry = await theirs.imported('nome;numero\nOtto Novo;21944441111', { dryRun: true })
    expect(dry).toMatchObject({ updated: 1 })
    await product().platform.db.write(company, (db) =>
      db.insertInto('contact_wallets').values({ tenant_id: company, contact_id: late, user_id: owner.id }).execute(),
    )
    expect(await theirs.steer('run', dry.id)).toMatchObject({ status: 'done', mayUndo: false })
    expect((await everybody(company)).find(({ id }) => id === late)).toMatchObject({ name: 'Otto' })
  })

  it('leaves who is there as they are, or in what they had besides', async () => {
    const m = made()
    const [one, two] = [await m.tag(tenantId), await m.tag(tenantId)]
    const line = 'nome;numero\nLia;21933332222'
    await imported(line, { tags: one })
    const tagsOf = async () =>
      (
        await product().platform.db.read(tenantId, (db) =>
          db
            .selectFrom('contact_tags as t')
            .innerJoin('contacts as c', 'c.id', 't.contact_id')
            .select('tag_id')
            .where('c.number', '=', '5521933332222')
            .orderBy('tag_id')
            .execute(),
        )
      ).map(({ tag_id }) => tag_id)
    expect(await imported('nome;numero\nLia Maria;21933332222', { onDuplicate: 'skip', tags: two })).toMatchObject({
      unchanged: 1,
    })
    expect(await tagsOf()).toEqual([one])
    await imported(line, { tags: two, addTags: true })
    expect(await tagsOf()).toEqual([one, two])
    const replaced = await imported(line, { tags: two })
    expect(await tagsOf()).toEqual([two])
    await steer('undo', replaced.id)
    expect(await tagsOf()).toEqual([one, two])
    // Deleted records are not restored, and do not prevent restoring the others.
    const last = await imported(line, { tags: two })
    expect((await call(product(), tags.ops.remove, admin, { params: { id: one } })).status).toBe(200)
    expect(await steer('undo', last.id)).toMatchObject({ status: 'done', restored: 1 })
    expect(await tagsOf()).toEqual([two])
  })

  it('keeps the declared source as the consent of who comes in; a list without one is marked', async () => {
    const consentsOf = (digits: string) =>
      product().platform.db.read(tenantId, (db) =>
        db
          .selectFrom('consents')
          .select(['state', 'source', 'note', 'purpose'])
          .where('address', '=', phoneAddress(digits))
          .execute(),
      )
    const isMarked = async (name: string) => {
      const id = (await named(name))!.id
      const [row] = await product().platform.db.read(tenantId, (db) =>
        db.selectFrom('contacts').select('needs_source').where('id', '=', id).execute(),
      )
      return row?.needs_source
    }
    await imported('nome;numero\nIracema;+55 11 98000-1001')
    expect([await isMarked('Iracema'), await consentsOf('5511980001001')]).toEqual([true, []])
    await imported('nome;numero\nIracema Dias;+55 11 98000-1001', { source: 'Ficha da loja' })
    expect(await isMarked('Iracema Dias')).toBe(false)
    expect(await consentsOf('5511980001001')).toEqual([
      { state: 'granted', source: 'import', note: 'Ficha da loja', purpose: 'marketing' },
    ])
  })

  it('of which the columns are called otherwise is read as somebody says', async () => {
    const dry = await imported('quem,onde\nMara,+351 912 345 678', { dryRun: true })
    expect(dry).toMatchObject({
      status: 'failed',
      columns: [
        { title: 'quem', use: null },
        { title: 'onde', use: null },
      ],
    })
    const check = (columns: unknown[]) =>
      call(product(), contactImports.check, admin, { params: { id: dry.id }, body: { columns } as never })
    expect(await check(['name'])).toMatchObject({ status: 400 })
    expect(await check(['name', 'name'])).toMatchObject({ status: 400 })
    expect(await check([null, 'extra'])).toMatchObject({ status: 400 })
    expect(await check(['name', 'number'])).toMatchObject({ status: 200 })
    expect(await ended(dry.id)).toMatchObject({ status: 'done', created: 1, rejected: 0 })
    await steer('run', dry.id)
    expect(await named('Mara')).toMatchObject({ number: '351912345678' })
    const reply = await call(product(), contactImports.run, admin, { params: { id: dry.id }, body: {} })
    expect(reply.body).toMatchObject({ error: 'ERR_IMPORT_STATE' })
  })

  it.each([
    ['nothing in it', 'vazio.csv', ' ', /vazio|linhas/],
    ['only a header', 'cabecalho.csv', CONTACTS_HEADER, /linhas abaixo/],
    ['quotes that never end', 'aspas.csv', `nome;numero\n"Ana;1\n${'x'.repeat(200_000)}`, /aspas/],
  ])('with %s is told so', async (_, name, content, problem) => {
    expect(await imported(content, {}, name)).toMatchObject({
      status: 'failed',
      problem: expect.stringMatching(problem),
    })
  })

  it('of another kind is refused, and another company’s is not there', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    expect(await send(png, {}, 'foto.csv')).toMatchObject({ status: 415, body: { error: 'ERR_FILE_TYPE' } })
    const other = await made().person(await made().tenant(), { profile: 'admin' })
    const id = (await send('nome\nNina')).body.id
    expect((await call(product(), contactImports.get, other.token, { params: { id } })).status).toBe(404)
    // Its contact would otherwise come in during a later test.
    expect(await ended(id)).toMatchObject({ status: 'done' })
    expect(await send('nome\nNina', { tags: 999_999 })).toMatchObject({ status: 404 })
    const agent = await made().person(tenantId)
    expect((await send('nome\nNina', {}, 'n.csv', agent.token)).status).toBe(403)
  })
})

it('what spreadsheets, phones and old encodings write is read: xlsx, vcf of three versions, Windows-1252', async () => {
  await made().contact(tenantId, { name: 'Vera & <Filhos>', number: '5521900000099' })
  const xlsx = await file('/contacts/export', { format: 'xlsx' })
  expect(xlsx.status).toBe(200)
  const rows = await readSheet(xlsx.bytes)
  expect(rows[0]).toContain('nome')
  const company = await everybody()
  expect(rows).toHaveLength(company.length + 1)
  expect(await imported(xlsx.bytes, {}, 'todos.xlsx')).toMatchObject({
    kind: 'xlsx',
    status: 'done',
    created: 0,
    updated: 0,
  })
  const old = Buffer.from('nome;numero\nJo\xe3o da Concei\xe7\xe3o;21922221111', 'latin1')
  expect(await imported(old)).toMatchObject({ created: 1 })
  expect(await named('João da Conceição')).toBeDefined()
  const cards = [
    'BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C3=81vila;Z=C3=A9=\r\n;;;\r\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Z=C3=A9 =C3=81vila\r\nTEL;HOME:(21) 3232-1010\r\nTEL;CELL:021 99911-1111\r\nEND:VCARD',
    'BEGIN:VCARD\nVERSION:3.0\nFN:Olga\\, a Boa\nitem1.TEL;type=pref:+55 21 99922-2222\nBDAY:1990-05-06\nORG:Banco\\; SA;Agência 1\nEND:VCARD',
    'BEGIN:VCARD\nVERSION:4.0\nFN:Pedro\nTEL;VALUE=uri;TYPE="voice,cell":tel:+55-21-99933-3333\nEMAIL:pedro@casa.br\nBDAY:--0314\nNOTE:uma linha muito\n  comprida\nEND:VCARD',
  ].join('\r\n')
  expect(await imported(cards, {}, 'agenda.vcf')).toMatchObject({ kind: 'vcf', total: 3, created: 3 })
  expect(await named('Zé Ávila')).toMatchObject({
    number: '5521999111111',
    first_name: 'Zé',
    extra_info: [{ name: 'Telefone 2', value: '(21) 3232-1010' }],
  })
  expect(await named('Olga, a Boa')).toMatchObject({
    birthday_date: '1990-05-06',
    business_name: 'Banco; SA, Agência 1',
  })
  expect(await named('Pedro')).toMatchObject({
    number: '5521999333333',
    extra_info: expect.arrayContaining([expect.objectContaining({ name: 'Aniversário', value: '14/03' })]),
  })
  const back = await file('/contacts/export', { format: 'vcf', searchParam: 'Olga' })
  expect(back.bytes.toString()).toContain('FN:Olga\\, a Boa\r\nN:a Boa;Olga\\,;;;\r\nORG:Banco\\; SA\\, Agência 1\r\n')
  expect(await imported(back.bytes, {}, 'olga.vcf')).toMatchObject({ created: 0, total: 1 })
})

describe('fields of the company’s own', () => {
  const ids: Record<string, number> = {}
  const OWN = ['Convênio', 'Saldo', 'Renovação', 'Vip', 'Apelido']
  const HEADER = `nome;numero;${OWN.join(';')}`
  let before: string

  beforeAll(async () => {
    before = admin
    const boss = await made().person(await made().tenant(), { profile: 'admin' })
    admin = boss.token
    const kinds = [{ type: 'choice', options: 'Ouro\nPrata', required: true }, { type: 'number' }, { type: 'date' }]
    for (const [at, one] of [...kinds, { type: 'boolean' }, { type: 'text' }].entries()) {
      const body = { name: OWN[at]!, ...one } as never
      ids[OWN[at]!] = (await call(product(), contactFields.ops.create, admin, { body })).body.id
    }
  })
  afterAll(() => {
    admin = before
  })

  const fieldsOf = async (name: string) => {
    const { body } = await call(product(), contacts.list, admin, { query: { searchParam: name } })
    const [one] = body.contacts
    return one && OWN.map((title) => one.fields[ids[title]!])
  }

  it('come in by the names of their columns, each of its kind, and go out so that nothing is another', async () => {
    const lines = [
      ...['Otto;21911110001;ouro;1.234,5;01/02/2027;sim;=1+1', 'Paula;21911110002;Prata;-5;2031-12-31;não;'],
      ...['Quim;21911110003;;;;;', 'Rita;21911110004;Bronze;muito;31/02/2027;talvez;'],
    ]
    const done = await imported([HEADER, ...lines].join('\n'))
    expect(done).toMatchObject({ created: 2, rejected: 2 })
    expect(done.columns.slice(2).map(({ use }) => use)).toEqual(OWN.map((name) => `field:${ids[name]}`))
    expect(done.firstRejected).toMatchObject([
      { line: 4, problems: ['Convênio: preencha este campo.'] },
      {
        line: 5,
        problems: ['Convênio', 'Saldo', 'Renovação', 'Vip'].map((name) => expect.stringContaining(`${name}: `)),
      },
    ])
    expect(await fieldsOf('Otto')).toEqual(['Ouro', 1234.5, '2027-02-01', true, '=1+1'])
    expect(await fieldsOf('Paula')).toEqual(['Prata', -5, '2031-12-31', false, undefined])
    const { bytes } = await file('/contacts/export', { format: 'csv' })
    const [header, ...out] = bytes.toString('utf8').trim().split('\r\n')
    expect(header).toMatch(new RegExp(`;carteiras;${OWN.join(';')}$`))
    expect(out.map((line) => line.split(';').slice(-OWN.length))).toEqual([
      ['Ouro', '1234,5', '01/02/2027', 'Sim', "'=1+1"],
      ['Prata', "'-5", '31/12/2031', 'Não', ''],
    ])
    for (const again of [bytes, (await file('/contacts/export', { format: 'xlsx' })).bytes])
      expect(await imported(again)).toMatchObject({ created: 0, updated: 0, unchanged: 2, rejected: 0 })
    const cards = await file('/contacts/export', { format: 'vcf', searchParam: 'Paula' })
    expect(cards.bytes.toString()).toContain('NOTE:Convênio: Prata\\nSaldo: -5\\nRenovação: 31/12/2031')
  })

  it('are changed by a file, chosen for a column, and become what they were', async () => {
    await imported(`${HEADER}\nSara;21911110005;Ouro;7;;;Sá`)
    const dry = await imported('nome;numero;plano;quanto\nSara;21911110005;prata;8,5', { dryRun: true })
    const check = (columns: unknown[]) =>
      call(product(), contactImports.check, admin, { params: { id: dry.id }, body: { columns } as never })
    const [plan, much] = [`field:${ids['Convênio']}`, `field:${ids['Saldo']}`]
    expect(await check(['name', 'number', plan, plan])).toMatchObject({ status: 400 })
    expect((await check(['name', 'number', plan, 'field:999999'])).body).toMatchObject({
      details: { columns: 'Um dos campos escolhidos não existe mais.' },
    })
    expect(await check(['name', 'number', plan, much])).toMatchObject({ status: 200 })
    expect(await ended(dry.id)).toMatchObject({ status: 'done', updated: 1 })
    await steer('run', dry.id)
    expect(await fieldsOf('Sara')).toEqual(['Prata', 8.5, undefined, undefined, 'Sá'])
    const one = ((await call(product(), contacts.list, admin, { query: { searchParam: 'Sara' } })).body as never)[
      'contacts'
    ][0] as { id: number }
    // Fields changed since stay; the others are restored.
    const body = { fields: { [ids['Saldo']!]: 9 } }
    await call(product(), contacts.update, admin, { params: { id: one.id }, body })
    expect(await steer('undo', dry.id)).toMatchObject({ restored: 0, skipped: 1 })
    expect(await fieldsOf('Sara')).toEqual(['Ouro', 9, undefined, undefined, 'Sá'])
  })

  it('of which one is of another kind by now is left out', async () => {
    const dry = await imported(`${HEADER}\nTito;21911110006;Ouro;;;;Ti`, { dryRun: true })
    expect(dry).toMatchObject({ created: 1 })
    await product().platform.db.asPlatform((db) =>
      db.updateTable('contact_fields').set({ type: 'number' }).where('id', '=', ids['Apelido']!).execute(),
    )
    expect(await steer('run', dry.id)).toMatchObject({ status: 'done', done: 1 })
    expect(await fieldsOf('Tito')).toEqual(['Ouro', undefined, undefined, undefined, undefined])
  })
})

it('forty kinds of bad lines are refused, each with why, and the good ones among them come in', async () => {
  const lines = BAD_ROWS.flatMap(([, line], at) => [line, `Boa ${at};;boa${at}@casa.br;;;;;`])
  const done = await imported([CONTACTS_HEADER, GOOD_ROW, ...lines].join('\n'))
  expect(BAD_ROWS.length).toBeGreaterThanOrEqual(40)
  const { bytes } = await file(`/contacts/imports/${done.id}/rejected`)
  const [, ...rejected] = bytes.toString('utf8').trim().split('\r\n')
  expect(rejected.map((line, at) => [BAD_ROWS[at]?.[0], line.includes(BAD_ROWS[at]?.[2] ?? '?') || line])).toEqual(
    BAD_ROWS.map(([kind]) => [kind, true]),
  )
  expect(done).toMatchObject({
    total: 2 * BAD_ROWS.length + 1,
    created: BAD_ROWS.length + 1,
    rejected: BAD_ROWS.length,
  })
})

it('contacts and groups of a channel are brought in, and once', async () => {
  const company = await made().person(await made().tenant(), { profile: 'admin' })
  const phone = async (name: string, number: string) =>
    (await call(product(), lab.create, company.token, { body: { name, number } })).body
  const [one, two] = [await phone('Quitéria', '5521911110000'), await phone('Raul', '5521911110001')]
  await call(product(), lab.createGroup, company.token, {
    body: { name: 'Família', phoneIds: [one.id, two.id] },
  })
  const channel = await product().platform.db.read(company.tenantId, (db) =>
    db.selectFrom('connections').select('id').executeTakeFirstOrThrow(),
  )
  await product()
    .platform.db.asPlatform((db) => db.deleteFrom('contacts').where('tenant_id', '=', company.tenantId).execute())
    .catch(() => {})
  const before = admin
  admin = company.token
  try {
    const sync = async (op: typeof contactImports.syncContacts | typeof contactImports.syncGroups) => {
      const reply = await call(product(), op, admin, { body: { whatsappId: channel.id } })
      expect([reply.status, reply.body]).toMatchObject([200, {}])
      return ended(reply.body.id)
    }
    const first = await sync(contactImports.syncContacts)
    expect(first).toMatchObject({ kind: 'contacts', status: 'done', total: 2 })
    expect((await everybody(company.tenantId)).map(({ name }) => name).sort()).toEqual(
      expect.arrayContaining(['Quitéria', 'Raul']),
    )
    expect(await sync(contactImports.syncContacts)).toMatchObject({ created: 0, unchanged: 2 })
    expect(await sync(contactImports.syncGroups)).toMatchObject({ kind: 'groups', total: 1 })
    expect((await everybody(company.tenantId)).filter((row) => row.is_group).map(({ name }) => name)).toEqual([
      'Família',
    ])
    const unknown = await call(product(), contactImports.syncGroups, admin, { body: { whatsappId: 999_999 } })
    expect(unknown).toMatchObject({ status: 404 })
  } finally {
    admin = before
  }
})

it('imports that are long over are forgotten', async () => {
  const { id } = (await send(`nome\n${randomUUID()}`)).body
  await ended(id)
  const { removeImports } = await import('./server/index.ts')
  await product().platform.db.asPlatform((db) => removeImports(db, new Date(Date.now() + 1000), 100, tenantId))
  expect((await call(product(), contactImports.get, admin, { params: { id } })).status).toBe(404)
})
