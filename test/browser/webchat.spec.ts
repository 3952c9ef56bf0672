import AxeBuilder from '@axe-core/playwright'
import { type BrowserContext, expect, type Page } from '@playwright/test'
import type { WebchatChannel, WebchatChannelForm } from '#features/webchat/contract.ts'
import { PASSWORD } from '#test/make.ts'
import type { Product } from '#test/product.ts'
import { type ForeignSite, openForeignSite } from './pages/foreign-site.ts'
import { company, test } from './pages/product.ts'
import { widget } from './pages/widget.ts'

const form: WebchatChannelForm = {
  name: 'Site',
  queueId: null,
  look: {
    title: 'Loja Cambuí',
    welcome: 'Oi!',
    away: 'Já voltamos',
    color: '#F2B02C',
    position: 'right',
    theme: 'auto',
  },
  domains: [],
  requiresProof: false,
}

const sites: ForeignSite[] = []
test.afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.close()))
})

/** Creates a company with a channel on a foreign site, and helpers for its team. */
async function scene(product: Product, change: Partial<WebchatChannelForm> = {}, early = '') {
  const { tenantId, ask, accept, say } = await company(product)
  const channel = await ask<WebchatChannel>('POST', '/webchat/channels', { ...form, ...change })
  const site = await openForeignSite(product.address, channel.token, early)
  sites.push(site)
  const { db } = product.app.platform
  const stored = () =>
    db.read(tenantId, (tenant) =>
      tenant.selectFrom('messages').select(['body', 'status', 'from_me']).orderBy('timestamp').orderBy('seq').execute(),
    )
  return { ask, channel, site, stored, accept, say }
}

/** Opens the site's page and collects the browser's errors. */
async function visit(context: BrowserContext, origin: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(origin)
  return { page, complaints }
}

test('a conversation on another site, by keyboard, under that site’s strict policy', async ({ product, context }) => {
  const { site, stored, accept, say, ask } = await scene(product)
  const { page, complaints } = await visit(context, site.origin)
  const { launcher, chat, field, log } = widget(page)
  await expect(launcher).toHaveAttribute('aria-label', 'Abrir conversa')
  await launcher.focus()
  await page.keyboard.press('Enter')
  await expect(field).toBeFocused()
  await page.keyboard.type('Vocês têm a mesa *Jatobá*?')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('De 6 lugares')
  await page.keyboard.press('Enter')
  await expect(chat.getByRole('img', { name: 'Enviada', exact: true })).toBeVisible()
  await expect(log.locator('strong')).toHaveText('Jatobá')
  await expect
    .poll(stored)
    .toEqual([{ body: 'Vocês têm a mesa *Jatobá*?\nDe 6 lugares', status: 'received', from_me: false }])

  const ticketId = await accept()
  await ask('POST', `/messages/${ticketId}/typing`, { state: 'composing' })
  await expect(chat.getByText('Ana Souza está digitando…')).toBeVisible()
  await say(ticketId, 'Temos sim')
  await expect(log.getByText('Temos sim')).toBeVisible()
  await expect.poll(async () => (await stored())[1]?.status).toBe('read')

  await page.keyboard.press('Escape')
  await expect(launcher).toBeFocused()
  await say(ticketId, 'Quer ver uma foto?')
  await expect(launcher).toHaveAttribute('aria-label', 'Abrir conversa, 1 mensagem nova')
  await expect.poll(async () => (await stored())[2]?.status).toBe('delivered')
  await page.keyboard.press('Enter')
  await expect(launcher).toHaveAttribute('aria-label', 'Fechar conversa')
  await expect.poll(async () => (await stored())[2]?.status).toBe('read')
  expect(complaints).toEqual([])
})

test('calls that the page made before our script was there are kept, and its listeners hear', { tag: '@wide' }, async ({
  product,
  context,
}) => {
  const early = `
    guiche.push(['on', 'open', () => { document.title = 'aberto' }])
    guiche.push(['setUser', 'c-7', { name: 'Caio Prado', email: 'caio@site.dev' }])
    guiche.push(['setCustomAttributes', { plano: 'ouro' }])
    guiche.push(['open'])`
  const { site, accept } = await scene(product, {}, early)
  const { page, complaints } = await visit(context, site.origin)
  const { field } = widget(page)
  await expect(page).toHaveTitle('aberto')
  await field.fill('Oi')
  await field.press('Enter')
  const ticketId = await accept()
  const contact = () =>
    product.app.platform.db.asPlatform((db) =>
      db
        .selectFrom('tickets')
        .innerJoin('contacts', 'contacts.id', 'tickets.contact_id')
        .select(['name', 'email', 'extra_info'])
        .where('tickets.id', '=', ticketId)
        .executeTakeFirstOrThrow(),
    )
  await expect.poll(contact).toEqual({
    name: 'Caio Prado',
    email: 'caio@site.dev',
    extra_info: [{ id: 'webchat:plano', name: 'plano', value: 'ouro' }],
  })
  await page.evaluate(() => (window as unknown as { guiche: { close(): void } }).guiche.close())
  await expect(widget(page).launcher).toHaveAttribute('aria-expanded', 'false')
  expect(complaints).toEqual([])
})

/** Closes the browser's storage to frames of the product, as browsers do that block third parties. */
const blockThirdParties = (context: BrowserContext, product: Product) =>
  context.addInitScript((origin) => {
    if (location.origin !== origin) return
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('blocked', 'SecurityError')
      },
    })
  }, product.address)

test('the conversation outlives a reload where third parties may not store anything', { tag: '@wide' }, async ({
  product,
  context,
}) => {
  await blockThirdParties(context, product)
  const { site, channel, stored } = await scene(product)
  const { page, complaints } = await visit(context, site.origin)
  await widget(page).launcher.click()
  await widget(page).field.fill('Guarde isto')
  await widget(page).field.press('Enter')
  await expect(widget(page).chat.getByRole('img', { name: 'Enviada', exact: true })).toBeVisible()
  const kept = () => page.evaluate(() => Object.keys(localStorage))
  expect(await kept()).toEqual([`guiche:${channel.token}:visitor`])
  await page.getByRole('link', { name: 'Outra página' }).click()
  await expect(widget(page).log.getByText('Guarde isto')).toBeVisible()
  await widget(page).field.fill('E isto')
  await widget(page).field.press('Enter')
  await expect.poll(async () => (await stored()).map(({ body }) => body)).toEqual(['Guarde isto', 'E isto'])
  expect(complaints).toEqual([])
})

test('two tabs of a visitor show the same, and what is read in one is read in the other', { tag: '@wide' }, async ({
  product,
  context,
}) => {
  const { site, accept, say } = await scene(product)
  const one = (await visit(context, site.origin)).page
  const two = (await visit(context, site.origin)).page
  await widget(one).launcher.click()
  await widget(one).field.fill('Da primeira')
  await widget(one).field.press('Enter')
  await expect(widget(two).chat.getByText('Da primeira')).toBeAttached()
  const ticketId = await accept()
  await widget(one).launcher.click()
  await say(ticketId, 'Para as duas')
  for (const tab of [one, two]) await expect(widget(tab).launcher).toHaveAttribute('aria-label', /1 mensagem nova/)
  await two.bringToFront()
  await widget(two).launcher.click()
  await expect(widget(two).log.getByText('Para as duas')).toBeVisible()
  await expect(widget(one).launcher).toHaveAttribute('aria-label', 'Abrir conversa')
  await widget(two).field.fill('Da segunda')
  await widget(two).field.press('Enter')
  await expect(widget(one).chat.getByText('Da segunda')).toBeAttached()
})

test('what is written without a connection waits, survives a reload and is sent once', async ({ product, context }) => {
  const { site, stored } = await scene(product)
  const { page } = await visit(context, site.origin)
  await widget(page).launcher.click()
  await widget(page).field.fill('antes')
  await widget(page).field.press('Enter')
  await expect(widget(page).chat.getByRole('img', { name: 'Enviada', exact: true })).toBeVisible()
  // The answer is lost after the server took the message: the worst moment.
  let lost = false
  await page.route('**/api/webchat/messages', async (route) => {
    if (lost || route.request().method() !== 'POST') return route.continue()
    lost = true
    await route.fetch()
    await route.abort()
  })
  await widget(page).field.fill('durante')
  await widget(page).field.press('Enter')
  await expect(widget(page).chat.getByRole('img', { name: 'Enviada' })).toHaveCount(2)
  await expect(widget(page).chat.getByText('Sem conexão')).toHaveCount(0)
  await context.setOffline(true)
  await widget(page).say('sem linha')
  await expect(widget(page).chat.getByText('Sem conexão. Sua mensagem segue assim que ela voltar.')).toBeVisible()
  await context.setOffline(false)
  await page.reload()
  await expect(widget(page).log.getByText('durante')).toHaveCount(1)
  await widget(page).field.fill('depois')
  await widget(page).field.press('Enter')
  await expect
    .poll(async () => (await stored()).map(({ body }) => body))
    .toEqual(['antes', 'durante', 'sem linha', 'depois'])
  await expect(widget(page).chat.getByRole('img', { name: 'Enviada', exact: true })).toHaveCount(4)
  await expect(widget(page).log.getByText('durante')).toHaveCount(1)
})

test('without WebSockets the conversation goes on by asking', { tag: '@wide' }, async ({ product, context }) => {
  await context.routeWebSocket(/socket\.io/, (socket) => socket.close())
  const { site, accept, say } = await scene(product)
  const { page } = await visit(context, site.origin)
  await widget(page).launcher.click()
  await widget(page).field.fill('Oi')
  await widget(page).field.press('Enter')
  await say(await accept(), 'Chegou assim mesmo')
  await expect(widget(page).log.getByText('Chegou assim mesmo')).toBeVisible({ timeout: 20_000 })
  await expect(widget(page).chat.getByText('Sem conexão')).toHaveCount(0)
})

test('a refused message says why and can be sent again; files are shown and sent with a caption', {
  tag: '@wide',
}, async ({ product, context }) => {
  const { site, stored } = await scene(product)
  const { page } = await visit(context, site.origin)
  const { launcher, chat, field, log } = widget(page)
  await launcher.click()
  let refuses = true
  await page.route('**/api/webchat/messages', (route) =>
    refuses && route.request().method() === 'POST'
      ? route.fulfill({ status: 422, json: { error: 'ERR_MESSAGE_TOO_LONG', message: 'A mensagem é longa demais.' } })
      : route.continue(),
  )
  await field.fill('de novo')
  await field.press('Enter')
  await expect(chat.getByRole('alert').filter({ hasText: 'A mensagem é longa demais.' })).toBeVisible()
  refuses = false
  await chat.getByRole('button', { name: 'Tentar de novo' }).click()
  await expect(chat.getByRole('img', { name: 'Enviada', exact: true })).toBeVisible()

  const png = await page.screenshot()
  await chat.locator('input[type=file]').setInputFiles({ name: 'planta.png', mimeType: 'image/png', buffer: png })
  await expect(chat.getByRole('list', { name: 'Anexos' })).toContainText('planta.png')
  await field.fill('Segue a planta')
  await field.press('Enter')
  await expect(chat.getByRole('img', { name: 'Enviada', exact: true })).toHaveCount(2)
  await expect.poll(async () => (await stored()).map(({ body }) => body)).toEqual(['de novo', 'Segue a planta'])
  await page.reload()
  const picture = log.locator('.picture img')
  await expect(picture).toBeVisible()
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
})

test('on a phone it covers the page, keeps the keyboard’s room, and Tab stays inside', { tag: '@wide' }, async ({
  product,
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  // Browsers tell a page of the keyboard by making the visual viewport smaller; no test can open a real one.
  await context.addInitScript(() => {
    const view = Object.assign(new EventTarget(), { height: 844, offsetTop: 0, scale: 1 })
    Object.defineProperty(window, 'visualViewport', { value: view })
  })
  const { site } = await scene(product)
  const { page } = await visit(context, site.origin)
  const { launcher, chat, field } = widget(page)
  await launcher.tap()
  await expect(launcher).toBeHidden()
  const frame = page.locator('#guiche-webchat iframe')
  await expect.poll(() => frame.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
  await page.evaluate(() => {
    const view = window.visualViewport as VisualViewport
    Object.assign(view, { height: 460, offsetTop: 0 })
    view.dispatchEvent(new Event('resize'))
  })
  await expect.poll(async () => (await frame.boundingBox())?.height).toBe(460)
  const box = await field.boundingBox()
  expect(box && box.y + box.height).toBeLessThanOrEqual(460)

  await chat.getByRole('button', { name: 'Fechar conversa' }).focus()
  await page.keyboard.press('Shift+Tab')
  await expect(chat.getByRole('button', { name: 'Enviar' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(chat.getByRole('button', { name: 'Fechar conversa' })).toBeFocused()
  await chat.getByRole('button', { name: 'Fechar conversa' }).tap()
  await expect(launcher).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.style.overflow)).toBe('')
  await context.close()
})

test('only the sites of the channel may show it', { tag: '@wide' }, async ({ product, context }) => {
  const { site } = await scene(product, { domains: ['loja.com.br'] })
  const { page, complaints } = await visit(context, site.origin)
  await expect.poll(() => complaints.join()).toContain('frame-ancestors')
  await expect(widget(page).launcher).toBeHidden()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nothing to object for accessibility, ${colorScheme}`, { tag: '@wide' }, async ({ product, browser }) => {
    const context = await browser.newContext({ colorScheme })
    const { site, accept, say } = await scene(product)
    const { page } = await visit(context, site.origin)
    const { launcher, chat, field, log } = widget(page)
    await launcher.click()
    await field.fill('Oi, veja https://loja.com.br/mesa')
    await field.press('Enter')
    await say(await accept(), 'Bom dia *Caio*')
    await expect(log.getByText('Bom dia')).toBeVisible()
    await chat
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('x') })
    const { violations } = await new AxeBuilder({ page }).include('#guiche-webchat').analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([])
    await context.close()
  })
}

test('an administrator makes a channel, tries it beside its settings and copies its code', {
  tag: ['@connections', '@wide'],
}, async ({ product, page }) => {
  const { admin, ask } = await company(product)
  await page.goto(`${product.address}/login`)
  await page.getByLabel('E-mail').fill(admin.email)
  await page.getByLabel('Senha', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
  await page.goto(`${product.address}/configuracoes/webchat`)
  await page.getByRole('button', { name: 'Criar o primeiro canal' }).click()

  await page.getByLabel('Título da conversa').fill('Balcão da Loja')
  await page.getByRole('combobox', { name: 'Sites permitidos' }).fill('loja.com.br')
  await page.keyboard.press('Control+Enter') // what is still being written is saved too
  await expect(page.getByText('Canal salvo.')).toBeVisible()

  const preview = page.frameLocator('iframe[title^="O canal"]')
  await preview.locator('#guiche-webchat .go').click()
  const chat = preview.frameLocator('#guiche-webchat iframe')
  await expect(chat.getByRole('heading', { name: 'Balcão da Loja' })).toBeVisible()
  await chat.getByRole('textbox', { name: 'Mensagem' }).fill('Testando')
  await page.keyboard.press('Enter')
  await expect(chat.getByRole('img', { name: 'Enviada', exact: true })).toBeVisible()
  const waiting = () => ask<{ tickets: { lastMessage: string }[] }>('GET', '/tickets?status=pending')
  await expect.poll(async () => (await waiting()).tickets.map((ticket) => ticket.lastMessage)).toEqual(['Testando'])

  const { channels } = await ask<{ channels: WebchatChannel[] }>('GET', '/webchat/channels')
  expect(channels[0]?.domains).toEqual(['loja.com.br'])
  const code = `<script async src="${product.address}/widget/guiche.js" data-token="${channels[0]?.token}"></script>`
  await expect(page.locator('pre')).toHaveText(code)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copiar código de instalação' }).click()
  await expect(page.getByRole('button', { name: 'Copiado' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code)
})

test('a visitor answers a message by its button and by a swipe, and sees what the team quotes', {
  tag: '@wide',
}, async ({ product, browser }) => {
  const { site, stored, accept, say, ask } = await scene(product)
  const context = await browser.newContext({ hasTouch: true })
  const { page, complaints } = await visit(context, site.origin)
  const { launcher, chat, field, log, say: write } = widget(page)
  await launcher.click()
  await write('Tem na cor azul?')
  const ticketId = await accept()
  await say(ticketId, 'Tem sim, a partir de quinta')
  const line = log.locator('.message', { hasText: 'Tem sim, a partir de quinta' })
  await line.hover()
  await line.getByRole('button', { name: 'Responder a esta mensagem' }).click()
  const quoting = chat.locator('.composer .quote')
  await expect(quoting).toContainText('Ana SouzaTem sim, a partir de quinta')
  await expect(field).toBeFocused()
  await field.press('Escape')
  await expect(quoting).toHaveCount(0)
  await expect(launcher).toHaveAttribute('aria-label', 'Fechar conversa')

  // A finger draws it to the right; up and down it scrolls.
  const drag = (dx: number, dy: number) =>
    line.evaluate(
      (element, [dx, dy]) => {
        const at = { pointerType: 'touch', bubbles: true, pointerId: 1 }
        element.dispatchEvent(new PointerEvent('pointerdown', { ...at, clientX: 50, clientY: 50 }))
        element.dispatchEvent(new PointerEvent('pointermove', { ...at, clientX: 50 + dx, clientY: 50 + dy }))
        element.dispatchEvent(new PointerEvent('pointerup', { ...at, clientX: 50 + dx, clientY: 50 + dy }))
      },
      [dx, dy] as const,
    )
  await drag(10, 80)
  await drag(20, 0)
  await expect(quoting).toHaveCount(0)
  await drag(70, 5)
  await expect(quoting).toBeVisible()
  await expect(line).toHaveCSS('transform', 'none')
  expect((await new AxeBuilder({ page }).include('#guiche-webchat').analyze()).violations).toEqual([])
  await write('Então quero duas')
  await expect(quoting).toHaveCount(0)
  await expect(log.locator('.message', { hasText: 'Então quero duas' }).locator('.quote')).toContainText('Tem sim')
  await expect.poll(async () => (await stored()).length).toBe(3)
  type Shown = { messages: { id: string; body: string; quotedMsg: { body: string } | null }[] }
  const { messages } = await ask<Shown>('GET', `/messages/${ticketId}`)
  expect(messages.at(-1)).toMatchObject({
    body: 'Então quero duas',
    quotedMsg: { body: 'Tem sim, a partir de quinta' },
  })

  const answer = { idFront: crypto.randomUUID(), body: 'Separei', isNote: false, quotedMsgId: messages.at(-1)?.id }
  await ask('POST', `/messages/${ticketId}`, answer)
  const quoted = log
    .locator('.message.in', { hasText: 'Separei' })
    .getByRole('button', { name: 'Ver a mensagem citada' })
  await expect(quoted).toContainText('VocêEntão quero duas')
  await page.reload()
  await expect(quoted).toContainText('VocêEntão quero duas')
  expect(complaints).toEqual([])
  await context.close()
})
