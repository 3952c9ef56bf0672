import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
  type Request,
} from '@playwright/test'
import { PASSWORD } from '#test/make.ts'
import type { Product } from '#test/product.ts'

/** Login data of a person created by `make.user`. */
export type Person = { email: string; password?: string }

/** Separate browser context with a logged-in person, and an empty page. */
export type Desk = { context: BrowserContext; page: Page; complaints: string[] }

/** Opens a browser context for a person, logged in as by the login page: cookie, token, identity. */
export async function sitDown(
  browser: Browser,
  { address }: Pick<Product, 'address'>,
  { email, password = PASSWORD }: Person,
  options: BrowserContextOptions = {},
): Promise<Desk> {
  const context = await browser.newContext({ baseURL: address, ...options })
  const reply = await context.request.post('/api/auth/login/', { data: { email, password } })
  expect(reply.ok(), await reply.text()).toBe(true)
  const { token, username, userId, profile } = await reply.json()
  const localStorage = Object.entries({ token, username, userId: String(userId), profile })
  const { cookies } = await context.storageState()
  await context.setStorageState({
    cookies,
    origins: [{ origin: address, localStorage: localStorage.map(([name, value]) => ({ name, value })) }],
  })
  const page = await context.newPage()
  // In a new page the mouse is in the corner, over the menu, which would open.
  page.on('load', () => void page.mouse.move(720, 450).catch(() => {}))
  return { context, page, complaints: watch(page) }
}

const underway = new WeakMap<Page, Set<Request>>()

/** Collects the errors of a page: console errors, exceptions, requests that were refused or never answered. */
export function watch(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    // The browser's own line about a refused request does not say which one; the answer does.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('response', (response) => {
    if (response.status() >= 400)
      complaints.push(`${response.status()} ${response.request().method()} ${response.url()}`)
  })
  const open = new Set<Request>()
  underway.set(page, open)
  page.on('request', (request) => void (request.url().includes('/socket.io/') || open.add(request)))
  page.on('requestfinished', (request) => void open.delete(request))
  page.on('requestfailed', (request) => {
    open.delete(request)
    // A page that is left, or a read that is no longer needed, aborts its requests.
    const reason = request.failure()?.errorText ?? ''
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${reason} ${request.url()}`)
  })
  return complaints
}

/** Logs in through the login page itself. */
export async function logIn(page: Page, { email, password = PASSWORD }: Person): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('E-mail ou usuário').fill(email)
  await page.getByLabel('Senha', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
}

/** Waits until a watched page has loaded: no request for a moment and no placeholder left. */
export async function settled(page: Page): Promise<void> {
  const open = underway.get(page)
  if (!open) throw new Error('only a watched page is known to settle')
  let quiet = 0
  const count = () => {
    quiet = open.size === 0 ? quiet + 1 : 0
    return quiet
  }
  await expect.poll(count, { intervals: [50], message: 'requests under way' }).toBeGreaterThan(3)
  await expect(page.getByRole('status', { name: 'Carregando' })).toHaveCount(0)
}
