import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contacts } from '#features/contacts/contract.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { make } from '#test/make.ts'
import { mediaJobs } from '#test/media-jobs.ts'
import { metaCompany } from '#test/meta-company.ts'
import { startMeta } from '#test/peers/meta/graph.ts'
import { startWebPages } from '#test/peers/web-pages.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const text = (body: string) => ({ type: 'text', text: { body } })

let meta: Awaited<ReturnType<typeof startMeta>>
let pages: Awaited<ReturnType<typeof startWebPages>>
let files: Awaited<ReturnType<typeof mediaJobs>>
let us: Awaited<ReturnType<typeof metaCompany>>
let company: { tenantId: number; adminId: number; token: string }
beforeAll(async () => {
  meta = await startMeta(() => product().platform.now().getTime())
  pages = await startWebPages()
  const m = make(product().platform)
  const tenantId = await m.tenant()
  const admin = await m.user(tenantId, { profile: 'admin' })
  company = { tenantId, adminId: admin.id, token: await m.token(admin) }
  us = await metaCompany(product(), meta, company)
  await us.start()
  files = await mediaJobs(product().ownerUrl)
})
afterAll(() => Promise.all([meta.close(), pages.close(), files.close()]))

const messageSaid = (body: string) =>
  product().platform.db.read(company.tenantId, (db) =>
    db.selectFrom('messages').selectAll().where('body', '=', body).executeTakeFirst(),
  )
/** Writes a message; returns the stored one. */
async function hear(from: Parameters<typeof meta.write>[0], body: string) {
  await meta.write(from, text(body))
  await until(async () => (await messageSaid(body)) !== undefined)
  return (await messageSaid(body))!
}
const contactOf = async (id: number) => (await call(product(), contacts.get, company.token, { params: { id } })).body
const identities = (contactId: number) =>
  product().platform.db.read(company.tenantId, async (db) =>
    (await db.selectFrom('contact_identities').select('identity').where('contact_id', '=', contactId).execute()).map(
      ({ identity }) => identity,
    ),
  )

test('who hides the number is answered by their id, and stays the same person when the number comes later', async () => {
  const hidden = { userId: 'BR.200', name: 'Bia' }
  const first = await hear(hidden, 'Sem número')
  const ticketId = await us.accept('BR.200')
  const answered = await us.reply(ticketId, 'Oi, Bia')
  await until(async () => meta.taken.some(({ recipient }) => recipient === 'BR.200'))
  expect([answered.status, meta.taken.at(-1)!.to]).toEqual([200, undefined])
  const second = await hear({ ...hidden, number: '5511955554444' }, 'Com número')
  expect([second.contact_id, second.ticket_id]).toEqual([first.contact_id, first.ticket_id])
  await until(async () => (await identities(first.contact_id)).includes('5511955554444'))
  await until(async () => (await contactOf(first.contact_id)).number === '5511955554444')
  const third = await hear({ number: '5511955554444', name: 'Bia' }, 'Só o número')
  expect([third.contact_id, third.ticket_id]).toEqual([first.contact_id, first.ticket_id])
  await us.reply(ticketId, 'Ao número')
  await until(async () => meta.taken.at(-1)!.to === '5511955554444')
})

test('of somebody known by an id alone there is no number: all leaves to the id, and a new id is still them', async () => {
  const said = await hear({ userId: 'BR.400', name: 'Rui' }, 'Só o id')
  expect(await contactOf(said.contact_id)).toMatchObject({ name: 'Rui', number: null })
  const ticketId = await us.accept('BR.400')
  const answered = await us.reply(ticketId, 'Oi, Rui')
  await until(async () => meta.taken.at(-1)!.recipient === 'BR.400')
  // Meta may report it by both addresses.
  const { wamid } = meta.taken.at(-1)!
  await meta.confirm('delivered', wamid, { recipient_id: '5511966665555', recipient_user_id: 'BR.400' })
  await until(async () => (await us.messageOf(answered.body.messages[0]!.id)).status === 'delivered')
  const closed = { params: { id: ticketId }, body: { status: 'closed' } } as const
  await call(product(), tickets.update, company.token, closed)
  const body = { contactId: said.contact_id, whatsappId: us.id }
  const begun = await call(product(), tickets.create, company.token, { body })
  expect(begun.status).toBe(200)
  const next = begun.body.id
  await us.reply(next, 'De novo')
  await until(async () => meta.taken.at(-1)!.text?.body === 'De novo')
  expect(meta.taken.at(-1)).toMatchObject({ recipient: 'BR.400' })
  const changed = { type: 'user_changed_user_id', user_id: 'BR.401', previous_user_id: 'BR.400' }
  await meta.push({
    messages: [
      { from_user_id: 'BR.400', id: 'wamid.novo-id', timestamp: '1760000000', type: 'system', system: changed },
    ],
  })
  await until(async () => (await identities(said.contact_id)).includes('BR.401'))
  const after = await hear({ userId: 'BR.401', name: 'Rui' }, 'Do id novo')
  expect([after.contact_id, after.ticket_id]).toEqual([said.contact_id, next])
  await us.reply(next, 'Aqui também')
  await until(async () => meta.taken.at(-1)!.recipient === 'BR.401')
})

test('a changed number leads to the same person and ticket', async () => {
  const before = await hear({ number: '5511922221111', name: 'Caio' }, 'Do número velho')
  await meta.push({
    messages: [
      {
        ...{ from: '5511922221111', id: 'wamid.system', timestamp: '1760000000', type: 'system' },
        system: { type: 'user_changed_number', body: 'Caio mudou', wa_id: '5511933332222' },
      },
    ],
  })
  await until(async () => (await identities(before.contact_id)).includes('5511933332222'))
  const after = await hear({ number: '5511933332222', name: 'Caio' }, 'Do número novo')
  expect([after.contact_id, after.ticket_id]).toEqual([before.contact_id, before.ticket_id])
})

test('somebody known by number, and apart from that by id, is one person once both come together, until somebody undoes it', async () => {
  const [number, userId] = ['5511977778888', 'BR.300']
  const named = await hear({ number, name: 'Lia' }, 'Pelo número')
  const hidden = await hear({ userId, name: 'Lia' }, 'Sem o número')
  const personOf = async (id: number) => (await contactOf(id)).id
  const areOne = async () => (await personOf(named.contact_id)) === (await personOf(hidden.contact_id))
  expect(await areOne()).toBe(false)
  await hear({ number, userId, name: 'Lia' }, 'Com os dois')
  await until(areOne)
  // Answers go to the address of their last message.
  const { ticket_id } = await hear({ userId, name: 'Lia' }, 'De novo sem número')
  const body = { status: 'open', userId: company.adminId } as const
  await call(product(), tickets.update, company.token, { params: { id: ticket_id }, body })
  const answered = await us.reply(ticket_id, 'Oi, Lia')
  expect(answered.status).toBe(200)
  await until(async () => meta.taken.at(-1)?.text?.body === 'Oi, Lia')
  expect(meta.taken.at(-1)).toMatchObject({ recipient: userId })
  const params = { id: await personOf(named.contact_id) }
  const listed = await call(product(), contacts.merges, company.token, { params, query: {} })
  const { id: mergeId, proof } = listed.body.merges[0]!
  expect(proof).toBe('provider')
  expect((await call(product(), contacts.undoMerge, company.token, { params: { mergeId } })).status).toBe(200)
  expect(await areOne()).toBe(false)
})

test('what the company wrote in the app of its phone appears as sent elsewhere, once, in the customer’s ticket', async () => {
  const asked = await hear({ number: '5511944443333', name: 'Gil' }, 'Tem hoje?')
  const echo = {
    ...{ from: meta.app.display.replace(/\D/g, ''), to: '5511944443333', id: 'wamid.echo', timestamp: '1760000100' },
    ...text('Tem, pelo celular'),
  }
  for (const field of ['smb_message_echoes', 'message_echoes', 'smb_message_echoes'])
    await meta.push({ message_echoes: [echo] }, field)
  await hear({ number: '5511944443333', name: 'Gil' }, 'Obrigado')
  const rows = await product().platform.db.read(company.tenantId, (db) =>
    db.selectFrom('messages').selectAll().where('body', '=', 'Tem, pelo celular').execute(),
  )
  expect(rows).toMatchObject([{ from_me: true, status: 'sent', ticket_id: asked.ticket_id, user_id: null }])
  expect(meta.taken.some(({ text: said }) => said?.body === 'Tem, pelo celular')).toBe(false)
})

test('an ad is shown with headline and picture, and stays known of a message with a file', async () => {
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#1C5D99' } })
    .png()
    .toBuffer()
  const image_url = pages.show('/anuncio.png', { body: picture, type: 'image/png' })
  const referral = { source_url: 'https://fb.me/1', source_type: 'ad', source_id: '77', headline: 'Pizza', image_url }
  const id = meta.store(picture, 'image/png')
  await meta.write(
    { number: '5511911110000', name: 'Davi' },
    { type: 'image', image: { id, mime_type: 'image/png', caption: 'Vi isto' }, referral },
  )
  await until(async () => (await messageSaid('Vi isto'))?.file_id != null)
  const ticketId = (await messageSaid('Vi isto'))!.ticket_id
  const shown = async () =>
    (
      (await call(product(), messages.list, company.token, { params: { ticketId } })).body as {
        messages: { linkCard: object | null; data: object | null }[]
      }
    ).messages[0]!
  await until(async () => (await shown()).linkCard !== null)
  expect(await shown()).toMatchObject({
    linkCard: { url: 'https://fb.me/1', title: 'Pizza', site: 'Anúncio', picture: expect.any(String) },
    data: { ad: { sourceId: '77' } },
  })
  // Meta's free period is not a window.
  const { timestamp } = (await messageSaid('Vi isto'))!
  const detail = await call(product(), tickets.get, company.token, { params: { id: ticketId } })
  expect(detail.body).toMatchObject({
    freeUntil: timestamp.getTime() + 72 * 3_600_000,
    windowUntil: timestamp.getTime() + 24 * 3_600_000 - 60_000,
  })
})

const stateOf = async (body: string) =>
  ((await messageSaid(body))?.data as { remote?: { state: string } } | null)?.remote?.state
const waitsFor = async (body: string) => files.secondsTo((await messageSaid(body))?.id)

test('a file that comes while the token is worth nothing is asked for within ten minutes, and comes with a new one', async () => {
  const id = meta.store(Buffer.from('%PDF-1.4 recibo'), 'application/pdf')
  meta.state.isTokenValid = false
  const document = { id, filename: 'recibo.pdf', caption: 'Recibo' }
  await meta.write({ number: '5511900002222', name: 'Ivo' }, { type: 'document', document })
  await until(async () => (await waitsFor('Recibo')) > 200)
  meta.state.isTokenValid = true
  await files.hurry()
  await until(async () => (await messageSaid('Recibo'))?.file_id != null)
})

test('a file that does not come in three tries within ten minutes is expired', async () => {
  const id = meta.store(Buffer.from('%PDF-1.4 nunca'), 'application/pdf')
  meta.state.isTokenValid = false
  const document = { id, filename: 'nunca.pdf', caption: 'Nunca' }
  await meta.write({ number: '5511900003333', name: 'Ugo' }, { type: 'document', document })
  const pauses: number[] = []
  await until(async () => {
    const seconds = await waitsFor('Nunca')
    if (seconds > 0) {
      pauses.push(seconds)
      await files.hurry()
    }
    return (await stateOf('Nunca')) === 'expired'
  })
  meta.state.isTokenValid = true
  expect(pauses).toHaveLength(2)
  expect(pauses[0]! + pauses[1]!).toBeGreaterThan(400)
  expect(pauses[0]! + pauses[1]!).toBeLessThan(600)
})

test('a file whose link is gone is asked for anew by its id; what Meta has no more is expired', async () => {
  const from = { number: '5511900001111', name: 'Eva' }
  const id = meta.store(Buffer.from('%PDF-1.4 conta'), 'application/pdf')
  const send = (caption: string, of: string) =>
    meta.write(from, { type: 'document', document: { id: of, filename: 'conta.pdf', caption } })
  meta.state.goneLinks = 1
  await send('Volta', id)
  await send('Expirada', '404404')
  await until(async () => (await stateOf('Expirada')) === 'expired')
  await until(async () => {
    await files.hurry()
    return (await messageSaid('Volta'))?.file_id != null
  })
  expect(meta.state.goneLinks).toBe(0)
})
