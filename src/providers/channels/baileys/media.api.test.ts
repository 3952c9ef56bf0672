import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type RemoteData, remoteOf } from '#domain/messages/data.ts'
import type { Phone } from '#features/lab/server/whatsapp/phone.ts'
import { filePart, uploadFile } from '#features/lab/server/whatsapp/phone-media.ts'
import { startWhatsAppServer, type WhatsAppServer } from '#features/lab/server/whatsapp/server.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { downloadJob } from '#features/ledger/server/media/download.ts'
import { messages } from '#features/messages/contract.ts'
import { make } from '#test/make.ts'
import { call, createDatabase, type Product, startProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { whatsappCompany, whatsappEnvironment } from '#test/whatsapp-company.ts'

describe('files of a linked number', () => {
  let server: WhatsAppServer
  let product: Product
  let owner: pg.Client
  let shop: Phone
  let contact: Phone
  let us: Awaited<ReturnType<typeof whatsappCompany>>
  let picture: Buffer
  let count = 0
  /** Points at which work is interrupted, each once. */
  const cuts = new Set<string>()
  /** Meeting point of workers that have downloaded the same file. */
  let meeting: { here: number; all: PromiseWithResolvers<void> } | null = null
  const checkpoint = async (name: string) => {
    if (cuts.delete(name)) throw new Error('cut off')
    if (name !== 'media downloaded' || !meeting) return
    if (++meeting.here === 2) meeting.all.resolve()
    await meeting.all.promise
  }
  beforeAll(async () => {
    server = await startWhatsAppServer()
    const database = await createDatabase()
    product = await startProduct({ env: whatsappEnvironment(server), checkpoint }, database)
    owner = new pg.Client({ connectionString: product.ownerUrl })
    await owner.connect()
    shop = await server.addPhone({ number: '551130000301', name: 'Ótica' })
    contact = await server.addPhone({ number: '5511988880301', name: 'Nádia' })
    us = await whatsappCompany(product, shop)
    await us.link()
  })
  afterAll(async () => {
    await owner.end()
    await product.close()
    await server.close()
  })
  beforeEach(async () => {
    shop.memory.keepsFiles = true
    // Different content each time, so that files are distinguishable.
    const background = { r: (++count * 20) % 256, g: 90, b: 30 }
    picture = await sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .jpeg()
      .toBuffer()
  })

  const text = () => `Receita ${count}`
  const message = () => us.message(text())
  const remote = async (): Promise<RemoteData['remote'] | null> => remoteOf((await message()).data)
  const isIn = (state: RemoteData['remote']['state']) => until(async () => (await remote())?.state === state)
  const arrives = () => until(async () => (await message()).file_id !== null)
  const stored = async (bytes: Uint8Array = picture) =>
    (await owner.query('select id from files where sha256 = $1', [createHash('sha256').update(bytes).digest('hex')]))
      .rows
  /** Sends the picture, after changing it on the host. */
  async function send(before: (path: string) => unknown = () => {}): Promise<string> {
    const sent = await uploadFile(server.media, 'imageMessage', picture, { mimetype: 'image/jpeg', caption: text() })
    before(filePart(sent)!.part.directPath!)
    await contact.send(shop.jid, sent)
    return filePart(sent)!.part.directPath!
  }
  const ask = async (token = us.token) =>
    await call(product, messages.media, token, { params: { id: (await message()).id } })
  /** Runs waiting retries now. */
  const hurry = () =>
    owner.query(
      `update graphile_worker._private_jobs set run_at = now() where key like 'media:%' and locked_at is null`,
    )
  const failures = async () =>
    (await owner.query('select failures from media_downloads where message_id = $1', [(await message()).id])).rows[0]
      ?.failures

  test('are told of before they come; how they are opened stands nowhere in the clear', async () => {
    const { lastSeq } = (await call(product, messages.changes, us.token, {})).body
    const thumbnail = (await sharp(picture).resize(16).jpeg().toBuffer()).toString('base64')
    const sent = await uploadFile(server.media, 'imageMessage', picture, {
      ...{ mimetype: 'image/jpeg', caption: text(), width: 40, height: 30 },
      jpegThumbnail: Buffer.from(thumbnail, 'base64'),
    })
    await contact.send(shop.jid, sent)
    await arrives()
    const { changes } = (await call(product, messages.changes, us.token, { query: { after: lastSeq } })).body as {
      changes: { type: string; payload: { message?: MessageRow } }[]
    }
    const shown = changes.flatMap(({ payload: { message: row } }) => (row?.body === text() ? [row] : []))
    expect(shown[0]).toMatchObject({
      ...{ mediaType: 'image', file: null },
      data: { remote: { state: 'coming', name: 'imagem', size: picture.length, width: 40, height: 30, thumbnail } },
    })
    expect(shown.at(-1)).toMatchObject({ data: null, file: { mime: 'image/jpeg', size: picture.length, width: 40 } })
    const file = await fetch(product.address + shown.at(-1)!.file!.url)
    expect(Buffer.from(await file.arrayBuffer()).equals(picture)).toBe(true)
    const { rows: kept } = await owner.query<{ payload: string }>(
      `select payload::text from journal_processed where payload -> 'message' ->> 'body' = $1`,
      [text()],
    )
    const key = Buffer.from(filePart(sent)!.part.mediaKey!).toString('base64')
    expect(kept).toHaveLength(1)
    expect(kept[0]!.payload).not.toContain(key.slice(0, 20))
    expect(kept[0]!.payload).not.toContain(filePart(sent)!.part.directPath!)
    expect(kept[0]!.payload).toMatch(/"pointer": "[0-9a-f]{8}\.[\w-]{40,}"/)
  })

  test('that the host has no more are stored anew by the phone', async () => {
    const path = await send(server.media.expire)
    await arrives()
    expect(await stored()).toHaveLength(1)
    expect(server.media.get(path)).toBeUndefined()
  })

  test('that nobody has any more are said to be gone; asked for again, twenty times at once, one comes once', async () => {
    shop.memory.keepsFiles = false
    await send(server.media.expire)
    await isIn('expired')
    const { rows: requests } = await owner.query('select id from connection_requests')
    expect(requests).toEqual([])
    const other = await make(product.platform)
    const stranger = await other.token(await other.user(await other.tenant(), { profile: 'admin' }))
    expect((await ask(stranger)).body.error).toBe('ERR_FETCH_WAPP_MSG')
    expect(await ask()).toMatchObject({ status: 200, body: { data: { remote: { state: 'coming' } } } })
    await isIn('expired')
    shop.memory.keepsFiles = true
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask()))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    await arrives()
    expect(await stored()).toHaveLength(1)
    // A request for a stored file returns it.
    expect(await ask()).toMatchObject({ status: 200, body: { data: null, file: { size: picture.length } } })
    expect(await stored()).toHaveLength(1)
  })

  test('that come damaged are tried three times, then asked for', async () => {
    await send(server.media.corrupt)
    for (const n of [1, 2]) {
      await until(async () => (await failures()) === n)
      expect(await stored()).toEqual([])
      await hurry()
    }
    await arrives()
    expect(await stored()).toHaveLength(1)
  })

  test.each(['media downloaded', 'before media commit'])('come once when their worker ends: %s', async (point) => {
    cuts.add(point)
    await send()
    await until(() => cuts.size === 0)
    await message()
    expect((await message()).file_id).toBeNull()
    const waiting = `select from graphile_worker._private_jobs where key = $1 and locked_at is null`
    const key = `media:${(await message()).id}`
    await until(async () => (await owner.query(waiting, [key])).rows.length === 1)
    await hurry()
    await arrives()
    expect(await stored()).toHaveLength(1)
  })

  test('that two workers have downloaded, one of them frozen for a while, come once', async () => {
    meeting = { here: 0, all: Promise.withResolvers() }
    await send()
    const { id: messageId } = await message()
    await until(() => meeting!.here === 1)
    await downloadJob.run(product.platform, { tenantId: us.tenantId, messageId }, { requireOwnership() {} })
    meeting = null
    await arrives()
    await until(
      async () =>
        (await owner.query(`select from graphile_worker._private_jobs where key = $1`, [`media:${messageId}`])).rows
          .length === 0,
    )
    expect(await stored()).toHaveLength(1)
  })

  test('of a kind that is not taken, or larger than the channel has them, are refused, and not asked for', async () => {
    const page = Buffer.from('<!doctype html><script>alert(1)</script>')
    const about = { mimetype: 'text/html', fileName: 'nota.html', caption: text() }
    await contact.send(shop.jid, await uploadFile(server.media, 'documentMessage', page, about))
    await isIn('refused')
    expect(await stored(page)).toEqual([])
    expect((await ask()).body.error).toBe('ERR_NO_MEDIA')
    count++
    const large = { mimetype: 'image/jpeg', caption: text() }
    const sent = await uploadFile(server.media, 'imageMessage', picture, large)
    sent.imageMessage!.fileLength = 17 * 1024 * 1024
    await contact.send(shop.jid, sent)
    await isIn('refused')
  })

  test('that are something else than their message says are documents; stickers and recordings are what they are', async () => {
    await contact.file(shop.jid, 'imageMessage', Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n%%EOF\n'), {
      ...{ mimetype: 'image/jpeg', caption: text() },
    })
    await arrives()
    expect(await message()).toMatchObject({ media_type: 'document' })
    const waveform = Uint8Array.from({ length: 64 }, (_, bar) => bar)
    const about = { mimetype: 'audio/ogg; codecs=opus', ptt: true, seconds: 1, waveform }
    const { id: voice } = await contact.file(shop.jid, 'audioMessage', readFileSync('test/media/tone.mp3'), about)
    const webp = await sharp(picture).webp().toBuffer()
    const { id: sticker } = await contact.file(shop.jid, 'stickerMessage', webp, { mimetype: 'image/webp' })
    const row = async (id: string) => (await us.ledger()).find((one) => one.provider_id === id)
    await until(async () => (await row(sticker))?.file_id != null)
    expect(await row(sticker)).toMatchObject({ media_type: 'sticker', body: '' })
    await until(async () => (await row(voice))?.file_id != null)
    const heard = await owner.query('select duration_ms, waveform from files where id = $1', [
      (await row(voice))!.file_id,
    ])
    expect(heard.rows).toEqual([{ duration_ms: 1000, waveform: [...waveform] }])
  })

  async function answer(bytes: Uint8Array, name: string, more: Record<string, string> = {}) {
    const ticketId = await us.accept('5511988880301')
    const form = new FormData()
    for (const [field, value] of Object.entries({ idFront: randomUUID(), ...more })) form.append(field, value)
    form.append('medias', new Blob([Buffer.from(bytes)]), name)
    const headers = { authorization: `Bearer ${us.token}` }
    const reply = await fetch(`${product.address}/api/messages/${ticketId}`, { method: 'POST', headers, body: form })
    return { status: reply.status, body: (await reply.json()) as { messages: MessageRow[]; error?: string } }
  }
  /** Returns one of our messages as the contact received it. */
  async function received({ body: { messages: sent } }: Awaited<ReturnType<typeof answer>>) {
    const find = async () => {
      const { provider_id } = (await us.ledger()).find(({ id }) => id === sent[0]!.id)!
      return contact.inbox.find(({ id }) => id === provider_id)?.message
    }
    await until(async () => (await find()) !== undefined)
    const found = (await find())!
    return { ...found, bytes: (await contact.open(found))! }
  }

  test('leave turned, without where they were taken, and with a preview', async () => {
    await contact.text(shop.jid, 'Manda a foto?')
    const shot = await sharp(picture)
      .withExif({ IFD0: { Make: 'Camera' }, IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '23/1 33/1 1/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect((await sharp(shot).metadata()).exif).toBeDefined()
    const { imageMessage, bytes } = await received(await answer(shot, 'loja.jpg', { body: 'Aqui' }))
    const { exif, ...shown } = await sharp(bytes).metadata()
    expect(exif).toBeUndefined()
    expect(shown).toMatchObject({ format: 'jpeg', width: 30, height: 40 })
    expect(imageMessage).toMatchObject({ mimetype: 'image/jpeg', caption: 'Aqui', width: 30, height: 40 })
    expect((await sharp(imageMessage!.jpegThumbnail!).metadata()).format).toBe('jpeg')
  })

  test('that belong together do so on both sides', async () => {
    const ticketId = await us.accept('5511988880301')
    const frame = await contact.send(shop.jid, { albumMessage: { expectedImageCount: 2 } })
    const parentMessageKey = { remoteJid: shop.jid, fromMe: true, id: frame }
    const theirs = ['Um', 'Dois'].map(async (caption) => {
      const sent = await uploadFile(server.media, 'imageMessage', picture, { mimetype: 'image/jpeg', caption })
      await contact.send(shop.jid, {
        ...sent,
        messageContextInfo: { messageAssociation: { associationType: 1, parentMessageKey } },
      })
      expect((await us.message(caption)).album).toEqual({ id: frame })
    })
    await Promise.all(theirs)
    const form = new FormData()
    form.append('idFront', randomUUID())
    for (const name of ['a.jpg', 'b.jpg']) form.append('medias', new Blob([Buffer.from(picture)]), name)
    const headers = { authorization: `Bearer ${us.token}` }
    const reply = await fetch(`${product.address}/api/messages/${ticketId}`, { method: 'POST', headers, body: form })
    const { messages: sent } = (await reply.json()) as { messages: MessageRow[] }
    expect(sent.map(({ albumId }) => albumId)).toEqual([sent[0]!.idFront, sent[0]!.idFront])
    const parts = () =>
      contact.inbox.flatMap(({ message }) => message.messageContextInfo?.messageAssociation?.parentMessageKey?.id ?? [])
    await until(() => parts().length === 2)
    const frames = contact.inbox.filter(({ message }) => message.albumMessage)
    expect(frames).toMatchObject([{ message: { albumMessage: { expectedImageCount: 2, expectedVideoCount: 0 } } }])
    expect(new Set(parts())).toEqual(new Set([frames[0]!.id]))
  })

  test('leave as what they are, a voice note with its length; what the channel takes in no form is refused before', async () => {
    const mp3 = readFileSync('test/media/tone.mp3')
    const voice = await received(await answer(mp3, 'audio.mp3', { durationMs: '2400' }))
    expect(voice.audioMessage).toMatchObject({ ptt: true, seconds: 1, mimetype: 'audio/ogg; codecs=opus' })
    expect(Math.max(...voice.audioMessage!.waveform!)).toBe(100)
    expect(voice.bytes.toString('latin1', 28, 36)).toBe('OpusHead')
    // A file with a false type is sent as its real type.
    const broken = Buffer.concat([Buffer.from('OggS\0\x02'), Buffer.alloc(22), Buffer.from('OpusHead\x01\x01')])
    const sound = await received(await answer(broken, 'audio.ogg', { isVoice: 'true' }))
    expect(sound.audioMessage).toMatchObject({ ptt: false, mimetype: 'audio/ogg' })
    const pdf = Buffer.from(`%PDF-1.4\n${count} 0 obj<</Type/Catalog>>endobj\n%%EOF\n`)
    const paper = await received(await answer(pdf, 'proposta.pdf', { body: 'Segue' }))
    const shown = paper.documentWithCaptionMessage?.message?.documentMessage ?? paper.documentMessage
    expect(shown).toMatchObject({ fileName: 'proposta.pdf', mimetype: 'application/pdf', caption: 'Segue' })
    expect(paper.bytes.equals(pdf)).toBe(true)
    const moving = await answer(await sharp(picture).gif().toBuffer(), 'festa.gif')
    expect(moving).toMatchObject({ status: 422, body: { error: 'ERR_FILE_NOT_CARRIED' } })
  })
})
