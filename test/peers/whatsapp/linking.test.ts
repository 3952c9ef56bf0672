import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Phone } from '#features/lab/server/whatsapp/phone.ts'
import { startWhatsAppServer, type WhatsAppServer } from '#features/lab/server/whatsapp/server.ts'
import { until } from '#test/until.ts'
import { type Client, linkClient, openClient } from './client.ts'

describe('a device is linked to the local WhatsApp', () => {
  let server: WhatsAppServer
  let company: Phone
  let contact: Phone
  beforeAll(async () => {
    server = await startWhatsAppServer()
    company = await server.addPhone({ number: '551130000001', name: 'Padaria' })
    contact = await server.addPhone({ number: '5511988880001', name: 'Otávio' })
    company.saved.set(contact.jid, [{ id: 'ANTES1', fromMe: false, body: 'Bom dia', timestamp: 1_759_000_000 }])
  })
  afterAll(() => server.close())

  /** Whatever is linked is unlinked again, so that each test begins with a phone alone. */
  const leave = async (client: Client) => {
    server.unlink(company)
    await client.closed
  }

  test('by QR: it is started anew with its own address, and given numbers, names and what was said before', async () => {
    const first = openClient(server)
    await until(() => first.codes.length > 0)
    await expect(company.scan('https://wa.me/settings/linked_devices#2@nichts,a,b,c,1')).rejects.toThrow('nobody')
    const device = await company.scan(first.codes[0]!)
    expect(await first.closed).toBe(515)
    const client = openClient(server, first.store)
    await client.open()
    expect(client.socket.user).toMatchObject({
      id: `551130000001:${device.id}@s.whatsapp.net`,
      lid: `${company.account.lid}:${device.id}@lid`,
      name: 'Padaria',
    })
    await until(() => client.history.length > 0 && client.names.size > 1)
    expect(client.history[0]).toMatchObject({
      key: { id: 'ANTES1', fromMe: false },
      message: { conversation: 'Bom dia' },
    })
    expect(client.names.get(contact.jid)).toBe('Otávio')
    expect(await client.socket.signalRepository.lidMapping.getPNForLID(contact.lid)).toContain('5511988880001')
    await leave(client)
  })

  test('by a code of eight characters; with another one it is not', async () => {
    const first = openClient(server)
    await until(() => first.codes.length > 0)
    const code = await first.socket.requestPairingCode('551130000001')
    await until(() => server.isAskedForCode(company))
    await expect(contact.enterCode(code)).rejects.toThrow('nobody waits')
    await company.enterCode(code)
    expect(await first.closed).toBe(515)
    const client = openClient(server, first.store)
    await client.open()
    await leave(client)

    const other = openClient(server)
    await until(() => other.codes.length > 0)
    const shown = await other.socket.requestPairingCode('551130000001')
    await until(() => server.isAskedForCode(company))
    await expect(company.enterCode(shown === 'AAAAAAAA' ? 'BBBBBBBB' : 'AAAAAAAA')).rejects.toThrow()
    expect(server.linkedTo(company)).toEqual([])
    await other.close()
  })

  test.each([
    ['another root', '07'.repeat(32)],
    ["WhatsApp's own", ''],
  ])('a client that trusts %s does not finish its handshake, whoever else in its process does', async (_, root) => {
    const other = openClient(server)
    await until(() => other.codes.length > 0)
    const client = openClient(server, new Map(), {}, root)
    expect(await client.closed).toBe(400)
    expect(client.codes).toEqual([])
    await other.close()
  })

  test('it is unlinked by the phone, or leaves by itself; then its keys open nothing', async () => {
    const client = await linkClient(server, company)
    server.unlink(company)
    expect(await client.closed).toBe(401)
    expect(await openClient(server, client.store).closed).toBe(401)

    const second = await linkClient(server, company)
    await second.socket.logout()
    await until(() => server.linkedTo(company).length === 0)
    expect(await openClient(server, second.store).closed).toBe(401)
  })

  test('errors of the stream and of the login end it with their codes, and it comes back', async () => {
    let client = await linkClient(server, company)
    for (const code of [411, 503, 515]) {
      server.end(company, code)
      expect(await client.closed).toBe(code)
      client = openClient(server, client.store)
      await client.open()
    }
    const twin = openClient(server, client.store)
    await twin.open()
    expect(await client.closed).toBe(440)
    server.faults.logins.set(company.account.number, '403')
    server.cut()
    expect(await twin.closed).toBe(428)
    const refused = openClient(server, twin.store)
    expect(await refused.closed).toBe(403)
    server.faults.logins.clear()
    const back = openClient(server, twin.store)
    await back.open()
    await leave(back)
  })
})
