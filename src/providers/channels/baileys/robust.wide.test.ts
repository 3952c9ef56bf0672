import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { journaled } from '#test/journaled.ts'
import type { Phone } from '#test/peers/whatsapp/phone.ts'
import { startWhatsAppServer, type WhatsAppServer } from '#test/peers/whatsapp/server.ts'
import { createDatabase, type Product, startProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { whatsappCompany, whatsappEnvironment } from '#test/whatsapp-company.ts'

describe('a linked number in operation', () => {
  let server: WhatsAppServer
  let database: string
  let product: Product
  let shop: Phone
  let contact: Phone
  let us: Awaited<ReturnType<typeof whatsappCompany>>
  const open = () => startProduct({ env: whatsappEnvironment(server) }, database)
  beforeAll(async () => {
    server = await startWhatsAppServer()
    database = await createDatabase()
    product = await open()
    shop = await server.addPhone({ number: '551130000201', name: 'Floricultura' })
    contact = await server.addPhone({ number: '5511988880201', name: 'Jandira' })
    us = await whatsappCompany(product, shop)
    await us.link()
  })
  afterAll(async () => {
    await product.close()
    await server.close()
  })

  const ticket = () =>
    product.platform.db.read(us.tenantId, (db) => db.selectFrom('tickets').selectAll().executeTakeFirstOrThrow())
  const textsOf = (phone: Phone) =>
    phone.inbox.map(({ message }) => message.conversation ?? message.extendedTextMessage?.text)

  test('a message that cannot be read yet is waited for, and stands in its place once it can', async () => {
    await contact.text(shop.jid, 'Bom dia')
    await us.message('Bom dia')
    const sending = contact.send(shop.jid, { conversation: 'Têm lírios?' }, { isBroken: true })
    // Nobody encrypts it anew before its sender is there again.
    const id = await sending
    contact.disconnect()
    const waiting = await us.message('Aguardando esta mensagem')
    expect(waiting).toMatchObject({ provider_id: id, media_type: 'undecrypted', from_me: false })
    expect(await ticket()).toMatchObject({ unread_messages: 2, last_message: 'Aguardando esta mensagem' })
    contact.connect()
    const read = await us.message('Têm lírios?')
    expect(read).toMatchObject({ id: waiting.id, seq: waiting.seq, provider_id: id, media_type: 'text' })
    expect(await ticket()).toMatchObject({ unread_messages: 2, last_message: 'Têm lírios?' })
    // What is done to other messages is no message that somebody could wait for.
    const key = { remoteJid: shop.jid, fromMe: true, id }
    const edited = { protocolMessage: { type: 14, key, editedMessage: { conversation: 'Têm rosas?' } } }
    await contact.send(shop.jid, edited, { isBroken: true, edit: '1' })
    await us.message('Têm rosas?')
    expect((await us.ledger()).map(({ body }) => body)).toEqual(['Bom dia', 'Têm rosas?'])
  })

  test('what a phone could not read is encrypted anew after a restart, from what is stored', async () => {
    const ticketId = await us.accept('5511988880201')
    const quoted = await us.message('Bom dia')
    contact.disconnect()
    await us.reply(ticketId, 'Temos dos dois', { quotedMsgId: quoted.id })
    await until(async () => (await us.message('Temos dos dois')).status === 'sent')
    await product.close()
    contact.forgetSessions()
    contact.connect()
    await contact.idle()
    expect(textsOf(contact)).not.toContain('Temos dos dois')
    product = await open()
    await until(() => textsOf(contact).includes('Temos dos dois'), 20_000)
    const [arrived] = contact.inbox.slice(-1)
    const sent = await us.message('Temos dos dois', product)
    expect(arrived).toMatchObject({
      id: sent.provider_id,
      message: { extendedTextMessage: { contextInfo: { stanzaId: quoted.provider_id } } },
    })
    await until(async () => (await us.message('Temos dos dois', product)).status === 'delivered')
  })

  test('what is of no known kind is to be seen on the phone, kept as it came; posts are nobody’s conversation', async () => {
    const before = (await us.ledger(product)).length
    await contact.send('status@broadcast', { conversation: 'Promoção' }, { list: [shop.account] })
    server.postInChannel(shop, { conversation: 'Novidades' })
    await contact.send('5511700@broadcast', { conversation: 'Aviso a todos' }, { list: [shop.account] })
    const options = [{ optionName: 'Sim' }, { optionName: 'Não' }]
    await contact.send(shop.jid, { pollCreationMessage: { name: 'Vem?', options, selectableOptionsCount: 1 } })
    const seen = await us.message('Veja no celular.', product)
    const ledger = await us.ledger(product)
    expect(ledger.slice(before).map(({ body }) => body)).toEqual(['Aviso a todos', 'Veja no celular.'])
    expect(new Set(ledger.map(({ ticket_id }) => ticket_id)).size).toBe(1)
    const events = await product.platform.db.read(us.tenantId, journaled)
    const { payload } = events.find(({ dedupe_key }) => dedupe_key === seen.provider_id)!
    expect(Buffer.from((payload as { raw: string }).raw, 'base64').toString()).toContain('Vem?')
    const [device] = server.linkedTo(shop)
    await until(() => device!.waiting.every(({ node }) => node.tag !== 'message'))
  })
})
