import { type BrowserContext, expect, type Page, type Worker } from '@playwright/test'
import { type PushDevice, startPushService } from '#test/peers/push-service.ts'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test.use({ serviceWorkers: 'allow' })

/** The test's browser knows no push service: its subscription is one of the service beside it. */
async function subscribing(context: BrowserContext, { subscription }: PushDevice): Promise<void> {
  await context.grantPermissions(['notifications'])
  await context.addInitScript((json) => {
    const key = 'test-subscribed'
    const made = () => ({
      endpoint: json.endpoint,
      options: { applicationServerKey: null },
      toJSON: () => json,
      unsubscribe: async () => localStorage.removeItem(key),
    })
    PushManager.prototype.subscribe = async () => {
      localStorage.setItem(key, 'yes')
      return made() as never
    }
    PushManager.prototype.getSubscription = async () => (localStorage.getItem(key) ? made() : null) as never
    // Without a screen Chromium grants it and says that it does not.
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
  }, subscription)
}

/** The device's list of notices, which a Chromium without a screen does not have. */
const giveList = (worker: Worker) =>
  worker.evaluate(`(() => {
    const list = self.list = []
    const close = (one) => list.includes(one) && list.splice(list.indexOf(one), 1)
    ServiceWorkerRegistration.prototype.showNotification = async (title, options = {}) => {
      for (const one of list.filter(({ tag }) => tag === options.tag)) close(one)
      const one = { title, body: '', ...options, close: () => close(one) }
      list.push(one)
    }
    ServiceWorkerRegistration.prototype.getNotifications = async ({ tag } = {}) =>
      list.filter((one) => tag === undefined || one.tag === tag)
  })()`)

type Shown = { title: string; body: string; tag: string; renotify?: boolean }
const shown = (worker: Worker) =>
  worker.evaluate(`self.list.map(({ title, body, tag, renotify }) => ({ title, body, tag, renotify }))`) as Promise<
    Shown[]
  >

/** Clicks the only notification, or its button. */
const touch = (worker: Worker, action: string) =>
  worker.evaluate(`self.dispatchEvent(
    Object.assign(new ExtendableEvent('notificationclick'), { notification: self.list[0], action: '${action}' }))`)

/** Passes pushes that the service accepted for a device to the page's worker. */
async function receiver(context: BrowserContext, page: Page) {
  const session = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const one = registrations.find(({ isDeleted }) => !isDeleted)
      if (one) resolve(one.registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  const { origin } = new URL(page.url())
  return (content: unknown) =>
    session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(content) })
}

test('a closed product notifies the device, opens the exact message ready to answer, and takes back what was read', {
  tag: ['@push', '@profile', '@wide'],
}, async ({ anotherProduct, browser }) => {
  test.slow()
  const service = await startPushService()
  const product = await anotherProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.0/8', '::1/128'] } })
  const { talking, hear, people } = await shop(product)
  const id = await talking('Marlene', people.ana)
  const { context, page, complaints } = await sitDown(browser, product, people.ana)
  const device = service.device()
  await subscribing(context, device)

  await page.goto('/perfil')
  const notices = page.getByRole('switch', { name: /^Avisos neste dispositivo/ })
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await expect(notices).toBeEnabled()
  await notices.click({ force: true })
  await expect(notices).toBeChecked()
  await expectAccessible(page)
  await page.reload()
  await expect(notices).toBeChecked()
  const worker = context.serviceWorkers()[0] as Worker
  await giveList(worker)
  const deliver = await receiver(context, page)

  // Only pages that are none of the product's are open.
  await page.goto('/api/openapi.json')
  await hear('Marlene', 'Vocês abrem sábado?')
  const { content } = await device.next()
  const tag = `/atendimento/${id}`
  await deliver(content)
  await expect
    .poll(() => shown(worker))
    .toEqual([{ title: 'Marlene', body: 'Vocês abrem sábado?', tag, renotify: true }])
  await deliver(content) // a second time without a sound
  await expect.poll(() => shown(worker)).toMatchObject([{ body: 'Vocês abrem sábado?', renotify: false }])
  await hear('Marlene', 'E domingo?')
  await deliver((await device.next()).content)
  await expect.poll(() => shown(worker)).toMatchObject([{ body: 'E domingo?', tag, renotify: true }])
  await deliver(content) // late: the newer stays
  await deliver({ kind: 'notice', tag: 'https://elsewhere.example/', seq: 9, title: 'x', text: '', at: null })
  expect(await shown(worker)).toMatchObject([{ body: 'E domingo?' }])

  // “Responder” opens the message in the existing tab, ready to write; reading it there removes the notification on every
  // device.
  const desk = await context.newPage()
  await desk.goto('/perfil')
  await expect(desk.getByRole('heading', { name: 'Sons e avisos' })).toBeVisible()
  await expect(desk).toHaveTitle(/^\(1\) /) // what arrives is received from here on
  await touch(worker, 'reply')
  await expect(desk).toHaveURL(new RegExp(`${tag}$`))
  await expect(attendance(desk).bubble('E domingo?')).toBeVisible()
  await expect(attendance(desk).field).toBeFocused()
  expect(await shown(worker)).toEqual([])
  const { content: read } = await device.next()
  expect(read).toEqual({ kind: 'read', tag })
  await hear('Marlene', 'Obrigada')
  await expect(attendance(desk).bubble('Obrigada')).toBeVisible()
  await desk.close()
  await deliver(content)
  await deliver(read)
  await expect.poll(() => shown(worker)).toMatchObject([{ title: 'Lido em outro dispositivo', tag }])
  await expect.poll(() => shown(worker)).toEqual([])
  expect(device.taken).toHaveLength(3) // “Obrigada” was read as it came

  await deliver(content)
  await page.goto('/perfil')
  await notices.click({ force: true })
  await expect(page.getByText('Este dispositivo não recebe mais avisos')).toBeVisible()
  await expect(notices).not.toBeChecked()
  await deliver(content) // who has the product in sight needs no notice
  expect(await shown(worker)).toHaveLength(1)
  await page.goto('/login')
  await expect.poll(() => shown(worker)).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
  await service.close()
})
