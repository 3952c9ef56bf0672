import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import type { Phone } from '#features/lab/server/whatsapp/phone.ts'
import { messages } from '#features/messages/contract.ts'
import { journaled } from '#test/journaled.ts'
import { startTcpProxy } from '#test/peers/tcp-proxy.ts'
import { call } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type LinkedCompany, linkedCompany } from '#test/whatsapp-company.ts'

describe('a linked number in operation', () => {
  let { server, open, product, shop, contact, us } = {} as LinkedCompany
  beforeAll(async () => {
    const names = {
      shop: { number: '551130000201', name: 'Floricultura' },
      contact: { number: '5511988880201', name: 'Jandira' },
    }
    ;({ server, open, product, shop, contact, us } = await linkedCompany(names))
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
    // It is encrypted again only after its sender is back.
    const id = await sending
    contact.disconnect()
    const waiting = await us.message('Aguardando esta mensagem')
    expect(waiting).toMatchObject({ provider_id: id, media_type: 'undecrypted', from_me: false })
    expect(await ticket()).toMatchObject({ unread_messages: 2, last_message: 'Aguardando esta mensagem' })
    contact.connect()
    const read = await us.message('Têm lírios?')
    expect(read).toMatchObject({ id: waiting.id, seq: waiting.seq, provider_id: id, media_type: 'text' })
    expect(await ticket()).toMatchObject({ unread_messages: 2, last_message: 'Têm lírios?' })
    // An act on another message is not a message to wait for.
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
    await until(() => textsOf(contact).includes('Temos dos dois'))
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
    await contact.send(shop.jid, {
      newsletterAdminInviteMessage: { newsletterName: 'Vem?', newsletterJid: '1@newsletter' },
    })
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

  test('a group: who comes and goes, its name, what is answered and reacted to, and what was written on the phone', async () => {
    const other = await server.addPhone({ number: '5511988880202', name: 'Raul' })
    const jid = server.createGroup(contact, 'Casamento', [shop])
    await contact.text(jid, 'Quantos arranjos?')
    const ticketId = await us.accept(jid, product)
    server.changeMembers(contact, jid, 'add', [other])
    await other.text(jid, 'Doze, acho')
    await us.message('Doze, acho', product)
    server.changeMembers(contact, jid, 'promote', [other])
    server.renameGroup(contact, jid, 'Casamento em maio')
    await shop.text(jid, 'Anotado no balcão')
    expect(await us.message('Anotado no balcão', product)).toMatchObject({ from_me: true, ticket_id: ticketId })
    const changes = async () =>
      (await us.ledger(product)).flatMap(({ media_type, data }) =>
        media_type === 'group_event' ? [data as object as { change: string; people: { name: string }[] }] : [],
      )
    await until(async () => (await changes()).length === 3)
    expect((await changes()).map(({ change }) => change)).toEqual(['add', 'promote', 'subject'])
    const group = await product.platform.db.read(us.tenantId, (db) =>
      db.selectFrom('contacts').select('name').where('is_group', '=', true).executeTakeFirstOrThrow(),
    )
    expect(group.name).toBe('Casamento em maio')
    const theirs = await us.message('Doze, acho', product)
    expect(theirs.sender).toMatchObject({ name: 'Raul', number: '5511988880202' })
    await us.reply(ticketId, 'Confirmado', { quotedMsgId: theirs.id }, product)
    const react = { messageId: theirs.id, ticketId, reaction: '💐' }
    await call(product, messages.react, us.token, { body: react })
    const context = () => other.inbox.map(({ message }) => message.extendedTextMessage?.contextInfo)
    await until(() => context().some((one) => one?.stanzaId === theirs.provider_id && one.participant === other.lid))
    const reactions = () => other.inbox.flatMap(({ message }) => message.reactionMessage ?? [])
    await until(() => reactions().some(({ text, key }) => text === '💐' && key?.participant === other.lid))
  })

  test('who writes is shown on both sides', async () => {
    const ticketId = await us.accept('5511988880201', product)
    const seen: string[] = []
    const stop = product.platform.bus.subscribe((_, changes) => {
      for (const { payload } of changes) {
        const { ticketId: of, state } = payload as { ticketId?: number; state?: string }
        if (of === ticketId && state) seen.push(state)
      }
    })
    // A phone shows it only to subscribers.
    const body = { state: 'recording' } as never
    await call(product, messages.typing, us.token, { params: { id: ticketId }, body })
    await until(() => contact.seen.some(({ what }) => what === 'composing'))
    await until(() =>
      server.received.some(({ node: { tag, attrs } }) => tag === 'presence' && attrs['to'] === contact.jid),
    )
    contact.shows(shop.jid, 'composing')
    await until(() => seen.includes('composing'))
    contact.shows(shop.jid, 'recording')
    await until(() => seen.includes('recording'))
    contact.shows(shop.jid, 'paused')
    await until(() => seen.includes('paused'))
    stop()
  })

  test('after an outage it is known how much came in, and how much of it is missing', async () => {
    const last = async () => {
      const reply = await call(product, connections.outages, us.token, { params: { id: us.id }, query: {} })
      return reply.body.outages[0]
    }
    const away = async (text: string) => {
      server.faults.logins.set(shop.account.number, '503')
      server.cut()
      await us.is('TIMEOUT', product)
      for (const end of ['um', 'dois']) await contact.text(shop.jid, `${text} ${end}`)
      server.faults.logins.clear()
      await us.message(`${text} dois`, product)
      await until(async () => (await last())?.recovered != null)
    }
    await away('Sem falta')
    expect(await last()).toMatchObject({ recovered: 2, missing: 0, endedAt: expect.any(Number) })
    server.faults.lostWhileAway = 3
    await away('Com falta')
    expect(await last()).toMatchObject({ recovered: 2, missing: 3 })
    server.faults.lostWhileAway = 0
  })

  test('a line that carries nothing any more, though nobody closed it, is known to be lost; a slow one is there', async () => {
    const proxy = await startTcpProxy(server.url)
    Object.assign(product.platform.env, { WHATSAPP_WEB_URL: proxy.through(server.url) })
    server.cut()
    await until(() => proxy.connections() > 0)
    await us.is('CONNECTED', product)
    const outages = () =>
      product.platform.db.read(us.tenantId, (db) => db.selectFrom('connection_outages').selectAll().execute())
    await pause(3000)
    const before = await outages()
    proxy.freeze()
    await us.is('TIMEOUT', product)
    await contact.text(shop.jid, 'Escrito no silêncio')
    proxy.resume()
    await us.message('Escrito no silêncio', product)

    proxy.delay(900)
    await pause(7000)
    await contact.text(shop.jid, 'Devagar se chega')
    await us.message('Devagar se chega', product)
    proxy.delay(0)
    expect(await outages()).toHaveLength(before.length + 1)
    Object.assign(product.platform.env, { WHATSAPP_WEB_URL: server.url })
    await proxy.close()
    await us.is('TIMEOUT', product)
    await us.is('CONNECTED', product)
  })

  test('whoever shows no number can be answered, and stays one contact and one conversation once it is known', async () => {
    const secret = await server.addPhone({ number: '5511988880203', name: 'Oculta', isHidden: true })
    await secret.text(shop.lid, 'Sem número')
    const ticketId = await us.accept(secret.lid, product)
    await us.reply(ticketId, 'Pois não', {}, product)
    await until(() => textsOf(secret).includes('Pois não'))
    // Addresses are merged by a job.
    const people = () =>
      product.platform.db.read(us.tenantId, (db) =>
        db.selectFrom('contacts').select('number').where('name', '=', 'Oculta').execute(),
      )
    expect(await people()).toEqual([{ number: null }])
    server.shareNumber(shop, secret)
    await until(async () => (await people()).every(({ number }) => number === '5511988880203'))
    Object.assign(secret.account, { isHidden: false })
    await secret.text(shop.lid, 'Agora com número')
    expect(await us.message('Agora com número', product)).toMatchObject({
      ...{ ticket_id: ticketId, conversation_key: '5511988880203' },
    })
    expect(await people()).toEqual([{ number: '5511988880203' }])
    await us.reply(ticketId, 'Obrigado', {}, product)
    await until(() => textsOf(secret).includes('Obrigado'))
  })
})
