import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMail } from '#providers/channels/webmail/read-mail.ts'
import { toMp4, toVoice } from '#server/media/convert.ts'
import { smallPicture } from '#server/media/small-picture.ts'
import { makeSticker } from '#server/media/sticker.ts'
import { importsBy } from '#test/contact-imports.ts'
import { make } from '#test/make.ts'
import { testChannel } from '#test/peers/channel.ts'
import { withProduct } from '#test/server.ts'
import { webchatOn } from '#test/webchat.ts'
import type { Hostile } from './hostile-files.ts'

/** A sentence that a person can read. */
const SENTENCE = /^[A-ZÀ-Ú“].{8,}[.!?]$/s

/**
 * Sends each file as a user or a customer would: it must be stored unchanged or refused with a message, and the product must
 * continue.
 */
export function attackWith(files: {
  attachments: readonly Hostile[]
  imports: readonly Hostile[]
  mails: readonly Hostile[]
}): void {
  const product = withProduct()
  const { company, visit } = webchatOn(product)
  const folder = mkdtempSync(join(tmpdir(), 'guiche-hostile-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  let visitor: string
  let admin: string
  let ticketId: number
  const { send, ended } = importsBy(product, () => admin)

  beforeAll(async () => {
    const { channel, tenantId, admin: person, token } = await company()
    const made = make(product().platform)
    testChannel(product().platform)
    const connection_id = await made.connection(tenantId, { type: 'test' })
    ticketId = await made.ticket(tenantId, { connection_id, channel: 'test', user_id: person.id })
    visitor = await visit(channel)
    admin = token
  })

  async function attach(path: string, field: string, token: string, name: string, bytes: Buffer) {
    const form = new FormData()
    form.append('idFront', randomUUID())
    form.append(field, new Blob([bytes as BlobPart]), name)
    const headers = { authorization: `Bearer ${token}` }
    const reply = await fetch(`${product().address}/api/${path}`, { method: 'POST', headers, body: form })
    return { status: reply.status, body: (await reply.json()) as { message?: string } }
  }
  const answers = async () => expect((await fetch(`${product().address}/health`)).status).toBe(200)

  describe('an attachment', () => {
    it.each(files.attachments)('$name', { timeout: 300_000 }, async ({ name, mime, make: bytesOf }) => {
      const bytes = Buffer.from((await bytesOf()) as Buffer)
      for (const reply of [
        await attach(`messages/${ticketId}`, 'medias', admin, name, bytes),
        await attach('webchat/upload', 'file', visitor, name, bytes),
      ]) {
        expect([200, 413, 415]).toContain(reply.status)
        if (reply.status !== 200) expect(reply.body.message).toMatch(SENTENCE)
      }
      const [from, to] = [join(folder, name), join(folder, `${name}.made`)]
      writeFileSync(from, bytes)
      // Conversions of files: each is done, or refused, in a separate thread and time limit.
      const made = /^(audio|video)/.test(mime)
        ? [toVoice(null, { mime, from, to }), toMp4(null, { mime, from, to })]
        : [smallPicture(bytes, 64), makeSticker(from, to)]
      expect((await Promise.allSettled(made)).length).toBe(2)
      await answers()
    })
  })

  describe('an import', () => {
    it.each(files.imports)('$name', { timeout: 300_000 }, async ({ name, make: bytesOf }) => {
      const { status, body } = await send(Buffer.from((await bytesOf()) as Buffer), { dryRun: true }, name)
      expect([200, 413, 415]).toContain(status)
      if (status === 200) {
        const { status: end, problem } = await ended(body.id)
        expect(['done', 'failed']).toContain(end)
        if (end === 'failed') expect(problem).toMatch(SENTENCE)
      }
      await answers()
    })
  })

  describe('a mail', () => {
    it.each(files.mails)('$name', { timeout: 300_000 }, async ({ make: bytesOf }) => {
      const mail = await readMail(Buffer.from((await bytesOf()) as Buffer), { receivedAt: 0, own: ['b@x.example'] })
      expect(mail.text.length).toBeLessThanOrEqual(60_000)
      await answers()
    })
  })
}
