import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Phone } from '#features/lab/server/whatsapp/phone.ts'
import { startWhatsAppServer, type WhatsAppServer } from '#features/lab/server/whatsapp/server.ts'
import { tickets } from '#features/tickets/contract.ts'
import { make } from '#test/make.ts'
import { call, createDatabase, type Product, startProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { whatsappCompany, whatsappEnvironment } from '#test/whatsapp-company.ts'

const WEEK = 7 * 24 * 3600

describe('what passes by a linked number', () => {
  let server: WhatsAppServer
  let product: Product
  let shop: Phone
  let contact: Phone
  let us: Awaited<ReturnType<typeof whatsappCompany>>
  beforeAll(async () => {
    server = await startWhatsAppServer()
    product = await startProduct({ env: whatsappEnvironment(server) }, await createDatabase())
    shop = await server.addPhone({ number: '551130000401', name: 'Livraria' })
    contact = await server.addPhone({ number: '5511988880401', name: 'Davi' })
    us = await whatsappCompany(product, shop)
    await us.link()
  })
  afterAll(async () => {
    await product.close()
    await server.close()
  })

  const received = async (id: string) => {
    await until(() => contact.inbox.some((one) => one.id === id))
    return contact.inbox.find((one) => one.id === id)!.message
  }
  async function say(text: string) {
    const ticketId = await us.accept('5511988880401')
    await us.reply(ticketId, text)
    await until(async () => (await us.message(text)).provider_id !== null)
    return received((await us.message(text)).provider_id!)
  }

  test('polls, buttons and their presses are read; the frame of an album and what is pinned say nothing', async () => {
    await contact.send(shop.jid, { albumMessage: { expectedImageCount: 2 } })
    await contact.send(shop.jid, { pinInChatMessage: { type: 1 } })
    await contact.send(shop.jid, { pollCreationMessage: { name: 'Capa?', options: [{ optionName: 'Dura' }] } })
    expect(await us.message('Capa?')).toMatchObject({ media_type: 'poll', data: { poll: { options: ['Dura'] } } })
    const reply = { selectedButtonId: 's', selectedDisplayText: 'Sim', contextInfo: { stanzaId: 'X' } }
    await contact.send(shop.jid, { buttonsResponseMessage: reply })
    expect(await us.message('Sim')).toMatchObject({ media_type: 'interactive_reply', data: { buttonId: 's' } })
    expect((await us.ledger()).map(({ body }) => body)).toEqual(['Capa?', 'Sim'])
  })

  test('of what may be looked at once it is told where it is; once however often it comes', async () => {
    const id = server.sendOnce(contact, shop)
    server.sendOnce(contact, shop, id)
    const told = 'Mensagem de visualização única. Veja no celular.'
    await us.message(told)
    await contact.text(shop.jid, 'Viu?')
    await us.message('Viu?')
    expect((await us.ledger()).filter(({ body }) => body === told)).toMatchObject([{ provider_id: id, from_me: false }])
  })

  test('what the team has read is shown to who wrote it', async () => {
    const words = `Já leram? ${randomUUID()}`
    const id = await contact.text(shop.jid, words)
    const ticketId = await us.accept('5511988880401')
    await us.message(words)
    const confirmed = (type: string) => contact.receipts.some((one) => one.id === id && one.type === type)
    expect(confirmed('read')).toBe(false)
    await call(product, tickets.update, us.token, { params: { id: ticketId }, body: { unreadMessages: 0 } })
    await until(() => confirmed('read'))
  })

  test('where messages disappear ours do too, until they are kept again, also after another opening', async () => {
    expect((await say('Fica')).extendedTextMessage?.contextInfo?.expiration ?? 0).toBe(0)
    await contact.send(shop.jid, {
      ephemeralMessage: {
        message: { extendedTextMessage: { text: 'Some em uma semana', contextInfo: { expiration: WEEK } } },
      },
    })
    await us.message('Some em uma semana')
    expect((await say('Some também')).extendedTextMessage?.contextInfo?.expiration).toBe(WEEK)
    server.cut()
    await us.is('TIMEOUT')
    await us.is('CONNECTED')
    expect((await say('E esta')).extendedTextMessage?.contextInfo?.expiration).toBe(WEEK)
    await contact.send(shop.jid, { protocolMessage: { type: 3, ephemeralExpiration: 0 } })
    await contact.text(shop.jid, 'Agora fica')
    await us.message('Agora fica')
    expect((await say('Fica de novo')).extendedTextMessage?.contextInfo?.expiration ?? 0).toBe(0)
  })

  test('in a group a tick rises when all others have given it; what happened meanwhile is told once', async () => {
    const other = await server.addPhone({ number: '5511988880402', name: 'Rosa' })
    const group = server.createGroup(contact, 'Clube de leitura', [shop, other])
    await contact.text(group, 'Começamos?')
    const ticketId = await us.accept(group)
    await us.reply(ticketId, 'Às 19h')
    await until(async () => (await us.message('Às 19h')).status === 'delivered')
    const id = (await us.message('Às 19h')).provider_id!
    const steps = async () =>
      (await us.trailOf((await us.message('Às 19h')).id)).filter((step) => step === 'read:member').length
    contact.confirm(id, 'read')
    contact.confirm(id, 'read')
    await until(async () => (await steps()) === 1)
    expect((await us.message('Às 19h')).status).toBe('delivered')
    other.confirm(id, 'read')
    await until(async () => (await us.message('Às 19h')).status === 'read')
    expect(await steps()).toBe(2)
    server.cut()
    server.renameGroup(contact, group, 'Clube do livro')
    await us.is('CONNECTED')
    const told = async () => (await us.ledger()).filter(({ media_type }) => media_type === 'group_event')
    await until(async () => (await told()).length > 0)
    await contact.text(group, 'Novo nome')
    await us.message('Novo nome')
    expect(await told()).toMatchObject([{ data: { change: 'subject', subject: 'Clube do livro' } }])
  })

  test('a call that came while nobody was there is told, and refused no more', async () => {
    await make(product.platform).setting(us.tenantId, 'rejectCalls', 'enabled')
    const calls = async () => (await us.ledger()).filter(({ media_type }) => media_type === 'call')
    contact.ring(shop.jid)()
    await until(async () => (await calls()).length === 1)
    expect(await calls()).toMatchObject([{ body: 'Chamada de voz', data: { call: { isVideo: false } } }])
  })
})
