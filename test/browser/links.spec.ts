import type { ServerResponse } from 'node:http'
import { expect } from '@playwright/test'
import sharp from 'sharp'
import { startWebPages } from '#test/peers/web-pages.ts'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test('a link gets the card of its page, nothing on screen moves for it, and the browser asks nobody else', {
  tag: ['@attendance', '@messages', '@wide'],
}, async ({ anotherProduct, browser }) => {
  const pages = await startWebPages()
  const held: ServerResponse[] = []
  const photo = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#c96a2b' } })
    .png()
    .toBuffer()
  pages.show('/foto.png', { body: photo, type: 'image/png' })
  const about =
    '<meta name=description content="Entrega em São Paulo em até três dias, com montagem e retirada da usada">'
  const html = (title: string) =>
    `<title>${title}</title>${about}<meta property=og:image content=/foto.png><meta property=og:site_name content="Colchões Aurora">`
  const show = (path: string) => pages.show(path, (response) => void held.push(response))
  const answer = (title: string) => {
    for (const response of held.splice(0)) response.writeHead(200, { 'content-type': 'text/html' }).end(html(title))
  }
  const product = await anotherProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
  const { talking, hear, people } = await shop(product)
  const id = await talking('Marlene', people.ana, 'Bom dia')
  for (let n = 0; n < 25; n++) await hear('Marlene', `Mensagem ${n}`)
  const { page, context, complaints } = await sitDown(browser, product, people.ana)
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  await page.goto(`/atendimento/${id}`)
  const { messages, bubble } = attendance(page)
  const toEnd = page.getByRole('button', { name: 'Ir para o fim da conversa' })
  await toEnd.click()
  await expect(bubble('Mensagem 24')).toBeInViewport()
  await expect(toEnd).toHaveCount(0)
  const said = messages.getByRole('article').filter({ hasText: 'Vocês têm esta?' })
  const url = show('/cama')
  await hear('Marlene', `Vocês têm esta? ${url}`)
  await expect(said).toBeInViewport()
  await expect.poll(() => held.length).toBe(1)
  const top = (text: string) => bubble(text).evaluate((element) => element.getBoundingClientRect().top)
  const words = () => said.locator('p').evaluate((one) => one.getBoundingClientRect().bottom)
  const before = await words()
  answer('Cama box casal com colchão de molas ensacadas e cabeceira estofada')
  const card = messages.getByRole('link', { name: /Cama box casal.*Colchões Aurora/ })
  await expect(card).toBeVisible()
  await expect(card).toHaveAttribute('href', url)
  await expect(card).toHaveAttribute('rel', /noopener noreferrer/)
  // At the end of a conversation it grows upwards: what one reads stays where it is.
  await expect.poll(async () => Math.abs((await words()) - before)).toBeLessThanOrEqual(1)
  await expect.poll(() => card.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(192)
  await expectAccessible(page)

  // Further up nothing moves at all.
  await messages.evaluate((log) => log.scrollTo(0, 120))
  await expect(toEnd).toBeVisible()
  await hear('Marlene', `Ou esta? ${show('/outra')}`)
  await expect.poll(() => held.length).toBe(1)
  const there = await top('Mensagem 4')
  answer('Outra')
  await expect(toEnd).toBeVisible()
  expect(Math.abs((await top('Mensagem 4')) - there)).toBeLessThanOrEqual(1)
  await toEnd.click()
  await expect(messages.getByRole('link', { name: /^Outra/ })).toBeInViewport()
  expect([...hosts]).toEqual([new URL(page.url()).host])
  expect(complaints).toEqual([])
  await context.close()
  await pages.close()
})
