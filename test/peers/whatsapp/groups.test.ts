import { Agent } from 'node:https'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Phone } from '#features/lab/server/whatsapp/phone.ts'
import { decryptFile, encryptFile } from '#features/lab/server/whatsapp/phone-media.ts'
import { startWhatsAppServer, type WhatsAppServer } from '#features/lab/server/whatsapp/server.ts'
import { until } from '#test/until.ts'
import { type Client, linkClient } from './client.ts'

describe('groups and files of the local WhatsApp', () => {
  let server: WhatsAppServer
  let company: Phone
  let first: Phone
  let second: Phone
  let client: Client
  beforeAll(async () => {
    server = await startWhatsAppServer()
    company = await server.addPhone({ number: '551130000003', name: 'Escola' })
    first = await server.addPhone({ number: '5511988880011', name: 'Bruno' })
    second = await server.addPhone({ number: '5511988880012', name: 'Célia' })
    client = await linkClient(server, company, { fetchAgent: new Agent({ ca: server.ca }) })
  })
  afterAll(async () => {
    await client.close()
    await server.close()
  })

  const received = (id: string) => {
    const find = () => client.messages.find((one) => one.key.id === id && one.message)
    return until(() => find() !== undefined).then(() => find()!)
  }

  test('a group: its name and members, what is written by each, and what changes', async () => {
    const changes: string[] = []
    client.socket.ev.on('group-participants.update', ({ action }) => void changes.push(action))
    const jid = server.createGroup(first, 'Turma 5B', [company, second])
    const id = await first.text(jid, 'Reunião às 19h')
    expect((await received(id)).key).toMatchObject({
      remoteJid: jid,
      participant: first.lid,
      participantAlt: first.jid,
      fromMe: false,
    })
    const next = await first.text(jid, 'Na biblioteca')
    expect((await received(next)).message?.conversation).toBe('Na biblioteca')
    const sent = (await client.socket.sendMessage(jid, { text: 'Combinado @todos', mentionAll: true }))!.key.id!
    for (const phone of [first, second, company]) await until(() => phone.inbox.some((one) => one.id === sent))
    const meta = await client.socket.groupMetadata(jid)
    expect(meta).toMatchObject({ subject: 'Turma 5B', addressingMode: 'lid', owner: first.lid })
    expect(meta.participants.map((one) => one.phoneNumber)).toEqual([first.jid, company.jid, second.jid])
    server.changeMembers(first, jid, 'remove', [second])
    await until(() => changes.includes('remove'))
    server.renameGroup(first, jid, 'Turma 6B')
    expect((await client.socket.groupMetadata(jid)).subject).toBe('Turma 6B')
    const alone = (await client.socket.sendMessage(jid, { text: 'Só nós' }))!.key.id!
    await until(() => first.inbox.some((one) => one.id === alone))
    expect(second.inbox.some((one) => one.id === alone)).toBe(false)
  })

  test('files both ways, encrypted; one that was there too long is gone', async () => {
    const bytes = Buffer.from('um retrato em poucas letras')
    const id = (await client.socket.sendMessage(first.jid, {
      document: bytes,
      mimetype: 'application/pdf',
      fileName: 'nota.pdf',
    }))!.key.id!
    await until(() => first.inbox.some((one) => one.id === id))
    const document = first.inbox.find((one) => one.id === id)!.message.documentMessage!
    expect(document).toMatchObject({ fileName: 'nota.pdf', mimetype: 'application/pdf' })
    const stored = server.media.get(new URL(document.url!).pathname)!
    expect(stored.includes(bytes)).toBe(false)
    expect((await decryptFile(stored, document, 'document')).equals(bytes)).toBe(true)

    const { encrypted, about } = await encryptFile(bytes, 'image')
    const path = server.media.put(encrypted)
    const image = { ...about, url: server.media.urlOf(path), directPath: path, mimetype: 'image/jpeg' }
    const sent = await first.send(company.jid, { imageMessage: image })
    expect((await received(sent)).message?.imageMessage).toMatchObject({ url: image.url, mimetype: 'image/jpeg' })
    server.media.corrupt(path)
    await expect(decryptFile(server.media.get(path)!, about, 'image')).rejects.toThrow('signature')
    server.media.expire(path)
    expect(server.media.get(path)).toBeUndefined()
  })
})
