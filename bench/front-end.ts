import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Browser, chromium, type Page } from '@playwright/test'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import type { Platform } from '#server/platform.ts'
import { make, PASSWORD } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import type { Product } from '#test/product.ts'
import { findChromium } from '#test/setup/chromium.ts'
import { type BenchTenant, type ListTenant, sentence, TALKING } from './data.ts'

/** Line of a table: name, median of three, unit and goal. */
export type FrontEnd = readonly { key: string; name: string; value: number; unit: string; goal: string }[]

const TICKET = '[role=list] a[href^="/atendimento/"]'
const BUBBLE = '[role=log] [aria-label*="Mensagem"]'

const budgets = {
  loginJs: { name: 'JS gz, login', unit: 'kB', goal: '≤ 130' },
  loginCss: { name: 'CSS gz, login', unit: 'kB', goal: '≤ 30' },
  deskJs: { name: 'JS gz, attendance screen, all that it loads', unit: 'kB', goal: '≤ 240' },
  deskCss: { name: 'CSS gz, attendance screen', unit: 'kB', goal: '≤ 30' },
  widget: { name: 'webchat widget gz, loader and frame', unit: 'kB', goal: '≤ 30' },
  lcp: { name: 'login LCP', unit: 'ms', goal: '≤ 700' },
  blocking: { name: 'login blocking time', unit: 'ms', goal: '≤ 150' },
  phoneFcp: { name: 'login on a phone, first paint', unit: 'ms', goal: '≤ 1,800' },
  phoneLcp: { name: 'the same, LCP', unit: 'ms', goal: '≤ 2,500' },
  phoneBlocking: { name: 'the same, blocking time', unit: 'ms', goal: '≤ 150' },
  phoneShift: { name: 'the same, layout shift', unit: '', goal: '≤ 0.1' },
  firstTicket: { name: 'first ticket visible, cold', unit: 'ms', goal: '≤ 900' },
  click: { name: 'click a ticket → messages, cold', unit: 'ms', goal: '≤ 350' },
  prefetched: { name: 'the same, prefetched', unit: 'ms', goal: '≤ 100' },
  inp: {
    name: 'typing while 50 messages/s arrive, input to next paint (one in fifty forgiven)',
    unit: 'ms',
    goal: '≤ 200',
  },
  fps: { name: 'scrolling 50,000 tickets 20 s, 50 messages/s', unit: 'frames/s', goal: '≥ 58' },
  frame: { name: 'the same, frame p95', unit: 'ms', goal: '≤ 25' },
  worst: { name: 'the same, worst frame', unit: 'ms', goal: '≤ 100' },
  nodes: { name: 'DOM nodes after it', unit: '', goal: '≤ 1,500' },
  heap: { name: 'JS heap after it', unit: 'MB', goal: '≤ 60' },
}

type Figures = Record<keyof typeof budgets, number>

/** Bytes from the build; paint, input and frames from Chromium slowed four times, with the given tenant's data behind. */
export async function measureFrontEnd(product: Product, tenant: BenchTenant, long: ListTenant): Promise<FrontEnd> {
  const user = await make(product.platform).user(tenant.tenantId, { profile: 'admin' })
  return medians(budgets, () => measureOnce(product, user.email, long))
}

/** The middle figure of three rounds for each line. */
export async function medians<K extends string>(
  budgets: Record<K, Omit<FrontEnd[number], 'key' | 'value'>>,
  round: () => Promise<Record<K, number>>,
): Promise<FrontEnd> {
  const rounds = [await round(), await round(), await round()]
  return Object.entries<Omit<FrontEnd[number], 'key' | 'value'>>(budgets).map(([key, budget]) => {
    const values = rounds.map((figures) => figures[key as K]).sort((a, b) => a - b)
    return { key, ...budget, value: values[1]! }
  })
}

async function measureOnce({ platform, address }: Product, email: string, long: ListTenant): Promise<Figures> {
  const browser = await chromium.launch(await findChromium())
  try {
    const login = await coldPage(browser, `${address}/login`)
    const { lcp, blocking } = await loginPaint(login.page)
    const loginBytes = login.bytes()
    const storage = await signIn(login.page, email)

    const phone = await coldPage(browser, `${address}/login`, { isPhone: true })
    const onPhone = await loginPaint(phone.page)
    await phone.page.context().close()

    const desk = await coldPage(browser, `${address}/atendimento?showAll=true`, { storage })
    // Away from the menu, which opens under a resting pointer.
    await desk.page.mouse.move(900, 400)
    const row = desk.page.locator(TICKET).first()
    await row.waitFor()
    const { first: firstTicket } = await paint(desk.page)
    const deskBytes = desk.bytes()
    const click = await timed(desk.page, () => row.click())
    const second = desk.page.locator(TICKET).nth(2)
    await second.hover()
    await desk.page.waitForTimeout(400)
    const prefetched = await timed(desk.page, () => second.click())
    await desk.page.context().close()

    const door = await coldPage(browser, `${address}/login`)
    const list = await coldPage(browser, `${address}/atendimento?showAll=true`, {
      storage: await signIn(door.page, long.email),
    })
    await list.page.locator(TICKET).first().waitFor()
    await list.page.locator(TICKET).first().click()
    const inp = await withMessages(platform, long, 50, () => typing(list.page))
    const scroll = await withMessages(platform, long, 50, () => scrollList(list.page, 20_000))
    const nodes = await list.page.evaluate(() => document.querySelectorAll('*').length)
    const heap = await list.page.evaluate(
      () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize,
    )
    return {
      loginJs: loginBytes.js / 1000,
      loginCss: loginBytes.css / 1000,
      deskJs: deskBytes.js / 1000,
      deskCss: deskBytes.css / 1000,
      widget: widgetBytes() / 1000,
      lcp,
      blocking,
      phoneFcp: onPhone.fcp,
      phoneLcp: onPhone.lcp,
      phoneBlocking: onPhone.blocking,
      phoneShift: onPhone.shift,
      firstTicket,
      click,
      prefetched,
      inp,
      ...scroll,
      nodes,
      heap: heap / 2 ** 20,
    }
  } finally {
    await browser.close()
  }
}

type State = Awaited<ReturnType<import('@playwright/test').BrowserContext['storageState']>>

/** Signs in with the form, closes the page and returns the browser's state. */
export async function signIn(page: Page, email: string): Promise<State> {
  await page.getByLabel(/E-mail/).fill(email)
  await page.getByLabel('Senha', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
  const state = await page.context().storageState()
  await page.context().close()
  return state
}

/** Runs `work` while messages arrive at a fixed rate, each in another of the active conversations. */
async function withMessages<T>(
  platform: Platform,
  to: ListTenant,
  perSecond: number,
  work: () => Promise<T>,
): Promise<T> {
  let n = 0
  const speak = () => receive(platform, to, [textEvent({ from: TALKING[n % TALKING.length]!, body: sentence(n++) })])
  let failure: unknown
  const note = (error: unknown) => {
    failure ??= error
  }
  const timer = setInterval(() => speak().catch(note), 1000 / perSecond)
  const done = await work().finally(() => clearInterval(timer))
  await ingestIdle(platform)
  if (failure) throw failure
  return done
}

// A phone's network as Lighthouse has it: 1.6 Mbit/s down, 750 kbit/s up, 150 ms there and back.
const PHONE_NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }

/** Measures a page without any cache on a machine slowed four times; `bytes` is the compressed size of its files. */
export async function coldPage(
  browser: Browser,
  url: string,
  {
    storage,
    isPhone = false,
    width = isPhone ? 412 : 1366,
    first = TICKET,
  }: { storage?: State; isPhone?: boolean; width?: number; first?: string } = {},
) {
  const context = await browser.newContext({
    viewport: { width, height: isPhone ? 823 : 768 },
    ...(isPhone ? { isMobile: true, hasTouch: true, deviceScaleFactor: 1.75 } : {}),
    locale: 'pt-BR',
    ...(storage ? { storageState: storage } : {}),
  })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await session.send('Network.enable')
  if (isPhone) await session.send('Network.emulateNetworkConditions', PHONE_NETWORK)
  const loaded: { url: string; body: Promise<Buffer> }[] = []
  page.on('response', (response) => {
    if (/\.(js|css)(\?|$)/.test(response.url()))
      loaded.push({ url: response.url(), body: response.body().catch(() => Buffer.alloc(0)) })
  })
  await page.addInitScript((selector) => {
    const seen = { fcp: 0, lcp: 0, blocking: 0, shift: 0, first: 0 }
    Object.assign(window, { seen })
    // The end of the frame that draws the first of what is waited for; the page's own clock, whatever the measuring waits for besides.
    const rows = new MutationObserver(() => {
      if (!document.querySelector(selector)) return
      rows.disconnect()
      const note = () => {
        seen.first = performance.now()
      }
      // Before whatever the page has put off until the frame is drawn.
      requestAnimationFrame(() => void scheduler.postTask(note, { priority: 'user-blocking' }))
    })
    rows.observe(document, { childList: true, subtree: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.lcp = entry.startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') seen.fcp = startTime
    }).observe({ type: 'paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.blocking += Math.max(0, entry.duration - 50)
    }).observe({ type: 'longtask', buffered: true })
  }, first)
  await page.goto(url, { waitUntil: 'networkidle' })
  const bodies = await Promise.all(
    loaded.map(async ({ url: from, body }) => ({ from, size: gzipSync(await body).length })),
  )
  const sum = (ending: RegExp) =>
    bodies.filter(({ from }) => ending.test(from)).reduce((total, { size }) => total + size, 0)
  return { page, bytes: () => ({ js: sum(/\.js/), css: sum(/\.css/) }) }
}

type Seen = Record<'fcp' | 'lcp' | 'blocking' | 'shift' | 'first', number>
/** Returns the paint metrics of a page. */
export const paint = (page: Page) => page.evaluate(() => (window as unknown as { seen: Seen }).seen)

/** Returns the paint metrics of a login, which the browser reports a moment later; fails if nothing is drawn. */
async function loginPaint(page: Page): Promise<Seen> {
  await page.waitForFunction(() => (window as unknown as { seen: Seen }).seen.lcp > 0)
  return paint(page)
}

// From the press to the first bubble of another conversation.
async function timed(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate((bubble) => {
    const text = () => Array.from(document.querySelectorAll(bubble), ({ textContent }) => textContent).join()
    const before = text()
    const appeared = new Promise<number>((resolve, reject) => {
      const press = () => {
        const began = performance.now()
        const look = () => {
          const took = performance.now() - began
          const shown = text()
          if (took > 20_000) reject(new Error('another conversation shows nothing else'))
          else if (shown && shown !== before) resolve(took)
          else requestAnimationFrame(look)
        }
        look()
      }
      addEventListener('pointerdown', press, { once: true, capture: true })
    })
    Object.assign(window, { appeared })
  }, BUBBLE)
  await act()
  return page.evaluate(() => (window as unknown as { appeared: Promise<number> }).appeared)
}

/** Types a sentence into the composer; returns the interaction to next paint as browsers define it, in ms. */
async function typing(page: Page): Promise<number> {
  const field = page.getByRole('textbox', { name: 'Mensagem', exact: true })
  await field.click()
  await page.evaluate(() => {
    const slowest = new Map<number, number>()
    Object.assign(window, { slowest })
    new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries() as PerformanceEventTiming[])
        if (interactionId) slowest.set(interactionId, Math.max(slowest.get(interactionId) ?? 0, duration))
    }).observe({ type: 'event', ...{ durationThreshold: 16 } })
  })
  const text = 'Um momento: estou conferindo o seu pedido, agora mesmo.'
  await field.pressSequentially(text, { delay: 60 })
  const times = await page.evaluate(() => [...(window as unknown as { slowest: Map<number, number> }).slowest.values()])
  await field.fill('')
  return times.sort((a, b) => b - a)[Math.floor(text.length / 50)] ?? 0
}

async function scrollList(page: Page, ms: number): Promise<Pick<Figures, 'fps' | 'frame' | 'worst'>> {
  const box = await page.getByRole('list', { name: 'Atendimentos' }).boundingBox()
  if (!box) throw new Error('the list of tickets is not on screen')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  return framesDuring(page, async () => {
    const end = Date.now() + ms
    while (Date.now() < end) {
      await page.mouse.wheel(0, 240)
      await page.waitForTimeout(16)
    }
  })
}

/** Measures a page's frames while `work` runs: frames per second, and the slowest twentieth and the worst frame in ms. */
export async function framesDuring(
  page: Page,
  work: () => Promise<void>,
): Promise<Pick<Figures, 'fps' | 'frame' | 'worst'>> {
  await page.evaluate(() => {
    const frames: number[] = []
    Object.assign(window, { frames })
    let last = performance.now()
    const tick = (now: number) => {
      // The last to be asked for counts alone.
      if ((window as unknown as { frames: number[] }).frames !== frames) return
      frames.push(now - last)
      last = now
      requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
  })
  await work()
  const frames = (await page.evaluate(() => (window as unknown as { frames: number[] }).frames)).slice(2)
  const sorted = [...frames].sort((a, b) => a - b)
  const total = frames.reduce((sum, frame) => sum + frame, 0)
  return {
    fps: (frames.length / total) * 1000,
    frame: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    worst: sorted.at(-1) ?? 0,
  }
}

function widgetBytes(): number {
  const root = join(import.meta.dirname, '..', 'dist', 'widget')
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(js|css)$/.test(file))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(root, file))).length, 0)
}
