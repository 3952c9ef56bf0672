import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { renewSecrets } from '#features/connections/server/renew.ts'
import { recoverSends } from '#features/ledger/server/outbox/wake.ts'
import { lockLedgerTicket } from '#features/ledger/server/ticket/queries.ts'
import { sendSystemMessages } from '#features/ledger/server/writing/system-message.ts'
import { messages } from '#features/messages/contract.ts'
import { unit } from '#server/context.ts'
import { make } from '#test/make.ts'
import { mediaJobs } from '#test/media-jobs.ts'
import { metaCompany } from '#test/meta-company.ts'
import { startMeta } from '#test/peers/meta/graph.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

const DAY = 86_400_000
let ahead = 0
const now = () => new Date(Date.now() + ahead)
const product = withProduct({ now })
let meta: Awaited<ReturnType<typeof startMeta>>
let company: { tenantId: number; adminId: number; token: string }
let page: Awaited<ReturnType<typeof metaCompany>>
let instagram: Awaited<ReturnType<typeof metaCompany>>
const ana = { id: '9900001', name: 'Ana Luz' }
const bia = { id: '9900002', name: 'Bia Sol' }
let onPage: number
let onInstagram: number

beforeAll(async () => {
  meta = await startMeta(() => now().getTime())
  const m = make(product().platform)
  const tenantId = await m.tenant()
  const admin = await m.user(tenantId, { profile: 'admin' })
  company = { tenantId, adminId: admin.id, token: await m.token(admin) }
  page = await metaCompany(product(), meta, company, { type: 'messenger' })
  instagram = await metaCompany(product(), meta, company, { type: 'instagram' })
  for (const one of [page, instagram]) expect((await one.start()).status).toBe(200)
  await meta.direct.write('page', ana, { text: 'Oi' })
  await meta.direct.write('instagram', bia, { text: 'Oi' })
  onPage = await page.accept(ana.id)
  onInstagram = await instagram.accept(bia.id)
})
afterAll(() => meta.close())
beforeEach(() => {
  meta.direct.state.echoesFirst = false
})

const read = <T>(work: Parameters<ReturnType<typeof product>['platform']['db']['read']>[1]) =>
  product().platform.db.read(company.tenantId, work) as Promise<T>
type Row = {
  id: string
  body: string
  status: string
  provider_id: string | null
  is_deleted: boolean
  from_me: boolean
  media_type: string
  file_id: string | null
}
const all = () => read<Row[]>((db) => db.selectFrom('messages').selectAll().orderBy('seq').execute())
const saying = async (body: string) => (await all()).filter((row) => row.body === body)
const comes = (body: string, times = 1) => until(async () => (await saying(body)).length === times)
const settles = async () => {
  const marker = `fim ${Math.random()}`
  await meta.direct.write('page', ana, { text: marker })
  await comes(marker)
}
const said = async (us: typeof page, ticketId: number, body: string) => {
  const reply = await us.reply(ticketId, body)
  expect([reply.status, reply.body]).toMatchObject([200, {}])
  return reply.body.messages[0]!.id
}
/** Waits for a status, with retries at once, because they are due by a clock that the test has moved. */
const is = (id: string, status: string) =>
  until(async () => {
    if ((await page.messageOf(id)).status === status) return true
    await recoverSends(product().platform, 0)
    return false
  })

describe('starting says what is missing', () => {
  const fillIn = (us: typeof page, config: object) =>
    call(product(), connections.update, company.token, { params: { id: us.id }, body: { config } } as never)
  const says = async (us: typeof page, sentence: RegExp) =>
    expect(await us.start()).toMatchObject({
      status: 422,
      body: { error: 'ERR_CONNECTION_TEST', details: { config: expect.stringMatching(sentence) } },
    })

  test('of a page: each permission, the page itself, and its portfolio', async () => {
    const { scopes } = meta.state
    meta.state.scopes = []
    await says(page, /permissão pages_messaging nem pages_manage_metadata/)
    meta.state.scopes = scopes
    const { id: tokenAPI, businessId: wabaId, token: bmToken } = meta.direct.accounts.page
    await fillIn(page, { tokenAPI, wabaId: '4242', bmToken })
    await says(page, /não é deste portfólio/)
    await fillIn(page, { tokenAPI: '4343', wabaId, bmToken })
    await says(page, /não alcança esta página/)
    await fillIn(page, { tokenAPI, wabaId, bmToken })
    expect((await page.start()).status).toBe(200)
  })

  test('of an Instagram account: that the token is another’s, or worth nothing', async () => {
    const { id: tokenAPI, token: bmToken } = meta.direct.accounts.instagram
    await fillIn(instagram, { tokenAPI: '4242', bmToken })
    await says(instagram, /de outra conta do Instagram/)
    await fillIn(instagram, { tokenAPI, bmToken: 'IGoutro' })
    await says(instagram, /token não vale mais/)
    await fillIn(instagram, { tokenAPI, bmToken })
    expect((await instagram.start()).status).toBe(200)
  })

  test('of one that is reached by its page, which is asked for what pages tell; then it writes and is answered', async () => {
    const linked = await metaCompany(product(), meta, company, { type: 'instagram', isLinked: true })
    const { scopes } = meta.state
    meta.state.scopes = scopes.filter((one) => !one.startsWith('instagram'))
    await says(linked, /permissão instagram_basic nem instagram_manage_messages/)
    meta.state.scopes = scopes
    meta.direct.state.linkedTo = null
    await says(linked, /não está ligada/)
    meta.direct.state.linkedTo = meta.direct.accounts.linked.id
    expect((await linked.start()).status).toBe(200)
    const caio = { id: '9900003', name: 'Caio Mar' }
    await meta.direct.write('linked', caio, { text: 'Oi, pela página' })
    const ticketId = await linked.accept(caio.id)
    await is(await said(linked, ticketId, 'Olá, Caio'), 'sent')
    expect(meta.direct.taken.at(-1)).toMatchObject({ recipient: { id: caio.id }, message: { text: 'Olá, Caio' } })
  })
})

describe('what comes in', () => {
  test('an unsent message is taken back, also when that comes first; an edited one says what it says now', async () => {
    const { push, inbound, write } = meta.direct
    const mid = await write('instagram', bia, { text: 'Me arrependi' })
    await comes('Me arrependi')
    await push('instagram', { ...inbound('instagram', bia.id), message: { mid, is_deleted: true } })
    await until(async () => (await saying('Me arrependi'))[0]?.is_deleted === true)
    await push('instagram', { ...inbound('instagram', bia.id), message: { mid: 'm_antes', is_deleted: true } })
    await write('instagram', bia, { text: 'Já tinha ido' }, 'm_antes')
    await until(async () => (await all()).some((row) => row.provider_id === 'm_antes' && row.is_deleted))
    const link = { payload: { url: `${meta.address}/links/nada` } }
    const parts = [1, 2].map(() => ({ type: 'image', ...link }))
    const several = await write('instagram', bia, { text: 'As duas', attachments: parts })
    const partsOf = async () => (await all()).filter(({ provider_id }) => provider_id?.startsWith(several))
    await until(async () => (await partsOf()).length === 2)
    await push('instagram', { ...inbound('instagram', bia.id), message: { mid: several, is_deleted: true } })
    await until(async () => (await partsOf()).every((row) => row.is_deleted))
    const edited = await write('page', ana, { text: 'Quero um' })
    await comes('Quero um')
    await push('page', { ...inbound('page', ana.id), message_edit: { mid: edited, text: 'Quero dois', num_edit: 1 } })
    await comes('Quero dois')
  })

  test('stories come with their picture, and those who ignore them get the words alone', async () => {
    const link = `${meta.address}/links/${meta.direct.link(Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64'), 'image/png', 'story.png')}`
    const mention = { attachments: [{ type: 'story_mention', payload: { url: link } }] }
    const reply = (text: string) => ({ text, reply_to: { story: { id: '1', url: link } } })
    await meta.direct.write('instagram', bia, mention)
    await comes('Mencionou a empresa em um story')
    await meta.direct.write('instagram', bia, reply('Que lindo'))
    await comes('Que lindo')
    expect(await saying('Story a que o contato respondeu')).toHaveLength(1)
    await make(product().platform).setting(company.tenantId, 'ignoreIgStories')
    await meta.direct.write('instagram', bia, mention)
    await meta.direct.write('instagram', bia, reply('Ainda lindo'))
    await comes('Ainda lindo')
    expect(await saying('Mencionou a empresa em um story')).toHaveLength(1)
    expect(await saying('Story a que o contato respondeu')).toHaveLength(1)
    // An expired story is gone, with a sentence.
    await make(product().platform).setting(company.tenantId, 'ignoreIgStories', 'disabled')
    await meta.direct.write('instagram', bia, {
      text: 'Sumiu',
      attachments: [{ type: 'image', payload: { url: `${meta.address}/links/nada` } }],
    })
    await comes('Sumiu')
    await until(async () => JSON.stringify(await saying('Sumiu')).includes('"expired"'))
  })

  test('a file that cannot be had just now is asked for within ten minutes, and comes', async () => {
    const files = await mediaJobs(product().ownerUrl)
    const link = `${meta.address}/links/${meta.direct.link(Buffer.from('%PDF-1.4 nota'), 'application/pdf', 'nota.pdf')}`
    meta.direct.state.areLinksDown = true
    await meta.direct.write('page', ana, { text: 'A nota', attachments: [{ type: 'file', payload: { url: link } }] })
    const note = async () => (await saying('A nota'))[0]
    await until(async () => (await files.secondsTo((await note())?.id)) > 200)
    meta.direct.state.areLinksDown = false
    await files.hurry()
    await until(async () => (await note())!.file_id !== null)
    await files.close()
  })

  test('what another app of the company’s answers makes no conversation, and twenty of the same call one message', async () => {
    const { push, inbound } = meta.direct
    await push('page', { ...inbound('page', '9955'), message: { mid: 'm_standby', text: 'Com outro' } }, 'standby')
    const same = { ...inbound('page', ana.id), message: { mid: 'm_vinte', text: 'Vinte vezes' } }
    await Promise.all(Array.from({ length: 20 }, () => push('page', same)))
    await settles()
    expect(await saying('Com outro')).toEqual([])
    expect(await saying('Vinte vezes')).toHaveLength(1)
  })

  test('what was sent elsewhere appears as sent, once; what was sent here stays one message, also told before its answer', async () => {
    for (let twice = 0; twice < 2; twice++)
      await meta.direct.echo('page', ana.id, { mid: 'm_fora', text: 'Pelo celular' })
    await comes('Pelo celular')
    expect(await saying('Pelo celular')).toMatchObject([{ from_me: true, status: 'sent' }])
    meta.direct.state.echoesFirst = true
    for (const [us, ticketId, service, to] of [
      [page, onPage, 'page', ana.id],
      [instagram, onInstagram, 'instagram', bia.id],
    ] as const) {
      const body = `Daqui, por ${service}`
      const id = await said(us, ticketId, body)
      await is(id, 'sent')
      await settles()
      expect(await saying(body)).toHaveLength(1)
      const { mid } = meta.direct.taken.find(({ message }) => message?.text === body)!
      await meta.direct.echo(service, to, { mid, text: body })
      await settles()
      expect(await saying(body)).toHaveLength(1)
    }
  })

  test('what had buttons stays one message too, although its words alone come back', async () => {
    meta.direct.state.echoesFirst = true
    const form = { ticketId: onInstagram, body: 'Qual?', buttons: [{ text: 'Um' }, { text: 'Dois' }] }
    for (const footer of [undefined, 'Até amanhã']) {
      const body = { ...form, ...(footer ? { footer } : {}), idFront: crypto.randomUUID() } as never
      const sent = await call(product(), messages.buttons, company.token, { body })
      const [{ id }] = (sent.body as unknown as { messages: [{ id: string }] }).messages
      await is(id, 'sent')
      await settles()
    }
    expect((await all()).filter((row) => row.body.startsWith('Qual?'))).toMatchObject([
      { media_type: 'buttons' },
      { media_type: 'buttons' },
    ])
  })

  test('a watermark ticks everything that had been sent before it, and nothing that was sent after', async () => {
    const { push, inbound } = meta.direct
    const before = [await said(page, onPage, 'Um'), await said(page, onPage, 'Dois')]
    for (const id of before) await is(id, 'sent')
    ahead += 5000
    const watermark = now().getTime()
    ahead += 5000
    const after = await said(page, onPage, 'Três')
    await is(after, 'sent')
    await push('page', { ...inbound('page', ana.id), delivery: { watermark } })
    for (const id of before) await is(id, 'delivered')
    for (let twice = 0; twice < 2; twice++) await push('page', { ...inbound('page', ana.id), read: { watermark } })
    for (const id of before) await is(id, 'read')
    // Written earlier, held back, and sent later.
    meta.direct.state.refusals.push({ code: 613 })
    const late = await said(page, onPage, 'Esperou')
    await until(async () => /limite de envios/.test((await page.reasonOf(late)) ?? ''))
    ahead += 5000
    const between = now().getTime()
    ahead += 5000
    await until(async () => {
      await recoverSends(product().platform, 0)
      return (await page.messageOf(late)).status === 'sent'
    })
    await push('page', { ...inbound('page', ana.id), delivery: { watermark: between } })
    await is(after, 'delivered')
    // Receipts of the page itself are not the customer's.
    const own = { sender: { id: meta.direct.accounts.page.id }, recipient: { id: ana.id }, timestamp: now().getTime() }
    await push('page', { ...own, read: { watermark: now().getTime() } })
    await settles()
    expect([(await page.messageOf(after)).status, (await page.messageOf(late)).status]).toEqual(['delivered', 'sent'])
  })
})

describe('what goes out', () => {
  test('refusals of the platform are words: gone, too late, too fast', async () => {
    const refuse = async (refusal: { code: number; subcode?: number }, word: RegExp) => {
      meta.direct.state.refusals.push(refusal)
      const id = await said(page, onPage, `Recusa ${refusal.code}`)
      await is(id, 'failed')
      expect(await page.reasonOf(id)).toMatch(word)
    }
    await refuse({ code: 10, subcode: 2018278 }, /Agente Humano/)
    await refuse({ code: 551, subcode: 1545041 }, /não pode receber/)
    await refuse({ code: 100, subcode: 2018001 }, /não pode receber/)
    await refuse({ code: 987 }, /código 987/)
    // Instagram counts bytes.
    const long = await instagram.reply(onInstagram, 'á'.repeat(501))
    expect(long).toMatchObject({ status: 422, body: { error: 'ERR_MESSAGE_TOO_LONG' } })
    // The footer counts as text.
    const words = { ticketId: onInstagram, body: 'á'.repeat(480), footer: 'é'.repeat(21), buttons: [{ text: 'Sim' }] }
    expect(await call(product(), messages.buttons, company.token, { body: words } as never)).toMatchObject({
      ...{ status: 422, body: { error: 'ERR_MESSAGE_TOO_LONG' } },
    })
    meta.direct.state.refusals.push({ code: 613 })
    const id = await said(page, onPage, 'Devagar')
    await until(async () => /limite de envios/.test((await page.reasonOf(id)) ?? ''))
    await until(async () => {
      await recoverSends(product().platform, 0)
      return (await page.messageOf(id)).status === 'sent'
    })
  })

  test('what the product says by itself and is longer than Instagram takes fails in words, before Instagram sees it', async () => {
    const taken = meta.direct.taken.length
    const text = `${'á'.repeat(500)}!`
    await unit(product().platform, { tenantId: company.tenantId, user: null }, async (ctx) => {
      const ticket = (await lockLedgerTicket(ctx.db, onInstagram))!
      await sendSystemMessages(ctx, [{ ticket, text, sendType: 'absence' }])
    })
    await until(async () => (await saying(text))[0]?.status === 'failed')
    expect(await instagram.reasonOf((await saying(text))[0]!.id)).toMatch(/1\.000 bytes.*Divida-o/)
    expect(meta.direct.taken).toHaveLength(taken)
    // Messenger accepts it.
    await unit(product().platform, { tenantId: company.tenantId, user: null }, async (ctx) => {
      const ticket = (await lockLedgerTicket(ctx.db, onPage))!
      await sendSystemMessages(ctx, [{ ticket, text, sendType: 'absence' }])
    })
    await until(async () => (await saying(text)).some(({ status }) => status === 'sent'))
  })

  test('a person may be one only where the channel has that, and nothing scheduled is', async () => {
    const reply = await page.reply(onPage, 'Depois', {
      isHumanAgent: true,
      scheduleDate: new Date(now().getTime() + DAY).toISOString(),
    })
    expect(reply.status).toBe(400)
    expect((await page.reply(onPage, 'Agora', { isHumanAgent: true })).status).toBe(200)
    await until(() => meta.direct.taken.some(({ tag, message }) => tag === 'HUMAN_AGENT' && message?.text === 'Agora'))
  })
})

describe('the token of an Instagram account', () => {
  const token = () =>
    read<{ secrets: { bmToken: { until?: number; encrypted: string } }; status: string; cause: string | null }>((db) =>
      db
        .selectFrom('connections')
        .select(['secrets', 'status', 'cause'])
        .where('id', '=', instagram.id)
        .executeTakeFirstOrThrow(),
    )
  test('is renewed when nobody knows its end, and ten days before it; a message goes with the new one', async () => {
    const before = meta.direct.accounts.instagram.token
    await renewSecrets(product().platform)
    await until(() => meta.direct.state.renewed > 0)
    await until(async () => ((await token()).secrets.bmToken.until ?? 0) > now().getTime() + 59 * DAY)
    expect(meta.direct.accounts.instagram.token).not.toBe(before)
    expect(JSON.stringify(await token())).not.toContain(meta.direct.accounts.instagram.token)
    await is(await said(instagram, onInstagram, 'Com o novo'), 'sent')
    expect(meta.direct.state.bearer).toBe(meta.direct.accounts.instagram.token)
    const renewed = meta.direct.state.renewed
    ahead = 49 * DAY
    await renewSecrets(product().platform)
    ahead = 51 * DAY
    for (let n = 0; n < 5; n++) await renewSecrets(product().platform)
    await until(() => meta.direct.state.renewed === renewed + 1)
    ahead = 0
  })
  test('that is worth nothing any more stops the connection', async () => {
    meta.direct.state.isRenewalRefused = true
    ahead = 200 * DAY
    await renewSecrets(product().platform)
    await until(async () => (await token()).cause === 'token')
    ahead = 0
  })
})
