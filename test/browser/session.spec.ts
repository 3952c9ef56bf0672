import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, expect, type Page } from '@playwright/test'
import { USUAL_WEEK } from '#domain/calendar/business-hours.ts'
import { make } from '#test/make.ts'
import { attendance } from './pages/attendance.ts'
import { toast } from './pages/parts.ts'
import { logIn, sitDown } from './pages/person.ts'
import { company, demoPeople, test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

const ready = (tab: Page) => expect(tab.getByRole('button', { name: /conta e aparência/ })).toBeVisible()
const patience = { timeout: 30_000 }
const storedIn = (page: Page) => page.evaluate(() => Object.keys(localStorage))

test('a session that runs out in two tabs amid parallel requests is renewed once, and nobody is logged out', {
  tag: '@auth',
}, async ({ anotherProduct, browser }) => {
  test.slow()
  let ahead = 0
  const product = await anotherProduct({ now: () => new Date(Date.now() + ahead) })
  const { talking, people } = await shop(product)
  const address = `/atendimento/${await talking('Marlene', people.ana, 'Bom dia')}`
  const { context, page: one, complaints } = await sitDown(browser, product, people.admin)
  const tabs = [one, await context.newPage()]
  const refused = tabs.map(() => new Set<string>())
  const answered = tabs.map(() => new Set<string>())
  const renewals: number[] = []
  for (const [index, tab] of tabs.entries()) {
    await tab.goto('/laboratorio')
    await ready(tab)
    tab.on('response', (response) => {
      const call = `${response.request().method()} ${response.url()}`
      if (!call.includes('/api/') || call.includes('/api/auth/')) return
      if (response.status() === 401) refused[index]?.add(call)
      else if (response.ok() && refused[index]?.has(call)) answered[index]?.add(call)
    })
  }
  context.on('response', (response) => {
    if (response.url().endsWith('/auth/refresh_token')) renewals.push(response.status())
  })
  // The renewal waits until five requests of each tab have been refused.
  await context.route('**/api/auth/refresh_token', async (route) => {
    await expect.poll(() => refused.map(({ size }) => size >= 5), patience).toEqual([true, true])
    await route.continue()
  })
  const tokenNow = () => one.evaluate(() => localStorage.getItem('token'))
  const before = await tokenNow()
  ahead = 16 * 60_000
  await Promise.all(tabs.map((tab) => tab.goto(address)))
  await Promise.all(tabs.map(ready))
  await expect
    .poll(() => answered.map((calls, index) => calls.size >= 5 && calls.size === refused[index]?.size), patience)
    .toEqual([true, true])
  expect(renewals).toEqual([200])
  expect(await tokenNow()).not.toBe(before)
  for (const tab of tabs) await expect(tab).toHaveURL(address)
  expect(complaints.filter((line) => !line.startsWith('401 '))).toEqual([])

  // Without the cookie there is nothing to renew with: the page ends where one logs in, and comes back from there.
  await tabs[1]?.close()
  await context.clearCookies()
  ahead = 32 * 60_000
  await one.reload()
  await expect(one).toHaveURL('/login')
  await expect(toast(one, 'Sua sessão expirou. Entre de novo.')).toBeVisible()
  expect(await storedIn(one)).not.toContain('token')
  await context.close()
})

test('two devices: one is put out and hears why; where one at a time is the rule, a new login does it', {
  tag: ['@wide', '@devices'],
}, async ({ product, browser }) => {
  const { made, tenantId } = await company(product)
  const ana = await made.user(tenantId, { profile: 'admin', name: 'Ana Lima' })
  const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Mobile/15E148 Safari/604.1'
  const phone = await sitDown(browser, product, ana, { userAgent })
  const desk = await sitDown(browser, product, ana)
  for (const { page } of [phone, desk]) {
    await page.goto('/laboratorio')
    await ready(page)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('socketEvents'))).toContain('socket:open')
  }
  await desk.page.goto('/perfil')
  const devices = desk.page.getByRole('list', { name: 'Dispositivos conectados' }).getByRole('listitem')
  await expect(devices).toHaveCount(2)
  await expect(devices.first()).toContainText('Este dispositivo')
  await devices
    .last()
    .getByRole('button', { name: /^Encerrar.*Safari no iPhone/ })
    .click()
  await expect(toast(phone.page, 'Sessão inválida. Faça login novamente.')).toBeVisible()
  expect((await storedIn(phone.page)).filter((key) => ['token', 'usuario', 'queues'].includes(key))).toEqual([])
  await expect(phone.page).toHaveURL('/login')
  await expect(toast(phone.page, 'Sessão inválida. Faça login novamente.')).toBeVisible()
  await expect(devices).toHaveCount(1)

  // The socket log can be downloaded as a file named by its moment, and emptied.
  const log = desk.page.getByRole('list', { name: 'Registro da conexão' })
  await expect(log.getByRole('listitem').first()).toContainText('Conectado')
  const [file] = await Promise.all([
    desk.page.waitForEvent('download'),
    desk.page.getByRole('button', { name: 'Exportar' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^socket-\d{13}\.json$/)
  const entries = JSON.parse(readFileSync(await file.path(), 'utf8'))
  expect(entries).toContainEqual({ timestamp: expect.any(Number), event: 'socket:open' })
  await desk.page.getByRole('button', { name: 'Limpar' }).click()
  await expect(log).toHaveCount(0)
  expect(await storedIn(desk.page)).not.toContain('socketEvents')

  await make(product.platform).setting(tenantId, 'forceLogout')
  await logIn(phone.page, ana)
  await expect(toast(desk.page, 'Nova sessão iniciada em outro dispositivo')).toBeVisible()
  await expect(desk.page).toHaveURL('/login')
  await expect(toast(phone.page, 'Login sucess!')).toBeVisible()
  expect(await storedIn(phone.page)).toContain('token')
  await phone.context.close()
  await desk.context.close()
})

test('hours that end put out whoever is in, and let nobody in', { tag: ['@users', '@wide'] }, async ({
  product,
  browser,
}) => {
  const { made, tenantId } = await company(product)
  await make(product.platform).setting(tenantId, 'useUserBusinessHours')
  const ana = await made.user(tenantId, { profile: 'admin' })
  const { context, page } = await sitDown(browser, product, ana)
  await page.clock.install()
  await page.goto('/laboratorio')
  await ready(page)
  const never = JSON.stringify(USUAL_WEEK.map((day) => ({ ...day, type: 'C' })))
  await product.platform.db.write(tenantId, (db) =>
    db.updateTable('users').set({ business_hours: never }).where('id', '=', ana.id).execute(),
  )
  // The page's clocks begin after its first screen.
  await expect(async () => {
    await page.clock.fastForward('30:01')
    await expect(page).toHaveURL('/login', { timeout: 6000 })
  }).toPass()
  for (let time = 0; time < 2; time++) {
    await expect(toast(page, 'Outside permitted opening hours')).toBeVisible()
    await expect(toast(page, 'Fora do horário de atendimento.')).toBeVisible()
    if (time === 0) await logIn(page, ana)
  }
  await expect(page).toHaveURL('/login')
  await context.close()
})

test.describe('with a worker', () => {
  test.use({ serviceWorkers: 'allow' })
  let dist: string
  test.beforeEach(() => {
    dist = mkdtempSync(join(tmpdir(), 'guiche-dist-'))
    cpSync(process.env['WEB_DIST'] ?? 'dist', dist, { recursive: true })
  })
  test.afterEach(() => rmSync(dist, { recursive: true, force: true }))

  /** Returns every address of the product that the browser caches. */
  const keptIn = (page: Page): Promise<string[]> =>
    page.evaluate(async () => {
      const found: string[] = []
      for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname)
      return found
    })
  const isControlled = (context: BrowserContext, page: Page) =>
    expect
      .poll(
        async () => context.serviceWorkers().length > 0 && page.evaluate(() => !!navigator.serviceWorker.controller),
        // Caching begins five seconds after the page, two files at a time.
        { timeout: 40_000 },
      )
      .toBe(true)

  test('the interface opens without a network and says so; a new release waits for a safe moment and loses no draft', {
    tag: '@wide',
  }, async ({ anotherProduct, browser }) => {
    test.slow()
    const product = await anotherProduct({ env: { WEB_DIST: dist } })
    const { talking, people } = await shop(product)
    const ticketId = await talking('Marlene', people.ana, 'Bom dia')
    const { context, page } = await sitDown(browser, product, people.ana)
    await page.goto(`/atendimento/${ticketId}`)
    const { field, bubble } = attendance(page)
    await expect(bubble('Bom dia')).toBeVisible()
    await isControlled(context, page)
    const manifest = await page.evaluate(async () => {
      const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]')
      const { icons, start_url } = await (await fetch(link?.href ?? '')).json()
      const sizes = icons.map(
        async ({ src }: { src: string }) => (await createImageBitmap(await (await fetch(src)).blob())).width,
      )
      return { start_url, widths: await Promise.all(sizes.slice(1)) }
    })
    expect(manifest).toEqual({ start_url: '/', widths: [192, 512, 512] })

    // Without a network: the kept page, under its own strict policy, and what is wrong.
    await context.setOffline(true)
    const shell = await page.goto('/contatos')
    expect(shell?.fromServiceWorker()).toBe(true)
    const policy = shell?.headers()['content-security-policy'] ?? ''
    expect(policy).toMatch(/script-src 'self' 'nonce-[^']+';/)
    expect(policy).toContain("default-src 'none'")
    await ready(page)
    await expect(page.getByText('Sem internet.')).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('token'))).not.toBeNull()
    const kept = await keptIn(page)
    expect(kept).toEqual(expect.arrayContaining(['/', '/login']))
    expect(kept.filter((path) => path.startsWith('/assets/')).length).toBeGreaterThan(20)
    expect(kept.filter((path) => path !== '/' && path !== '/login' && !path.startsWith('/assets/'))).toEqual([])
    await context.setOffline(false)
    await page.goto(`/atendimento/${ticketId}`)
    await expect(page.getByText('Sem internet.')).toHaveCount(0)

    // A new release is installed in the background; the page continues until it is out of view.
    await field.fill('Já lhe mando o orçam')
    await page.evaluate(() => {
      const changed = new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      )
      Object.assign(window, { sameDocument: true, changed })
    })
    const isSame = () => page.evaluate(() => 'sameDocument' in window)
    appendFileSync(join(dist, 'web', 'sw.js'), '\n// another release\n')
    // The browser may have found it by itself; a question that meets one under way gets the answer from before.
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration()
      const asking = setInterval(() => void registration?.update(), 500)
      await (window as unknown as { changed: Promise<unknown> }).changed
      clearInterval(asking)
    })
    await field.press('e')
    expect(await isSame()).toBe(true)
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { get: () => true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await expect.poll(() => isSame().catch(() => true)).toBe(false)
    await expect(field).toHaveValue(/^Já lhe mando o orçam/)

    // A script that is gone takes the worker along.
    await context.route('**/sw.js', (route) => route.fulfill({ status: 404 }))
    await page.reload()
    await expect
      .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length))
      .toBe(0)
    await context.close()
  })
})

test('navigation: one root, from the top, ctrl-click beside, and the empty chat is not opened from itself', async ({
  demo,
  browser,
}) => {
  const { context, page } = await sitDown(browser, demo, demoPeople.admin, { viewport: { width: 1440, height: 500 } })
  await page.goto('/contatos')
  await ready(page)
  expect(await page.locator('body > #root').count()).toBe(1)
  expect(await page.evaluate(() => document.baseURI)).toBe(`${demo.address}/contatos`)

  const content = page.locator('#conteudo')
  const top = () => content.evaluate((box) => box.scrollTop)
  await page.goto('/home')
  await expect(page.getByRole('heading', { name: 'Por fila' })).toBeVisible()
  await content.evaluate((box) => box.scrollTo(0, 200))
  await expect.poll(top).toBeGreaterThan(0)
  const rail = page.getByRole('link', { name: /Contatos/ }).first()
  // The tab itself is the browser's work: what the page leaves to it is looked at, and stopped here.
  await page.evaluate(() => {
    const leave = (event: MouseEvent) => {
      const link = (event.target as Element).closest('a')
      Object.assign(window, { left: event.defaultPrevented ? null : [link?.pathname, link?.target] })
      event.preventDefault()
    }
    addEventListener('click', leave, { once: true })
  })
  await rail.click({ modifiers: ['ControlOrMeta'] })
  expect(await page.evaluate(() => (window as { left?: unknown }).left)).toEqual(['/contatos', ''])
  await expect(page).toHaveURL('/home')
  expect(await top()).toBeGreaterThan(0)
  await rail.click()
  await expect(page).toHaveURL('/contatos')
  expect(await top()).toBe(0)

  await page.goto('/atendimento/chats/')
  const { list } = attendance(page)
  await expect(list).toBeVisible()
  const length = () => page.evaluate(() => history.length)
  const before = await length()
  await page
    .getByRole('link', { name: /Atendimentos/ })
    .first()
    .click()
  await expect(page).toHaveURL('/atendimento/chats/')
  expect(await length()).toBe(before)
  await context.close()
})
