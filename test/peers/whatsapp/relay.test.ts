import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { type WAMessage, WAMessageStatus } from 'baileys'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Phone } from '#features/lab/server/whatsapp/phone.ts'
import { startWhatsAppServer, type WhatsAppServer } from '#features/lab/server/whatsapp/server.ts'
import { until } from '#test/until.ts'
import { type Client, linkClient, openClient } from './client.ts'

const textOf = ({ message }: Pick<WAMessage, 'message'>) =>
  message?.conversation ?? message?.extendedTextMessage?.text ?? undefined

describe('the local WhatsApp relays', () => {
  let server: WhatsAppServer
  let company: Phone
  let contact: Phone
  let client: Client
  beforeAll(async () => {
    server = await startWhatsAppServer()
    company = await server.addPhone({ number: '551130000002', name: 'Oficina' })
    contact = await server.addPhone({ number: '5511988880002', name: 'Nádia' })
    client = await linkClient(server, company)
  })
  afterAll(async () => {
    await client.close()
    await server.close()
  })

  const texts = () => client.messages.map(textOf)
  const received = (text: string) => until(() => texts().includes(text))
  const arrived = (phone: Phone, text: string) => phone.inbox.filter((one) => textOf(one) === text)
  const device = () => server.linkedTo(company)[0]!
  const waiting = () => device().waiting.filter(({ node }) => node.tag === 'message')
  const reopen = async () => {
    client = openClient(server, client.store)
    await client.open()
  }

  test('texts both ways, with the copies of one’s own phone, ticks, and who writes by number and LID', async () => {
    const id = await contact.text(company.jid, 'Vocês entregam?')
    await received('Vocês entregam?')
    const [message] = client.messages.filter((one) => one.key.id === id)
    expect(message).toMatchObject({
      key: { remoteJid: contact.jid, remoteJidAlt: contact.lid, fromMe: false },
      pushName: 'Nádia',
    })
    await until(() => contact.receipts.some((one) => one.id === id && one.type === 'delivered'))
    expect(arrived(company, 'Vocês entregam?')).toHaveLength(1)
    await client.socket.readMessages([message!.key])
    await until(() => contact.receipts.some((one) => one.id === id && one.type === 'read'))

    const sent = (await client.socket.sendMessage(contact.jid, { text: 'Sim, até as 18h.' }))!.key.id!
    await until(() => client.acks.some((one) => one.id === sent && !one.error))
    await until(() => arrived(contact, 'Sim, até as 18h.').length === 1)
    expect(arrived(contact, 'Sim, até as 18h.')[0]).toMatchObject({ id: sent, chat: company.jid, fromMe: false })
    await until(() => arrived(company, 'Sim, até as 18h.').length === 1)
    expect(arrived(company, 'Sim, até as 18h.')[0]).toMatchObject({ chat: contact.jid, fromMe: true })
    // A tick that comes before the message was shown comes with it.
    const is = (status: number) =>
      client.updates.some((one) => one.key.id === sent && one.update.status === status) ||
      client.messages.some((one) => one.key.id === sent && one.status === status)
    await until(() => is(WAMessageStatus.DELIVERY_ACK))
    contact.confirm(sent, 'read')
    await until(() => is(WAMessageStatus.READ))

    const echo = await company.text(contact.jid, 'Escrito no telefone')
    await received('Escrito no telefone')
    expect(client.messages.find((one) => one.key.id === echo)?.key).toMatchObject({
      remoteJid: contact.jid,
      fromMe: true,
    })
    await until(() => waiting().length === 0)
  })

  test('what came while it was away, in its order and once; with the stored keys both ways go on', async () => {
    await client.close()
    for (const text of ['um', 'dois', 'três']) await contact.text(company.jid, text)
    expect(waiting()).toHaveLength(3)
    await reopen()
    await received('três')
    expect(texts()).toEqual(['um', 'dois', 'três'])
    await until(() => waiting().length === 0)
    await client.socket.sendMessage(contact.jid, { text: 'De volta' })
    await until(() => arrived(contact, 'De volta').length === 1)
    await contact.text(company.jid, 'Que bom')
    await received('Que bom')
    await until(() => waiting().length === 0)
    expect(contact.counts).toEqual({ repeated: 0, unreadable: 0 })
  })

  test('what was not acknowledged another time; what cannot be read any more is encrypted anew', async () => {
    const before = device().counts.repeated
    client.socket.ws.on('CB:message', () => server.cut())
    await contact.text(company.jid, 'Sem recibo')
    await client.closed
    expect(waiting()).toHaveLength(1)
    await reopen()
    await received('Sem recibo')
    await until(() => waiting().length === 0)
    expect(device().counts.repeated).toBeGreaterThan(before)

    // Without its sessions it cannot decrypt messages for them.
    await client.close()
    for (const name of [...client.store.keys()]) if (name.startsWith('session')) client.store.delete(name)
    await reopen()
    await contact.text(company.jid, 'Lida na segunda vez')
    await received('Lida na segunda vez')
    expect(server.received.some(({ node }) => node.tag === 'receipt' && node.attrs['type'] === 'retry')).toBe(true)
  })

  test('acks when they are to come; a message without one is repeated under its id, and stands there once', async () => {
    server.faults.acks = 'withheld'
    const first = (await client.socket.sendMessage(contact.jid, { text: 'Espera' }))!.key.id!
    await until(() => arrived(contact, 'Espera').length === 1)
    expect(client.acks.some(({ id }) => id === first)).toBe(false)
    server.releaseAcks()
    await until(() => client.acks.some(({ id }) => id === first))

    server.faults.acks = 'lost'
    const lost = (await client.socket.sendMessage(contact.jid, { text: 'Perdido' }))!.key.id!
    await until(() => arrived(contact, 'Perdido').length === 1)
    server.faults.acks = 'given'
    await client.socket.sendMessage(contact.jid, { text: 'Perdido' }, { messageId: lost })
    await until(() => client.acks.some(({ id }) => id === lost))
    await until(() => contact.counts.repeated === 1)
    expect(arrived(contact, 'Perdido')).toHaveLength(1)

    server.faults.refused.set(contact.account.number, '463')
    const refused = (await client.socket.sendMessage(contact.jid, { text: 'Não pode' }))!.key.id!
    await until(() => client.acks.some(({ id, error }) => id === refused && error === '463'))
    server.faults.refused.clear()
    expect(arrived(contact, 'Não pode')).toEqual([])
  })

  test('reactions, edits and what is taken back, from both sides', async () => {
    const id = await contact.text(company.jid, 'Meia duzia')
    await received('Meia duzia')
    await client.socket.sendMessage(contact.jid, {
      react: { text: '👍', key: { remoteJid: contact.jid, id, fromMe: false } },
    })
    await until(() => contact.inbox.some(({ message }) => message.reactionMessage?.key?.id === id))
    // A copy: the library writes into what it has given away.
    const own = { ...(await client.socket.sendMessage(contact.jid, { text: 'Seis pães' }))!.key }
    await client.socket.sendMessage(contact.jid, { edit: own, text: 'Sete pães' })
    await until(() => contact.inbox.some(({ message }) => message.protocolMessage?.editedMessage))
    await client.socket.sendMessage(contact.jid, { delete: own })
    await until(() => contact.inbox.filter(({ message }) => message.protocolMessage?.key?.id === own.id).length === 2)

    const key = { remoteJid: company.jid, fromMe: true, id }
    await contact.send(company.jid, {
      protocolMessage: { type: 14, key, editedMessage: { conversation: 'Meia dúzia' } },
    })
    await until(() => client.updates.some((one) => one.key.id === id && one.update.message?.editedMessage))
    await contact.send(company.jid, { protocolMessage: { type: 0, key } })
    await until(() => client.updates.some((one) => one.key.id === id && one.update.message === null))
  })

  test('who writes, who calls and is refused, who is there, who has WhatsApp, and a picture', async () => {
    await client.socket.sendPresenceUpdate('composing', contact.jid)
    await until(() => contact.seen.some(({ what }) => what === 'composing'))
    const shown: string[] = []
    client.socket.ev.on('presence.update', ({ presences }) =>
      shown.push(...Object.values(presences).map((one) => one.lastKnownPresence)),
    )
    contact.shows(company.jid, 'recording')
    await until(() => shown.includes('recording'))
    const call = new Promise<{ id: string; from: string }>((resolve) =>
      client.socket.ev.on('call', ([one]) => resolve(one!)),
    )
    contact.ring(company.jid)
    const { id, from } = await call
    await client.socket.rejectCall(id, from)
    await until(() => contact.seen.some(({ what }) => what === 'reject'))
    expect(await client.socket.onWhatsApp('5511988880002', '5511900000000')).toEqual([
      { jid: contact.jid, exists: true },
    ])
    const seen = await server.addPhone({ number: '5511988880003', name: 'Íris', picture: Buffer.from('retrato') })
    expect(await client.socket.profilePictureUrl(seen.jid)).toContain(server.media.hostname)
    await expect(client.socket.profilePictureUrl(contact.jid)).rejects.toThrow('item-not-found')
  })

  test('somebody who shows no number: by the LID alone, both ways', async () => {
    const hidden = await server.addPhone({ number: '5511988880004', name: 'Anônima', isHidden: true })
    await hidden.text(company.lid, 'Quem sou eu?')
    await received('Quem sou eu?')
    const { key } = client.messages.find((one) => textOf(one) === 'Quem sou eu?')!
    expect(key).toMatchObject({ remoteJid: hidden.lid })
    expect(key.remoteJidAlt).toBeUndefined()
    await client.socket.sendMessage(hidden.lid, { text: 'Não sei' })
    await until(() => arrived(hidden, 'Não sei').length === 1)
  })

  test.each(['//', '/mms/image/%', '/nada'])('the host of files refuses %s and goes on', async (path) => {
    const { hostname, auth } = server.media
    const asked = request(`https://${hostname}`, {
      path: `${path}?auth=${auth}`,
      method: 'POST',
      rejectUnauthorized: false,
    }).end('bytes')
    const [response]: [IncomingMessage] = (await once(asked, 'response')) as never
    expect(response.statusCode).toBe(400)
    response.resume()
  })
})
