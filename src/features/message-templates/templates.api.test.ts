import { afterAll, beforeAll, expect, test } from 'vitest'
import { providers } from '#features/connections/providers-contract.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { META_ERRORS } from '#providers/channels/meta-errors.ts'
import { make } from '#test/make.ts'
import { fillInApp, metaCompany } from '#test/meta-company.ts'
import { startMeta } from '#test/peers/meta/graph.ts'
import { call, startProduct, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { messageTemplates } from './contract.ts'
import { templateForm } from './forms.ts'

const HOUR = 3_600_000
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const ana = { number: '5511988887777', name: 'Ana Souza' }
let ahead = 0
const now = () => new Date(Date.now() + ahead)
const product = withProduct({ now })
const m = () => make(product().platform)
let meta: Awaited<ReturnType<typeof startMeta>>
let us: Awaited<ReturnType<typeof metaCompany>>
let company: { tenantId: number; adminId: number; token: string }
let agent: string
let ticketId: number

beforeAll(async () => {
  meta = await startMeta(() => now().getTime())
  const tenantId = await m().tenant()
  const admin = await m().user(tenantId, { profile: 'admin' })
  company = { tenantId, adminId: admin.id, token: await m().token(admin) }
  us = await metaCompany(product(), meta, company)
  meta.templates.approve({
    name: 'pedido',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Pedido {{1}}', example: { header_text: ['10'] } },
      { type: 'BODY', text: 'Olá {{1}}, o seu pedido {{2}} saiu.', example: { body_text: [['Ana', '10']] } },
      { type: 'FOOTER', text: 'Empório' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Obrigado' },
          { type: 'URL', text: 'Acompanhar', url: 'https://loja.test/{{1}}', example: ['https://loja.test/10'] },
          { type: 'COPY_CODE', example: 'VOLTE10' },
        ],
      },
    ],
  })
  meta.templates.approve({
    name: 'nome_dado',
    parameter_format: 'NAMED',
    components: [
      {
        ...{ type: 'BODY', text: 'Oi {{nome}}!' },
        example: { body_text_named_params: [{ param_name: 'nome', example: 'Ana' }] },
      },
    ],
  })
  meta.templates.approve({
    name: 'foto',
    components: [
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::x'] } },
      { type: 'BODY', text: 'Veja.' },
    ],
  })
  meta.templates.approve({ name: 'carrossel', components: [{ type: 'BODY', text: 'Veja.' }, { type: 'CAROUSEL' }] })
  for (const status of ['PAUSED', 'REJECTED', 'DISABLED', 'PENDING'])
    meta.templates.approve({ name: status.toLowerCase(), status, components: [{ type: 'BODY', text: 'Oi' }] })
  await us.start()
  await meta.write(ana, { type: 'text', text: { body: 'Olá' } })
  ticketId = await us.accept(ana.number)
  await until(async () => (await list()).length === 8)
  // The window is closed from here on.
  ahead = 25 * HOUR
  company.token = await m().token(admin)
  agent = await m().token(await m().user(tenantId))
})
afterAll(() => meta.close())

async function list(query: object = {}) {
  const { body } = await call(product(), messageTemplates.list, company.token, { query })
  return body.items
}
const find = async (name: string) => (await list({ searchParam: name }))[0]!
const send = (name: string, values: Record<string, string> = {}) =>
  us.reply(ticketId, '', { template: { name, language: 'pt_BR', values } })
const sent = async (id: string) => {
  await until(async () => (await us.messageOf(id)).status !== 'pending')
  await until(async () => (await us.messageOf(id)).status !== 'queued')
  return us.messageOf(id)
}
const values = { header: '42', '1': '{{firstName}}', '2': '42', button1: 'p/42', button2: 'SONHO' }

test('connecting reads every page of them, each with what it wants and why it cannot be sent', async () => {
  for (let n = 0; n < 120; n++)
    meta.templates.approve({ name: `cheio_${n}`, components: [{ type: 'BODY', text: 'Oi' }] })
  meta.templates.state.overlap = 2
  const { body } = await call(product(), messageTemplates.sync, company.token, { body: { whatsappId: us.id } })
  expect(body).toEqual({ count: 128 })
  meta.templates.state.overlap = 0
  for (const { id, name } of [...meta.templates.all.values()])
    if (name.startsWith('cheio')) meta.templates.all.delete(id)
  await call(product(), messageTemplates.sync, company.token, { body: { whatsappId: us.id } })
  expect(await list()).toHaveLength(8)
  expect(await find('pedido')).toMatchObject({
    ...{ status: 'APPROVED', quality: 'GREEN', category: 'UTILITY', problem: null, footer: 'Empório' },
    variables: [
      { key: 'header', part: 'header', name: '1', sample: '10' },
      { key: '1', part: 'body', name: '1', sample: 'Ana' },
      { key: '2', part: 'body', name: '2', sample: '10' },
      { key: 'button1', part: 'button', name: 'Acompanhar', sample: '10' },
      { key: 'button2', part: 'button', name: 'Copiar código', sample: 'VOLTE10' },
    ],
  })
  expect((await list({ isUsable: 'true' })).map(({ name }) => name)).toEqual(['foto', 'nome_dado', 'pedido'])
  expect((await list({ status: ['PAUSED'] })).map(({ problem }) => problem)).toEqual([
    'O modelo está pausado por baixa qualidade. Escolha outro.',
  ])
})

test('it leaves in a closed window, filled in from contact and values, and the message keeps what was read', async () => {
  const { status, body } = await send('pedido', values)
  expect([status, body]).toMatchObject([200, {}])
  const message = await sent(body.messages[0]!.id)
  expect(message).toMatchObject({
    ...{ status: 'sent', media_type: 'template' },
    body: '*Pedido 42*\n\nOlá Ana, o seu pedido 42 saiu.\n\nEmpório',
  })
  expect(meta.taken.at(-1)).toMatchObject({
    type: 'template',
    biz_opaque_callback_data: message.id,
    template: {
      ...{ name: 'pedido', language: { code: 'pt_BR' } },
      components: [
        { type: 'header', parameters: [{ type: 'text', text: '42' }] },
        { type: 'body', parameters: [{ text: 'Ana' }, { text: '42' }] },
        { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'p/42' }] },
        { type: 'button', sub_type: 'copy_code', index: '2', parameters: [{ coupon_code: 'SONHO' }] },
      ],
    },
  })
  const named = await send('nome_dado', { nome: 'Ana' })
  expect(await sent(named.body.messages[0]!.id)).toMatchObject({ status: 'sent', body: 'Oi Ana!' })
  expect(meta.outside).toEqual([])
})

const wrong: readonly [what: string, name: string, values: Record<string, string>, problem: object][] = [
  ['a value is missing', 'pedido', { ...values, '2': '' }, { 2: 'Preencha {{2}}.' }],
  ['the title has none', 'pedido', { ...values, header: ' ' }, { header: 'Preencha este valor.' }],
  ['one too many', 'nome_dado', { nome: 'Ana', '2': 'x' }, { 2: 'O modelo não tem este valor.' }],
  ['a line too many', 'nome_dado', { nome: 'Ana\nSouza' }, { nome: expect.stringContaining('quebras de linha') }],
  ['too long with its value', 'nome_dado', { nome: 'a'.repeat(1024) }, { body: expect.stringContaining('1024') }],
  ['no picture', 'foto', {}, { file: 'Este modelo leva uma imagem: anexe uma.' }],
  ['paused', 'paused', {}, { template: expect.stringContaining('pausado') }],
  ['rejected', 'rejected', {}, { template: expect.stringContaining('recusado') }],
  ['disabled', 'disabled', {}, { template: expect.stringContaining('desativado') }],
  ['pending', 'pending', {}, { template: expect.stringContaining('análise') }],
  ['with parts that are not sent from here', 'carrossel', {}, { template: expect.stringContaining('partes') }],
]
test.each(wrong)('refused before Meta sees it: %s', async (_, name, given, details) => {
  const before = meta.taken.length
  expect(await send(name, given)).toMatchObject({ status: 422, body: { error: 'ERR_TEMPLATE_REFUSED', details } })
  expect(meta.taken).toHaveLength(before)
})

test('one that is not there, and words beside it, are refused', async () => {
  expect(await send('nenhum')).toMatchObject({ status: 404, body: { error: 'ERR_NO_TEMPLATE_FOUND' } })
  const template = { name: 'nome_dado', language: 'pt_BR', values: { nome: 'Ana' } }
  expect(await us.reply(ticketId, 'E mais', { template })).toMatchObject({ status: 400 })
})

test('its picture goes with it', async () => {
  const form = new FormData()
  form.append('idFront', crypto.randomUUID())
  form.append('template', JSON.stringify({ name: 'foto', language: 'pt_BR', values: {} }))
  form.append('medias', new Blob([Buffer.from(PNG, 'base64')], { type: 'image/png' }), 'foto.png')
  const answer = await fetch(`${product().address}/api/messages/${ticketId}`, {
    ...{ method: 'POST', headers: { authorization: `Bearer ${company.token}` }, body: form },
  })
  const body = (await answer.json()) as { messages: { id: string; file: object | null }[] }
  expect([answer.status, body]).toMatchObject([
    200,
    { messages: [{ mediaType: 'template', file: { name: 'foto.png' } }] },
  ])
  expect(await sent(body.messages[0]!.id)).toMatchObject({ status: 'sent' })
  const [header] = (meta.taken.at(-1)!.template!.components ?? []) as unknown as {
    parameters: { image: { id: string } }[]
  }[]
  expect(meta.media.has(header!.parameters[0]!.image.id)).toBe(true)
})

test('in a closed window a conversation begins with one, and not without', async () => {
  const contactId = await m().contact(company.tenantId)
  const begin = (more: object) =>
    call(product(), tickets.create, company.token, { body: { contactId, whatsappId: us.id, ...more } })
  expect(await begin({})).toMatchObject({ status: 422, body: { error: 'ERR_WINDOW_CLOSED' } })
  const template = { name: 'nome_dado', language: 'pt_BR', values: { nome: 'Ana' } }
  expect(await begin({ template: { ...template, values: {} } })).toMatchObject({ status: 422 })
  const begun = await begin({ template })
  expect([begun.status, begun.body]).toMatchObject([
    200,
    { lastMessage: 'Modelo de mensagem: Oi Ana!', windowUntil: 0 },
  ])
  const { id } = begun.body
  const { body } = await call(product(), messages.list, company.token, { params: { ticketId: id }, query: {} })
  const [message] = body.messages
  expect(await sent(message!.id)).toMatchObject({ status: 'sent', media_type: 'template' })
})

test('written here, judged by Meta, told of by its webhook: what it told later counts, replays change nothing', async () => {
  const form = {
    ...{ whatsappId: us.id, name: 'volta', language: 'pt_BR', category: 'UTILITY', format: 'POSITIONAL' },
    ...{
      header: { kind: 'text', text: 'Volta' },
      body: 'Olá {{1}}, volte.',
      samples: { '1': 'Ana' },
      footer: 'Empório',
    },
    buttons: [
      { kind: 'reply', text: 'Sim' },
      { kind: 'url', text: 'Loja', url: 'https://loja.test/{{1}}', sample: 'x' },
      { kind: 'phone', text: 'Ligar', phone: '+551130004000' },
    ],
  }
  const create = (body: object, token = company.token) =>
    call(product(), messageTemplates.create, token, { body } as never)
  expect((await create(form, agent)).status).toBe(403)
  const made = (await create(form)).body
  expect(made).toMatchObject({ status: 'PENDING', samples: { '1': 'Ana' } })
  expect((await create(form)).body).toMatchObject({ error: 'ERR_DUPLICATED' })
  const id = [...meta.templates.all.values()].find(({ name }) => name === 'volta')!.id
  // Meta counts in seconds.
  const told = Math.floor(now().getTime() / 1000) - 60
  const at = (n: number) => told + n
  const tell = (event: string, time: number, reason: string | null = null) =>
    meta.tellTemplate('message_template_status_update', { event, message_template_id: id, reason }, time)
  await tell('REJECTED', at(1), 'PROMOTIONAL')
  await tell('APPROVED', at(0))
  expect(await find('volta')).toMatchObject({ status: 'REJECTED', reason: 'PROMOTIONAL' })
  await tell('APPROVED', at(2))
  await tell('REJECTED', at(1), 'PROMOTIONAL')
  const quality = { message_template_id: id, new_quality_score: 'RED' }
  await meta.tellTemplate('message_template_quality_update', quality, at(3))
  const category = { message_template_id: id, new_category: 'MARKETING' }
  await meta.tellTemplate('template_category_update', category, at(4))
  expect(await find('volta')).toMatchObject({ status: 'APPROVED', reason: '', quality: 'RED', category: 'MARKETING' })
  Object.assign(meta.templates.all.get(id)!, { status: 'APPROVED' })
  const { whatsappId: _, name: __, language: ___, ...content } = form
  const params = { id: made.id }
  const change = { ...content, body: 'Olá {{1}}, sentimos a sua falta.' }
  const changed = await call(product(), messageTemplates.update, company.token, { params, body: change } as never)
  expect([changed.status, changed.body]).toMatchObject([200, { status: 'PENDING', body: change.body }])
  expect(meta.templates.all.get(id)!.components).toContainEqual(expect.objectContaining({ text: change.body }))
  expect((await call(product(), messageTemplates.remove, company.token, { params })).status).toBe(200)
  expect([meta.templates.all.has(id), await list({ searchParam: 'volta' })]).toEqual([false, []])
})

const drafts: readonly [what: string, change: object, field: string][] = [
  ['a name with capitals', { name: 'Volta' }, 'name'],
  ['a body that begins with a variable', { body: '{{1}}, volte.' }, 'body'],
  ['numbers out of order', { body: 'Olá {{2}}, volte.', samples: { '2': 'x' } }, 'body'],
  ['no sample', { samples: {} }, 'samples.1'],
  ['a title of 61 letters', { header: { kind: 'text', text: 'a'.repeat(61) } }, 'header'],
  ['a picture without a sample', { header: { kind: 'image' } }, 'header'],
  ['a footer with a variable', { footer: 'Até {{1}}' }, 'footer'],
  ['a button of 26 letters', { buttons: [{ kind: 'reply', text: 'a'.repeat(26) }] }, 'buttons.0'],
  ['three links', { buttons: [1, 2, 3].map((n) => ({ kind: 'url', text: `${n}`, url: 'https://a.test' })) }, 'buttons'],
  [
    'a variable within a link',
    { buttons: [{ kind: 'url', text: 'x', url: 'https://a.test/{{1}}/b', sample: 'x' }] },
    'buttons.0',
  ],
]
test.each(drafts)('what Meta would refuse is told at its field: %s', async (_, change, field) => {
  const body = {
    ...{ whatsappId: us.id, name: 'novo', language: 'pt_BR', category: 'UTILITY', body: 'Olá {{1}}, volte.' },
    ...{ samples: { '1': 'Ana' }, ...change },
  }
  const { status, body: answer } = await call(product(), messageTemplates.create, company.token, { body } as never)
  expect([status, Object.keys((answer as { details: object }).details)]).toEqual([400, [field]])
})

test('a channel that nobody chose is asked for in words', () => {
  const { error } = templateForm.safeParse({ name: 'oi', language: 'pt_BR', category: 'UTILITY', body: 'Oi' })
  expect(error?.issues).toMatchObject([{ path: ['whatsappId'], message: 'Escolha o canal.' }])
})

test('the sample of a header is shown to Meta first; what it refuses all the same is told in words', async () => {
  const form = new FormData()
  form.append('whatsappId', String(us.id))
  form.append('file', new Blob([Buffer.from(PNG, 'base64')], { type: 'image/png' }), 'foto.png')
  const answer = await fetch(`${product().address}/api/message-templates/sample`, {
    ...{ method: 'POST', headers: { authorization: `Bearer ${company.token}` }, body: form },
  })
  const { handle } = (await answer.json()) as { handle: string }
  expect(meta.templates.handles.get(handle)).toEqual(Buffer.from(PNG, 'base64'))
  const body = { whatsappId: us.id, name: 'com_foto', language: 'pt_BR', category: 'MARKETING', body: 'Veja só.' }
  const create = (header: object) =>
    call(product(), messageTemplates.create, company.token, { body: { ...body, header } } as never)
  expect(await create({ kind: 'image', handle: '4::outra' })).toMatchObject({
    ...{ status: 422, body: { error: 'ERR_TEMPLATE_PROVIDER', details: { reason: META_ERRORS[100]!.text } } },
  })
  expect((await create({ kind: 'image', handle })).status).toBe(200)
})

test('what has parts that are not written here is not written over', async () => {
  const { id, isForeign } = await find('carrossel')
  expect(isForeign).toBe(true)
  const before = structuredClone([...meta.templates.all.values()])
  const body = { category: 'UTILITY', body: 'Veja de novo.' }
  const answer = await call(product(), messageTemplates.update, company.token, { params: { id }, body } as never)
  expect(answer).toMatchObject({ status: 422, body: { details: { reason: expect.stringContaining('no provedor') } } })
  expect([...meta.templates.all.values()]).toEqual(before)
})

test('one is tried on a number of one’s own, in no conversation', async () => {
  const { id } = await find('nome_dado')
  const before = await us.messageCount()
  const body = { number: '5511977776666', values: { nome: 'Bia' } }
  const tried = await call(product(), messageTemplates.test, company.token, { params: { id }, body })
  expect([tried.status, await us.messageCount()]).toEqual([200, before])
  expect(meta.taken.at(-1)).toMatchObject({ to: '5511977776666', template: { name: 'nome_dado' } })
})

test('one with a picture is tried with a picture, which stands nowhere; not without, and not by whoever tries without end', async () => {
  const [image, body] = [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'Veja.' },
  ]
  meta.templates.approve({ name: 'vitrine', components: [image, body] })
  await call(product(), messageTemplates.sync, company.token, { body: { whatsappId: us.id } })
  const { id } = await find('vitrine')
  const params = { id }
  const bare = { params, body: { number: '5511977776666', values: {} } } as never
  expect(await call(product(), messageTemplates.test, company.token, bare)).toMatchObject({
    ...{ status: 422, body: { error: 'ERR_TEMPLATE_REFUSED', details: { file: expect.stringContaining('imagem') } } },
  })
  const form = new FormData()
  form.append('number', '5511977776666')
  form.append('values', '{}')
  form.append('file', new Blob([Buffer.from(PNG, 'base64')], { type: 'image/png' }), 'foto.png')
  const answer = await fetch(`${product().address}/api/message-templates/${id}/test`, {
    ...{ method: 'POST', headers: { authorization: `Bearer ${company.token}` }, body: form },
  })
  expect([answer.status, await answer.text()]).toEqual([200, '{"message":"ok"}'])
  const sent = meta.taken.at(-1)!
  const header = (sent.template as unknown as { components: { parameters: { image: { id: string } }[] }[] })
    .components[0]!
  expect(Buffer.from(meta.media.get(header.parameters[0]!.image.id)!.bytes).toString('base64')).toBe(PNG)
  const limited = await startProduct({ env: { RATE_LIMITS: true }, now }, product().ownerUrl)
  for (let used = 0; used < 20; used++) await limited.platform.limits.use('providerTest', `${us.tenantId} template`)
  const reply = await call(limited, messageTemplates.test, company.token, bare)
  expect(reply).toMatchObject({ status: 429, body: { error: 'ERR_RATE_LIMIT' } })
  await limited.close()
})

test('one that brings a code is written by three decisions; its provider’s text is read, and one value fills both places', async () => {
  const form = {
    ...{ whatsappId: us.id, name: 'codigo', language: 'pt_BR', category: 'AUTHENTICATION', body: '' },
    ...{ code: { isWarned: true, minutes: 10 }, buttons: [{ kind: 'otp', text: 'Copiar código' }] },
  }
  const make = (body: object) => call(product(), messageTemplates.create, company.token, { body } as never)
  const wrong = { ...form, code: { isWarned: true, minutes: 91 }, buttons: [] }
  expect((await make(wrong)).body).toMatchObject({
    details: { 'code.minutes': expect.any(String), 'buttons.0': expect.any(String) },
  })
  expect((await make({ ...form, code: undefined, body: 'Oi', buttons: [] })).status).toBe(400)
  expect((await make({ ...form, category: 'UTILITY' })).status).toBe(400)
  expect((await make(form)).status).toBe(200)
  const text = '*{{1}}* é seu código de verificação. Para sua segurança, não o compartilhe.'
  await until(async () => (await find('codigo')).body === text)
  const row = await find('codigo')
  expect(row).toMatchObject({
    ...{ isForeign: false, code: form.code, buttons: form.buttons, footer: 'Este código expira em 10 minutos.' },
    variables: [{ key: '1', part: 'body' }],
  })
  const [stored] = [...meta.templates.all.values()].filter(({ name }) => name === 'codigo')
  stored!.status = 'APPROVED'
  const change = { ...form, code: { isWarned: false, minutes: null } }
  const { whatsappId: _, name: __, language: ___, ...content } = change
  const changed = await call(product(), messageTemplates.update, company.token, {
    ...{ params: { id: row.id }, body: content },
  } as never)
  expect(changed.status).toBe(200)
  await until(async () => (await find('codigo')).body === '*{{1}}* é seu código de verificação.')
  meta.templates.all.get(stored!.id)!.status = 'APPROVED'
  await call(product(), messageTemplates.sync, company.token, { body: { whatsappId: us.id } })
  const send = (value: string) =>
    call(product(), messages.send, company.token, {
      params: { ticketId },
      body: { idFront: crypto.randomUUID(), template: { name: 'codigo', language: 'pt_BR', values: { 1: value } } },
    } as never)
  expect((await send('0123456789abcdef')).status).toBe(422)
  expect((await send('482913')).status).toBe(200)
  await until(async () => meta.taken.at(-1)!.template?.name === 'codigo')
  expect(meta.taken.at(-1)!.template).toMatchObject({
    components: [
      { type: 'body', parameters: [{ type: 'text', text: '482913' }] },
      { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: '482913' }] },
    ],
  })
})

test('a category that is not known keeps no other template from being read, and nothing of what is told', async () => {
  const components = [{ type: 'BODY', text: 'Oi' }]
  const { id } = meta.templates.approve({ name: 'antigo', category: 'TRANSACTIONAL', components })
  const { status } = await call(product(), messageTemplates.sync, company.token, { body: { whatsappId: us.id } })
  expect([status, await find('antigo')]).toMatchObject([200, { category: 'MARKETING', problem: null }])
  await meta.tellTemplate('template_category_update', { message_template_id: id, new_category: 'GENERAL' })
  await meta.tellTemplate('message_template_quality_update', { message_template_id: id, new_quality_score: 'RED' })
  expect(await find('antigo')).toMatchObject({ category: 'MARKETING', quality: 'RED' })
})

test('what another company’s own app tells of a template of ours changes nothing', async () => {
  const spy = await startMeta(() => now().getTime())
  const tenantId = await m().tenant()
  const token = await m().token(await m().user(tenantId, { profile: 'admin' }))
  const { META_GRAPH_URL, META_LOGIN_URL, META_INSTAGRAM_URL } = product().platform.env
  await fillInApp(product(), spy, token)
  Object.assign(product().platform.env, { META_GRAPH_URL, META_LOGIN_URL, META_INSTAGRAM_URL })
  const id = [...meta.templates.all.values()].find(({ name }) => name === 'pedido')!.id
  await spy.tellTemplate('message_template_status_update', { event: 'DISABLED', message_template_id: id, reason: null })
  expect(await find('pedido')).toMatchObject({ status: 'APPROVED' })
  const { body } = await call(product(), providers.get, token, { params: { id: 'meta' } })
  expect(body).toMatchObject({ unclaimedEvents: 1 })
  await spy.close()
})
