import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { messages } from '#features/messages/contract.ts'
import { call } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type LinkedCompany, linkedCompany } from '#test/whatsapp-company.ts'

describe('a number that is linked', () => {
  let { server, open, product, shop, contact, us } = {} as LinkedCompany
  /** Point at which a commit is interrupted, and number of commits that pass it before. */
  let cut: { at: string; after: number } | null = null
  /** Minimum duration of each commit, in ms. */
  let slowness = 0
  const checkpoint = async (name: string) => {
    if (name === 'before emit commit' && slowness > 0) await pause(slowness)
    if (name !== cut?.at || cut.after-- > 0) return
    cut = null
    throw new Error('cut off')
  }
  beforeAll(async () => {
    const names = {
      shop: { number: '551130000101', name: 'Livraria' },
      contact: { number: '5511988880101', name: 'Otávio' },
    }
    ;({ server, open, product, shop, contact, us } = await linkedCompany(names, { checkpoint }))
  })
  afterAll(async () => {
    await product.close()
    await server.close()
  })

  const arrived = (text: string) =>
    contact.inbox.filter(({ message }) => (message.conversation ?? message.extendedTextMessage?.text) === text)

  test('is known by its number; its keys are stored encrypted', async () => {
    expect((await us.row()).number).toBe('551130000101')
    const state = await product.platform.db.read(us.tenantId, (db) =>
      db.selectFrom('connection_state').select(['name', 'value']).execute(),
    )
    expect(state.map(({ name }) => name)).toContain('creds')
    for (const { value } of state) expect(value).toMatch(/^[0-9a-f]{8}\.[\w-]{40,}$/)
  })

  test('carries texts both ways, with ticks, and what was written on the phone itself', async () => {
    await contact.text(shop.jid, 'Tem o novo do Itamar?')
    const ticketId = await us.accept('5511988880101')
    expect(await us.message('Tem o novo do Itamar?')).toMatchObject({ from_me: false, media_type: 'text' })
    await us.reply(ticketId, 'Temos, sim')
    await until(() => arrived('Temos, sim').length === 1)
    const status = async (text: string) => (await us.message(text)).status
    await until(async () => (await status('Temos, sim')) === 'delivered')
    contact.confirm(arrived('Temos, sim')[0]!.id, 'read')
    await until(async () => (await status('Temos, sim')) === 'read')
    await shop.text(contact.jid, 'Do balcão')
    expect(await us.message('Do balcão')).toMatchObject({ from_me: true })

    const quoted = await us.message('Tem o novo do Itamar?')
    await us.reply(ticketId, 'Este aqui?', { quotedMsgId: quoted.id })
    await until(() => arrived('Este aqui?').length === 1)
    expect(arrived('Este aqui?')[0]!.message.extendedTextMessage!.contextInfo).toMatchObject({
      stanzaId: quoted.provider_id,
      quotedMessage: { conversation: 'Tem o novo do Itamar?' },
    })
  })

  test('reacts, edits and takes back, from both sides', async () => {
    const ticketId = await us.accept('5511988880101')
    const theirs = await us.message('Tem o novo do Itamar?')
    await call(product, messages.react, us.token, { body: { messageId: theirs.id, ticketId, reaction: '📚' } })
    await until(() => contact.inbox.some(({ message }) => message.reactionMessage?.text === '📚'))
    const ours = await us.message('Temos, sim')
    await call(product, messages.edit, us.token, { body: { messageId: ours.id, body: 'Temos dois' } })
    await until(() => contact.inbox.some(({ message }) => message.protocolMessage?.editedMessage))
    await call(product, messages.remove, us.token, { body: { id: ours.id } })
    await until(() =>
      contact.inbox.some(
        ({ message: { protocolMessage: done } }) => done?.type === 0 && done.key?.id === ours.provider_id,
      ),
    )

    const key = { remoteJid: shop.jid, fromMe: true, id: theirs.provider_id! }
    await contact.send(shop.jid, {
      protocolMessage: { type: 14, key, editedMessage: { conversation: 'Tem o de 2026?' } },
    })
    await us.message('Tem o de 2026?')

    // Also acts on the phone itself.
    const own = async (text: string) => (await us.ledger()).find(({ body }) => body === text)!
    const counter = await own('Do balcão')
    const mine = { remoteJid: contact.jid, fromMe: true, id: counter.provider_id! }
    await shop.send(contact.jid, {
      reactionMessage: { key: { ...key, fromMe: false }, text: '💡', senderTimestampMs: Date.now() },
    })
    await until(async () => (await own('Tem o de 2026?')).reaction_from_me === '💡')
    await shop.send(contact.jid, {
      protocolMessage: { type: 14, key: mine, editedMessage: { conversation: 'Do balcão, sim' } },
    })
    await us.message('Do balcão, sim')
    await shop.send(contact.jid, { protocolMessage: { type: 0, key: mine } })
    await until(async () => (await own('Do balcão, sim')).is_deleted)

    await contact.send(shop.jid, { protocolMessage: { type: 0, key } })
    await until(async () => (await us.ledger()).some(({ id, is_deleted }) => id === theirs.id && is_deleted))
  })

  test('goes on after a restart with the stored keys; what came meanwhile is there once and in order', async () => {
    await product.close()
    for (const text of ['um', 'dois', 'três']) await contact.text(shop.jid, text)
    product = await open()
    await us.message('três', product)
    const texts = (await us.ledger(product)).map(({ body }) => body)
    expect(texts.filter((text) => ['um', 'dois', 'três'].includes(text))).toEqual(['um', 'dois', 'três'])
    const ticketId = await us.accept('5511988880101', product)
    await us.reply(ticketId, 'Voltamos', {}, product)
    await until(() => arrived('Voltamos').length === 1)
    expect(contact.counts).toEqual({ repeated: 0, unreadable: 0 })
  })

  test('what comes while it catches up stands behind what came before', async () => {
    await product.close()
    const texts = Array.from({ length: 12 }, (_, n) => `Em fila ${String(n).padStart(2, '0')}`)
    for (const text of texts.slice(0, 8)) await contact.text(shop.jid, text)
    slowness = 60
    product = await open()
    await us.message(texts[0]!, product)
    // Sending starts a new session while messages of the older one still arrive.
    const ticketId = await us.accept('5511988880101', product)
    await us.reply(ticketId, 'Já vemos', {}, product)
    for (const text of texts.slice(8)) await contact.text(shop.jid, text)
    await us.message(texts[11]!, product)
    slowness = 0
    const ledger = (await us.ledger(product)).map(({ body }) => body)
    expect(ledger.filter((text) => texts.includes(text))).toEqual(texts)
    await us.reply(ticketId, 'Vimos tudo', {}, product)
    await until(() => arrived('Vimos tudo').length === 1)
    expect(contact.counts).toEqual({ repeated: 0, unreadable: 0 })
  })

  test('what was written is sent when the server says that it has it, and not before', async () => {
    const ticketId = await us.accept('5511988880101', product)
    contact.disconnect()
    server.faults.acks = 'withheld'
    await us.reply(ticketId, 'Já foi?', {}, product)
    const { id } = await us.message('Já foi?', product)
    const idAt = async () => (await us.ledger(product)).find((one) => one.id === id)!
    const { waiting } = contact.account.devices.get(0)!
    await until(() => waiting.some(({ node }) => node.tag === 'message'))
    // Another message passes completely meanwhile.
    await shop.text(contact.jid, 'Do balcão outra vez')
    await us.message('Do balcão outra vez', product)
    expect((await idAt()).status).not.toBe('sent')
    server.faults.acks = 'given'
    server.releaseAcks()
    await until(async () => (await idAt()).status === 'sent')
    contact.connect()
    await until(async () => (await idAt()).status === 'delivered')
  })

  test('whoever could not read something is answered as often as they ask, and their question acknowledged then', async () => {
    const device = server.linkedTo(shop)[0]!
    const questions = () => device.waiting.filter(({ node }) => node.attrs['type'] === 'retry').length
    const ticketId = await us.accept('5511988880101', product)
    contact.disconnect()
    await us.reply(ticketId, 'Chegou inteiro?', {}, product)
    await until(async () => (await us.message('Chegou inteiro?', product)).status === 'sent')
    contact.forgetSessions()
    contact.memory.forgets = 3
    server.faults.acks = 'lost'
    contact.connect()
    await until(() => arrived('Chegou inteiro?').length === 1)
    await product.close()
    expect(contact.counts.unreadable).toBe(4)
    expect(questions()).toBe(4)
    server.faults.acks = 'given'
    product = await open()
    await until(() => questions() === 0)
    expect(arrived('Chegou inteiro?')).toHaveLength(1)
    Object.assign(contact.counts, { repeated: 0, unreadable: 0 })
  })

  test('an answer that the server refuses is given again; its question waits', async () => {
    const ticketId = await us.accept('5511988880101', product)
    contact.disconnect()
    await us.reply(ticketId, 'E este?', {}, product)
    await until(async () => (await us.message('E este?', product)).status === 'sent')
    const { provider_id: id } = await us.message('E este?', product)
    const sendings = () => server.received.filter(({ node: { tag, attrs } }) => tag === 'message' && attrs['id'] === id)
    contact.forgetSessions()
    server.faults.refused.set('5511988880101', '479')
    contact.connect()
    await until(() => sendings().length === 3)
    server.faults.refused.clear()
    await until(() => arrived('E este?').length === 1)
    Object.assign(contact.counts, { repeated: 0, unreadable: 0 })
  })

  test('a tick whose commit is cut off comes again', async () => {
    contact.disconnect()
    const ticketId = await us.accept('5511988880101', product)
    await us.reply(ticketId, 'Chegou?', {}, product)
    const status = async () => (await us.message('Chegou?', product)).status
    await until(async () => (await status()) === 'sent')
    await until(() => server.linkedTo(shop)[0]!.waiting.length === 0)
    cut = { at: 'before emit commit', after: 0 }
    contact.connect()
    await until(() => cut === null)
    await until(async () => (await status()) === 'delivered')
  })

  test.each([
    ['before emit commit', 0],
    ['before emit commit', 1],
    ['emit committed', 0],
  ] as const)('loses and doubles nothing that is cut off: %s, after %i', async (point, after) => {
    const [device] = server.linkedTo(shop)
    const waiting = () => device!.waiting.filter(({ node }) => node.tag === 'message')
    await until(() => waiting().length === 0)
    // No other incoming event may be interrupted in its place.
    await until(async () => (await us.message('Voltamos', product)).status === 'delivered')
    const before = device!.counts.repeated
    cut = { at: point, after }
    const name = `Cortada: ${point} ${after}`
    await contact.text(shop.jid, name)
    await us.message(name, product)
    // An interrupted connection is reopened after some seconds.
    await until(() => waiting().length === 0)
    await contact.text(shop.jid, `Depois: ${point} ${after}`)
    await us.message(`Depois: ${point} ${after}`, product)
    expect((await us.ledger(product)).filter(({ body }) => body === name)).toHaveLength(1)
    // It was not acknowledged, so it was delivered again.
    expect(device!.counts.repeated).toBeGreaterThan(before)
    // A stored message cannot be decrypted again: its sender gets a retry request, and it is recognized by its id.
    const retries = () =>
      server.received.filter(({ node: { tag, attrs } }) => tag === 'receipt' && attrs['type'] === 'retry')
    const asked = point === 'emit committed' ? 1 : 0
    // The retry request may be sent after the acknowledgement.
    await until(() => retries().length >= asked)
    expect(retries()).toHaveLength(asked)
  })

  test('is told when its phone unlinks it, and begins with a new code', async () => {
    server.unlink(shop)
    await us.is('DISCONNECTED', product)
    expect(await us.row(product)).toMatchObject({ cause: 'unlinked' })
    await us.start(product)
    await until(async () => (await us.row(product)).qrcode !== null)
    await shop.scan((await us.row(product)).qrcode!)
    await us.is('CONNECTED', product)
    await contact.text(shop.jid, 'Ainda estão aí?')
    await us.message('Ainda estão aí?', product)
  })

  test('what comes while a new code waits to be read is there once it was', async () => {
    await call(product, connections.renew, us.token, { params: { id: us.id } })
    await until(async () => (await us.row(product)).qrcode !== null)
    const before = shop.inbox.length
    const body = 'Entre dois códigos'
    const id = await contact.text(shop.jid, body)
    await until(() => shop.inbox.length > before)
    // The phone has it, and brings it to the device linked next.
    shop.saved.set(contact.jid, [{ id, fromMe: false, body, timestamp: Math.ceil(Date.now() / 1000) }])
    await shop.scan((await us.row(product)).qrcode!)
    await us.is('CONNECTED', product)
    await us.message(body, product)
    expect((await us.ledger(product)).filter((one) => one.body === body)).toHaveLength(1)
    shop.saved.clear()
  })

  test.each([
    [403, 'banned', true],
    [411, 'mismatch', false],
  ] as const)('waits for a person at %i, as %s; keys are kept: %s', async (code, cause, isKept) => {
    const keys = () =>
      product.platform.db.read(us.tenantId, (db) => db.selectFrom('connection_state').select('name').execute())
    server.end(shop, code)
    await us.is('DISCONNECTED', product)
    expect(await us.row(product)).toMatchObject({ cause })
    expect((await keys()).length > 0).toBe(isKept)
    await us.start(product)
    if (!isKept) {
      await until(async () => (await us.row(product)).qrcode !== null)
      await shop.scan((await us.row(product)).qrcode!)
    }
    await us.is('CONNECTED', product)
    await contact.text(shop.jid, `Depois de ${code}`)
    await us.message(`Depois de ${code}`, product)
  })

  // First connection loss since a person started it.
  test('a server that turns everybody away is asked ever more rarely', async () => {
    server.faults.turnsAway = true
    const before = server.visitors.length
    server.cut()
    await pause(8000)
    server.faults.turnsAway = false
    // After one, two and four seconds.
    expect(server.visitors.length - before).toSatisfy((tries: number) => tries >= 2 && tries <= 4)
    await us.is('CONNECTED', product)
  })
})
