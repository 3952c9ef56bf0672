import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { seedDemo } from '#db/seed.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { attendance } from '#test/browser/pages/attendance.ts'
import { sitDown } from '#test/browser/pages/person.ts'
import { demoPeople } from '#test/browser/pages/product.ts'
import { widget } from '#test/browser/pages/widget.ts'
import { createDatabase, startProduct } from '#test/product.ts'
import { findChromium } from '#test/setup/chromium.ts'

// Makes the README's pictures from the running product and its demo: `npx node scripts/screenshots.ts` after a build.
const root = join(import.meta.dirname, '..')
const folder = join(root, 'docs', 'pictures')
const media = (name: string) => readFileSync(join(root, 'db', 'demo', 'media', name))
const wide: BrowserContextOptions = { viewport: { width: 1440, height: 900 } }
const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const here: BrowserContextOptions = { locale: 'pt-BR', timezoneId: 'America/Sao_Paulo' }

mkdirSync(folder, { recursive: true })
const dataDir = mkdtempSync(join(tmpdir(), 'guiche-pictures-'))
const postgres = await startEmbedded({ dataDir, log: { info: () => {}, error: console.error }, fsync: false })
const product = await startProduct(await createDatabase(postgres.url))
const address = product.address.replace('127.0.0.1', 'localhost')
await seedDemo(product.platform)
const browser = await chromium.launch(await findChromium())

try {
  await conversation('attendance', { ...wide, colorScheme: 'light' })
  await conversation('attendance-dark', { ...wide, colorScheme: 'dark' })
  await conversation('attendance-phone', { ...phone, colorScheme: 'light' })
  await lab()
  await contacts()
  await login()
  await webchat()
} finally {
  await browser.close()
  await product.close()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Takes the screenshot of a conversation with pictures, a voice note and an internal note, opened at the voice note. */
async function conversation(name: string, options: BrowserContextOptions): Promise<void> {
  const { page } = await sitDown(browser, { address }, demoPeople.user, { ...here, ...options })
  const { ticket, at } = await product.platform.db.asPlatform(async (db) => {
    const found = await db
      .selectFrom('tickets')
      .innerJoin('contacts', 'contacts.id', 'tickets.contact_id')
      .select('tickets.id')
      .where('contacts.name', '=', 'Marlene Figueiredo')
      .executeTakeFirstOrThrow()
    const { timestamp } = await db
      .selectFrom('messages')
      .select('timestamp')
      .where('ticket_id', '=', found.id)
      .where('media_type', '=', 'audio')
      .executeTakeFirstOrThrow()
    return { ticket: found.id, at: timestamp.getTime() }
  })
  await page.goto(`/atendimento/${ticket}?timestamp=${at}`)
  await attendance(page).messages.getByRole('button', { name: /Ouvir/ }).waitFor()
  await picture(page, name)
}

/** Takes the screenshot of the lab: a message written on a virtual phone appears on the team's screen beside it. */
async function lab(): Promise<void> {
  const { page } = await sitDown(browser, { address }, demoPeople.admin, { ...here, ...wide })
  await page.goto('/laboratorio')
  const field = page.getByRole('textbox', { name: /^Mensagem de/ }).first()
  await field.fill('E se eu descer para receber no térreo?')
  await field.press('Enter')
  await page
    .getByRole('button', { name: /^Atendimento \d+/ })
    .first()
    .click()
  const desk = page.frameLocator('iframe')
  await desk.getByText('E se eu descer para receber no térreo?').last().waitFor()
  await page
    .getByText(/^\d+ ms do telefone à tela$/)
    .first()
    .waitFor()
  await page.mouse.move(720, 40)
  await page.evaluate(() => document.getElementById('conteudo')?.scrollTo(0, 0))
  await picture(page, 'lab')
}

async function contacts(): Promise<void> {
  const { page } = await sitDown(browser, { address }, demoPeople.admin, { ...here, ...wide })
  await page.goto('/contatos')
  await page.getByRole('table').waitFor()
  await picture(page, 'contacts')
}

async function login(): Promise<void> {
  const page = await (await browser.newContext({ baseURL: address, ...here, ...wide })).newPage()
  await page.goto('/login')
  await page.getByRole('button', { name: 'Entrar' }).waitFor()
  await picture(page, 'login')
}

/** Takes the screenshots of a shop's page with a visitor, and of the agent who replies with a picture. */
async function webchat(): Promise<void> {
  const { context: desk, page: deskPage } = await sitDown(browser, { address }, demoPeople.user, { ...here, ...wide })
  const channel = await product.platform.db.asPlatform((db) =>
    db
      .selectFrom('connections')
      .select('config')
      .where('type', '=', 'webchat')
      .where('name', 'like', 'Móveis%')
      .executeTakeFirstOrThrow(),
  )
  const site = await openShop((channel.config as { token: string }).token)
  const page = await (await browser.newContext({ ...here, ...wide })).newPage()
  await page.goto(site.origin)
  const visitor = widget(page)
  await visitor.launcher.click()
  await visitor.say('Oi! Vocês entregam a mesa Jatobá em Valinhos até sexta?')
  await deskPage.goto('/atendimento?tab=pending')
  const agent = attendance(deskPage)
  await agent.open('Vocês entregam a mesa Jatobá')
  await agent.conversation.getByRole('button', { name: 'Atender' }).last().click()
  await agent.say('Oi! Entregamos sim, na quinta entre 9h e 12h, com montagem.')
  await visitor.log.getByText('Entregamos sim').waitFor()
  await visitor.say('Que ótimo! Tem foto do sofá que aparece com ela?')
  await agent.bubble('Que ótimo! Tem foto do sofá que aparece com ela?').waitFor()
  await agent.attach.setInputFiles({ name: 'sofa-cinza.jpg', mimeType: 'image/jpeg', buffer: media('sofa-cinza.jpg') })
  await agent.say('É este, em linho cinza.')
  await visitor.log.getByText('É este, em linho cinza.').waitFor()
  await visitor.log.locator('.picture img').waitFor()
  await visitor.say('Amei! Quero os dois.')
  await visitor.chat.getByRole('img', { name: 'Lida' }).last().waitFor()
  await picture(page, 'widget')
  site.close()
  await desk.close()
}

/** A shop's page with the webchat on it. */
async function openShop(token: string): Promise<{ origin: string; close(): void }> {
  const goods = [
    ['sala-vazia.jpg', 'Sala Jatobá', 'R$ 4.890'],
    ['sofa-cinza.jpg', 'Sofá Ipanema', 'R$ 3.240'],
  ]
  const html = `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<title>Móveis Pau-Marfim</title>
<style>
  body { margin: 0; font: 17px/1.5 system-ui, sans-serif; color: #2b2420; background: #fbf8f4 }
  header { display: flex; justify-content: space-between; padding: 26px 56px; background: #fff }
  header b { font: 600 24px Georgia, serif }
  nav { display: flex; gap: 34px; color: #6d5f55 }
  main { max-width: 960px; padding: 44px 56px }
  h1 { margin: 0 0 8px; font: 600 44px/1.15 Georgia, serif }
  ul { display: grid; grid-template-columns: repeat(2, 416px); gap: 24px; margin: 34px 0 0; padding: 0; list-style: none }
  img { width: 100%; height: 300px; object-fit: cover; border-radius: 14px }
  small { display: block; color: #8a7a6d }
</style>
</head>
<body>
<header><b>Móveis Pau-Marfim</b><nav><span>Salas</span><span>Quartos</span><span>Sob medida</span><span>Lojas</span></nav></header>
<main>
<h1>Madeira que fica na família</h1>
<p>Mesas, sofás e estantes feitos em Campinas, com entrega e montagem da casa.</p>
<ul>${goods.map(([file, name, price]) => `<li><img src="/${file}" alt=""><b>${name}</b><small>${price}</small></li>`).join('')}</ul>
</main>
<script async src="${address}/widget/guiche.js" data-token="${token}"></script>
</body>
</html>`
  const server = createServer((request, response) => {
    const file = goods.map(([name]) => name).find((name) => request.url === `/${name}`)
    response.setHeader('content-type', file ? 'image/jpeg' : 'text/html; charset=utf-8')
    response.end(file ? media(file) : html)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** Writes a screenshot of the loaded page in at most 256 colours, since a README is read over the net. */
async function picture(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
  const png = await page.screenshot({ animations: 'disabled' })
  const { size } = await sharp(png)
    .png({ palette: true, quality: 90, compressionLevel: 9 })
    .toFile(join(folder, `${name}.png`))
  console.log(`${name}.png ${Math.round(size / 1000)} kB`)
}
