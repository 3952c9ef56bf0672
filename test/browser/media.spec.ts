import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import sharp from 'sharp'
import { fastReplies } from '#features/catalog/fast-replies.ts'
import { filePart, uploadFile } from '#features/lab/server/whatsapp/phone-media.ts'
import { startWhatsAppServer } from '#features/lab/server/whatsapp/server.ts'
import { make } from '#test/make.ts'
import { call } from '#test/product.ts'
import { until } from '#test/until.ts'
import { whatsappCompany, whatsappEnvironment } from '#test/whatsapp-company.ts'
import { expectAccessible } from './pages/accessible.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'

test('a picture that expired is asked for in its bubble, and stands there', {
  tag: ['@attendance', '@messages', '@connections', '@wide'],
}, async ({ anotherProduct, browser }) => {
  test.slow()
  const server = await startWhatsAppServer()
  const product = await anotherProduct({ env: whatsappEnvironment(server) })
  try {
    const shop = await server.addPhone({ number: '551130000501', name: 'Ateliê' })
    const contact = await server.addPhone({ number: '5511988880501', name: 'Iracema' })
    const us = await whatsappCompany(product, shop)
    await us.link()
    shop.memory.keepsFiles = false
    const picture = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#3a7d5b' } })
      .jpeg()
      .toBuffer()
    const sent = await uploadFile(server.media, 'imageMessage', picture, {
      ...{ mimetype: 'image/jpeg', caption: 'Ficou assim', width: 320, height: 240 },
      jpegThumbnail: await sharp(picture).resize(48).jpeg().toBuffer(),
    })
    server.media.expire(filePart(sent)!.part.directPath!)
    await contact.send(shop.jid, sent)
    await until(async () => JSON.stringify((await us.message('Ficou assim')).data).includes('expired'))
    const ticketId = await us.accept('5511988880501')
    const { page, complaints } = await sitDown(browser, product, us.admin, { viewport: { width: 1440, height: 900 } })
    await page.goto(`/atendimento/${ticketId}`)
    await expect(page.getByText(/^Mídia expirada · /)).toBeVisible()
    await expectAccessible(page, 'main')
    shop.memory.keepsFiles = true
    await page.getByRole('button', { name: 'Pedir de novo' }).click()
    await until(async () => (await us.message('Ficou assim')).file_id !== null)
    await expect(page.getByRole('button', { name: 'Ampliar Ficou assim' })).toBeVisible()
    await expect(page.getByText(/Mídia expirada/)).toHaveCount(0)
    expect(complaints).toEqual([])
  } finally {
    await server.close()
  }
})

test('what is uploaded as a voice note or a sticker is one on the phone, and so is what comes; a call is refused in words', {
  tag: ['@attendance', '@messages', '@connections', '@catalog', '@wide'],
}, async ({ anotherProduct, browser }) => {
  test.slow()
  const server = await startWhatsAppServer()
  const product = await anotherProduct({ env: whatsappEnvironment(server) })
  try {
    const shop = await server.addPhone({ number: '551130000601', name: 'Marcenaria' })
    const contact = await server.addPhone({ number: '5511988880601', name: 'Otávio Rezende' })
    const us = await whatsappCompany(product, shop)
    await us.link()
    await make(product.platform).setting(us.tenantId, 'rejectCalls', 'enabled')
    await contact.text(shop.jid, 'Bom dia! Segue o recado')
    const waveform = Uint8Array.from({ length: 64 }, (_, bar) => 20 + ((bar * 37) % 80))
    const about = { mimetype: 'audio/ogg; codecs=opus', ptt: true, seconds: 24, waveform }
    await contact.file(shop.jid, 'audioMessage', readFileSync('test/media/tone.mp3'), about)
    const ticketId = await us.accept('5511988880601')
    const { page, complaints } = await sitDown(browser, product, us.admin, { viewport: { width: 1440, height: 900 } })
    await page.goto(`/atendimento/${ticketId}`)
    const sounds = () => contact.inbox.flatMap(({ message }) => message.audioMessage ?? [])
    const stickers = () => contact.inbox.flatMap(({ message }) => message.stickerMessage ?? [])
    const attach = async (name: string, bytes: Buffer, mimeType: string) =>
      page.locator('input[type=file]').first().setInputFiles({ name, buffer: bytes, mimeType })
    const tray = page.getByRole('list', { name: 'Arquivos para enviar' })

    await attach('recado.mp3', readFileSync('test/media/tone.mp3'), 'audio/mpeg')
    await tray.getByRole('button', { name: 'Áudio de voz: recado.mp3' }).click()
    // This browser makes it one before it is uploaded; else the server would afterwards.
    await expect(tray).toContainText('audio.ogg', { timeout: 20_000 })
    await expectAccessible(page, 'main')
    await page.getByRole('button', { name: 'Enviar', exact: true }).click()
    await until(() => sounds().length === 1)
    expect(sounds()[0]).toMatchObject({ ptt: true, seconds: 1, mimetype: 'audio/ogg; codecs=opus' })
    expect(Math.max(...sounds()[0]!.waveform!)).toBe(100)
    const stored = await product.platform.db.read(us.tenantId, (db) => db.selectFrom('files').select('name').execute())
    expect(stored).toContainEqual({ name: 'audio.ogg' })
    expect(stored).not.toContainEqual({ name: 'recado.mp3' })
    const voices = page.getByRole('slider', { name: 'Posição do áudio' })
    await expect(voices).toHaveCount(2)
    await voices.first().locator('i').nth(20).waitFor()
    await page.getByRole('button', { name: 'Velocidade 1' }).first().click()
    await expect(page.getByRole('button', { name: 'Velocidade 1,5' })).toBeVisible()

    // A quick reply whose recordings go as if they were made now.
    const reply = { key: 'prazo', message: 'Sobre o prazo:', voice: true }
    const made = await call(product, fastReplies.ops.create, us.token, { body: reply as never })
    const files = new FormData()
    files.append('medias', new Blob([readFileSync('test/media/tone.mp3')], { type: 'audio/mpeg' }), 'prazo.mp3')
    const path = `${product.address}/api/fast-replies/${(made.body as { id: number }).id}/files`
    const headers = { authorization: `Bearer ${us.token}` }
    expect((await fetch(path, { method: 'POST', headers, body: files })).status).toBe(200)
    const composer = page.getByRole('textbox', { name: 'Mensagem' })
    await composer.pressSequentially('/prazo')
    await expect(page.getByRole('listbox', { name: 'Mensagens rápidas' })).toContainText('prazo.mp3')
    await page.keyboard.press('Enter')
    await expect(tray.getByRole('button', { name: /^Áudio de voz: / })).toHaveAttribute('aria-pressed', 'true')
    await composer.press('Enter')
    await until(() => sounds().length === 2)
    expect(sounds()[1]).toMatchObject({ ptt: true, seconds: 1, mimetype: 'audio/ogg; codecs=opus' })
    await until(() => contact.inbox.some(({ message }) => JSON.stringify(message).includes('Sobre o prazo:')))

    const logo = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#3a7d5b' } })
      .png()
      .toBuffer()
    await attach('logo.png', logo, 'image/png')
    await tray.getByRole('button', { name: 'Figurinha: logo.png' }).click()
    await page.getByRole('button', { name: 'Enviar', exact: true }).click()
    await until(() => stickers().length === 1)
    await expect(page.getByRole('button', { name: 'Ampliar figurinha.webp' })).toBeVisible()

    const picture = (background: string) =>
      sharp({ create: { width: 320, height: 240, channels: 3, background } })
        .jpeg()
        .toBuffer()
    const frame = await contact.send(shop.jid, { albumMessage: { expectedImageCount: 5 } })
    const parentMessageKey = { remoteJid: shop.jid, fromMe: true, id: frame }
    for (const color of ['#7a3b2e', '#c9a227', '#2e5a7a', '#4b7a2e', '#6a2e7a']) {
      const part = await uploadFile(server.media, 'imageMessage', await picture(color), { mimetype: 'image/jpeg' })
      const messageAssociation = { associationType: 1, parentMessageKey }
      await contact.send(shop.jid, { ...part, messageContextInfo: { messageAssociation } })
    }
    const album = page.getByRole('list', { name: 'Álbum de 5' })
    await expect(album.locator('img')).toHaveCount(4)
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles(
        await Promise.all(
          ['#223344', '#aa8866'].map(async (color, n) => ({
            ...{ name: `mesa-${n}.jpg`, mimeType: 'image/jpeg', buffer: await picture(color) },
          })),
        ),
      )
    await page.getByRole('button', { name: 'Enviar', exact: true }).click()
    await expect(page.getByRole('list', { name: 'Álbum de 2' })).toBeVisible({ timeout: 30_000 })
    await until(() => contact.inbox.some(({ message }) => message.albumMessage?.expectedImageCount === 2))

    await attach('recado.amr', readFileSync('test/media/tone.amr'), 'audio/amr')
    await tray.getByRole('button', { name: 'Áudio de voz: recado.amr' }).click()
    await page.getByRole('button', { name: 'Tirar recado.amr' }).click()

    contact.ring(shop.jid)
    await expect(page.getByText('Chamada de voz recusada')).toBeVisible({ timeout: 20_000 })
    await expect(page.getByText(/Não atendemos chamadas/).last()).toBeVisible()
    expect(contact.seen.map(({ what }) => what)).toContain('reject')
    await expectAccessible(page, 'main')
    await album.getByRole('button', { name: /^\+1/ }).click()
    await expect(album.locator('img')).toHaveCount(5)
    if (process.env['SHOTS'])
      for (const scheme of ['light', 'dark'] as const)
        for (const width of [1440, 390]) {
          await page.emulateMedia({ colorScheme: scheme })
          await page.setViewportSize({ width, height: 900 })
          await page.waitForTimeout(700)
          await page.screenshot({ path: `${process.env['SHOTS']}/thread-${scheme}-${width}.png` })
        }
    expect(complaints).toEqual([])
  } finally {
    await server.close()
  }
})
