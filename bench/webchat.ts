import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Browser, chromium } from '@playwright/test'
import { io, type Socket } from 'socket.io-client'
import type { WebchatChannel } from '#features/webchat/contract.ts'
import { openForeignSite } from '#test/browser/pages/foreign-site.ts'
import { widget } from '#test/browser/pages/widget.ts'
import { startProduct } from '#test/lifecycle/product.ts'
import { make } from '#test/make.ts'
import { startProduct as openProduct } from '#test/product.ts'
import { findChromium } from '#test/setup/chromium.ts'
import { migrateFor } from './database.ts'
import { coldPage, type FrontEnd, medians } from './front-end.ts'
import { usageOf } from './start.ts'
import { ask, comeTo } from './visitor.ts'
import { delaysOfVisitors } from './visitor-delay.ts'

const memory = {
  webchatMemory: { name: 'memory of the server for 500 visitors who write and stay', unit: 'MB', goal: '≤ 100' },
}
const delays = {
  webchatFirst: { name: 'first words of a visitor → agent’s socket, p95', unit: 'ms', goal: '≤ 300' },
  webchatNext: { name: 'the next ones, p95', unit: 'ms', goal: '≤ 150' },
  webchatPicture: { name: 'a picture of 1,200 × 900, p95', unit: 'ms', goal: '≤ 300' },
}
const onPhone = {
  webchatOpen: { name: 'slow phone: press on the bubble → one can write', unit: 'ms', goal: '≤ 1,500' },
  webchatBubble: { name: 'the same, cold: the site’s address → the bubble', unit: 'ms', goal: '' },
  webchatCold: { name: 'the same, pressed at once: the site’s address → one can write', unit: 'ms', goal: '≤ 1,500' },
}

/** Keys of the measurements of the webchat. */
export const webchatKeys = [...Object.keys(memory), ...Object.keys(delays), ...Object.keys(onPhone)]

const VISITORS = 500
/** Number of earlier visitors, so that shared memory does not count for the measured ones. */
const EARLIER = 100
const AT_ONCE = 20
const IDLE_MS = 20_000
const SECRET_KEY = '07'.repeat(32)
const look = { title: 'Loja', welcome: 'Oi!', away: '', color: null, position: 'right', theme: 'auto' }

/** Visitors of a company's site, and its page on a slow phone: the product as `npm start` runs it. */
export async function measureWebchat(keys: readonly string[]): Promise<FrontEnd> {
  const dataDir = mkdtempSync(join(tmpdir(), 'guiche-bench-webchat-'))
  const database = await migrateFor(dataDir)
  const token = await makeAdmin(database.url)
  const product = startProduct({
    ...{ node: process.execPath, folder: join(import.meta.dirname, '..'), dataDir },
    env: { DATABASE_URL: database.url, SECRET_KEY, RATE_LIMITS: '0' },
  })
  try {
    const address = await product.address
    const site = await openSite(address, token)
    const figures: FrontEnd[] = []
    if (keys.includes('webchatMemory')) {
      const value = await memoryOf(product.pid, address, site)
      figures.push([{ key: 'webchatMemory', ...memory.webchatMemory, value }])
    }
    if (keys.some((key) => key in delays)) {
      const took = await delaysOfVisitors(address, site, token)
      const named = Object.entries(delays) as [keyof typeof delays, (typeof delays)['webchatNext']][]
      figures.push(named.map(([key, budget]) => ({ key, ...budget, value: took[key] })))
    }
    if (keys.some((key) => key in onPhone)) figures.push(await measureOpening(address, site))
    return figures.flat().filter(({ key }) => keys.includes(key))
  } finally {
    await product.end('SIGTERM')
    await database.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** A company's administrator, by the token. */
async function makeAdmin(databaseUrl: string): Promise<string> {
  const product = await openProduct(databaseUrl, {
    env: { ROLES: ['channels'], CONNECTIONS_PER_PROCESS: 0, SECRET_KEY },
  })
  const m = make(product.platform)
  const token = await m.token(await m.user(await m.tenant(), { profile: 'admin' }))
  await product.close()
  return token
}

/** Creates a webchat for an administrator's company; returns the code that the site's page embeds. */
export async function openSite(address: string, token: string): Promise<string> {
  const form = { name: 'Site', queueId: null, look, domains: [], requiresProof: false }
  return (await ask<WebchatChannel>(`${address}/api/webchat/channels`, form, token)).token
}

/** Returns the server's additional memory in MB for visitors with an open conversation, each with one message. */
async function memoryOf(pid: number, address: string, site: string): Promise<number> {
  const leave = await visit(address, site, EARLIER)
  leave()
  await setTimeout(IDLE_MS)
  const before = usageOf(pid).memory
  const leaveAll = await visit(address, site, VISITORS)
  await setTimeout(IDLE_MS)
  const { memory: after } = usageOf(pid)
  leaveAll()
  return after - before
}

/** Opens visitors' sessions and sockets, as the widget does; returns a function that closes them. */
async function visit(address: string, site: string, many: number): Promise<() => void> {
  const sockets: Socket[] = []
  let left = many
  const come = async () => {
    while (left-- > 0) {
      for (const path of [`/widget/frame?token=${site}`, `/api/webchat/config?token=${site}`])
        await (await fetch(address + path)).arrayBuffer()
      const { visitorToken, write } = await comeTo(address, site)
      const socket = io(`${address}/webchat`, { auth: { visitorToken }, transports: ['websocket'], forceNew: true })
      socket.on('message', (_: unknown, received: () => void) => received())
      sockets.push(socket)
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve)
        socket.once('connect_error', reject)
      })
      await write('Oi, vocês entregam?')
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, come))
  return () => {
    for (const socket of sockets) socket.disconnect()
  }
}

/** Measures the first opening of a customer's site, on a phone of 390 px, slowed four times, with a phone's network. */
async function measureOpening(address: string, token: string): Promise<FrontEnd> {
  const shown = "window.guiche.push(['on', 'ready', () => { window.shownAt = performance.now() }])"
  const site = await openForeignSite(address, token, shown)
  const browser = await chromium.launch(await findChromium())
  try {
    return await medians(onPhone, () => openOnce(browser, site.origin))
  } finally {
    await browser.close()
    await site.close()
  }
}

async function openOnce(browser: Browser, origin: string): Promise<Record<keyof typeof onPhone, number>> {
  const { page } = await coldPage(browser, origin, { isPhone: true, width: 390 })
  try {
    await page.waitForFunction(() => 'shownAt' in window)
    const webchatBubble = await page.evaluate(() => (window as unknown as { shownAt: number }).shownAt)
    // The end of the frame in which the frame is fully visible: its opening code has run, and no animation runs.
    const opened = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const frame = document.querySelector('#guiche-webchat')!.shadowRoot!.querySelector('iframe')!
          const press = () => {
            const began = performance.now()
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => resolve(performance.now() - began)
            const look = () => {
              if (getComputedStyle(frame).visibility === 'visible' && frame.getAnimations().length === 0)
                port2.postMessage(null)
              else requestAnimationFrame(look)
            }
            look()
          }
          addEventListener('pointerdown', press, { once: true, capture: true })
        }),
    )
    const { launcher, field } = widget(page)
    await launcher.tap()
    const webchatOpen = await opened
    await field.pressSequentially('Oi')
    if ((await field.inputValue()) !== 'Oi') throw new Error('one cannot write')
    return { webchatOpen, webchatBubble, webchatCold: webchatBubble + webchatOpen }
  } finally {
    await page.context().close()
  }
}
