import { expect } from '@playwright/test'
import sharp from 'sharp'
import { filePart, uploadFile } from '#test/peers/whatsapp/phone-media.ts'
import { startWhatsAppServer } from '#test/peers/whatsapp/server.ts'
import { until } from '#test/until.ts'
import { whatsappCompany, whatsappEnvironment } from '#test/whatsapp-company.ts'
import { expectAccessible } from './pages/accessible.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'

test('a picture that expired is asked for in its bubble, and stands there', {
  tag: ['@conversations', '@connections', '@wide'],
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
    await until(async () => JSON.stringify((await us.message('Ficou assim')).data).includes('expired'), 20_000)
    const ticketId = await us.accept('5511988880501')
    const { page, complaints } = await sitDown(browser, product, us.admin, { viewport: { width: 1440, height: 900 } })
    await page.goto(`/atendimento/${ticketId}`)
    await expect(page.getByText(/^Mídia expirada · /)).toBeVisible()
    await expectAccessible(page, 'main')
    shop.memory.keepsFiles = true
    await page.getByRole('button', { name: 'Pedir de novo' }).click()
    await until(async () => (await us.message('Ficou assim')).file_id !== null, 40_000)
    await expect(page.getByRole('button', { name: 'Ampliar Ficou assim' })).toBeVisible()
    await expect(page.getByText(/Mídia expirada/)).toHaveCount(0)
    expect(complaints).toEqual([])
  } finally {
    await server.close()
  }
})
