import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { seedDemo } from '#db/seed.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { openForeignSite } from '#test/browser/pages/foreign-site.ts'
import { createDatabase, startProduct } from '#test/product.ts'
import { findChromium } from '#test/setup/chromium.ts'

// Makes the README's pictures from the running product and its demo: `npx node scripts/screenshots.ts` after a build.
const folder = join(import.meta.dirname, '..', 'docs', 'pictures')
mkdirSync(folder, { recursive: true })
const dataDir = mkdtempSync(join(tmpdir(), 'guiche-pictures-'))
const postgres = await startEmbedded({ dataDir, log: { info: () => {}, error: console.error }, fsync: false })
const product = await startProduct(await createDatabase(postgres.url))
await seedDemo(product.platform)
const browser = await chromium.launch(await findChromium())
const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

try {
  const ana = await enter(browser, 'ana@demo.test', desk, 'light')
  await openConversation(ana, 'Marlene Figueiredo')
  await picture(ana, 'attendance')
  const dark = await enter(browser, 'ana@demo.test', desk, 'dark')
  await openConversation(dark, 'Marlene Figueiredo')
  await picture(dark, 'attendance-dark')
  const small = await enter(browser, 'ana@demo.test', phone, 'light')
  await openConversation(small, 'Marlene Figueiredo')
  await picture(small, 'attendance-phone')
  const admin = await enter(browser, 'admin@demo.test', desk, 'light')
  await admin.goto(`${product.address}/laboratorio`)
  await admin.waitForTimeout(6000)
  await picture(admin, 'lab')
  await admin.goto(`${product.address}/contatos`)
  await admin.waitForTimeout(1500)
  await picture(admin, 'contacts')
  const visitor = await (
    await browser.newContext({ viewport: { width: 1000, height: 700 }, locale: 'pt-BR' })
  ).newPage()
  await visitor.goto(`${product.address}/login`)
  await visitor.waitForTimeout(800)
  await visitor.setViewportSize(desk)
  await picture(visitor, 'login')
  const site = await openForeignSite(product.address.replace('127.0.0.1', 'localhost'), await widgetToken())
  await visitor.setViewportSize({ width: 1000, height: 700 })
  await visitor.goto(site.origin)
  await visitor.getByRole('button').last().click()
  const frame = visitor.frameLocator('iframe')
  await frame.getByRole('textbox').fill('Oi! Vocês entregam a mesa Jatobá em Valinhos até sexta?')
  await frame.getByRole('textbox').press('Enter')
  await visitor.waitForTimeout(1500)
  await picture(visitor, 'widget')
  await site.close()
} finally {
  await browser.close()
  await product.close()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function enter(
  on: Browser,
  email: string,
  viewport: { width: number; height: number },
  colorScheme: 'light' | 'dark',
): Promise<Page> {
  const context = await on.newContext({ viewport, colorScheme, locale: 'pt-BR', timezoneId: 'America/Sao_Paulo' })
  const page = await context.newPage()
  await page.goto(`${product.address}/login`)
  await page.getByLabel(/E-mail/).fill(email)
  await page.getByLabel('Senha', { exact: true }).fill('Demo!2026')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
  await page.waitForTimeout(6000) // the greeting's toast goes
  return page
}

async function openConversation(page: Page, name: string): Promise<void> {
  await page.goto(`${product.address}/atendimento`)
  await page.mouse.move(700, 400)
  await page
    .getByRole('list', { name: 'Atendimentos' })
    .getByRole('link', { name: new RegExp(name) })
    .first()
    .click()
  await page.getByRole('log').waitFor()
  await page.waitForTimeout(2500)
}

async function widgetToken(): Promise<string> {
  const row = await product.platform.db.asPlatform((db) =>
    db
      .selectFrom('connections')
      .select('config')
      .where('type', '=', 'webchat')
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow(),
  )
  return (row.config as { token: string }).token
}

async function picture(page: Page, name: string): Promise<void> {
  const png = await page.screenshot()
  await sharp(png)
    .png({ palette: true, quality: 85, compressionLevel: 9 })
    .toFile(join(folder, `${name}.png`))
  console.log(name)
}
