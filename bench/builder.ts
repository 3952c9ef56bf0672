import { chromium, type Page } from '@playwright/test'
import { make } from '#test/make.ts'
import type { Product } from '#test/product.ts'
import { findChromium } from '#test/setup/chromium.ts'
import type { BenchTenant } from './data.ts'
import { coldPage, type FrontEnd, framesDuring, medians, paint, signIn } from './front-end.ts'

const STEPS = 500
const budgets = {
  js: { name: 'JS gz that the builder loads, beyond the list of chatbots', unit: 'kB', goal: '≤ 120' },
  open: { name: 'address → steps on the canvas, cold', unit: 'ms', goal: '≤ 1,000' },
  drag: { name: 'dragging a step, frame p95', unit: 'ms', goal: '≤ 25' },
  layout: { name: 'arranging all steps', unit: 'ms', goal: '≤ 5,000' },
  frozen: { name: 'the same, worst frame', unit: 'ms', goal: '≤ 700' },
  wide: { name: 'dragging a step with the whole flow in sight, frame p95', unit: 'ms', goal: '–' },
}
type Figures = Record<keyof typeof budgets, number>

/** The builder of chat flows with 500 steps of three conditions each, in Chromium slowed four times. */
export async function measureBuilder({ platform, address }: Product, { tenantId }: BenchTenant): Promise<FrontEnd> {
  const m = make(platform)
  const user = await m.user(tenantId, { profile: 'admin' })
  const definition = JSON.stringify(wideFlow())
  const id = await m.insert('chat_flows', tenantId, { name: 'Grande', definition, secrets_apart: true })
  return medians(budgets, () => measureOnce(address, user.email, id))
}

/** Returns a flow whose steps branch to later steps only. */
const wideFlow = () => ({
  nodeList: Array.from({ length: STEPS }, (_, n) => ({
    ...{ id: `n${n}`, name: `Etapa ${n}`, type: 'node' },
    interactions: [{ id: `m${n}`, type: 'MessageField', data: { message: `Pergunta ${n}: escolha uma das opções.` } }],
    conditions: [1, 2, 3].map((option) => ({
      ...{ id: `c${n}-${option}`, type: 'R', comparisonType: 'equals', condition: [String(option)], action: 0 },
      nextStepId: `n${Math.min(STEPS - 1, option === 3 ? n + 1 : 2 * n + option)}`,
    })),
  })),
  lineList: [{ from: 'start', to: 'n0' }],
})

const STEP = '.react-flow__node-step'
const MIDDLE = { x: 600, y: 450 }

async function measureOnce(address: string, email: string, id: number): Promise<Figures> {
  const browser = await chromium.launch(await findChromium())
  try {
    const door = await coldPage(browser, `${address}/login`)
    const storage = await signIn(door.page, email)
    const list = await coldPage(browser, `${address}/chat-flow`, { storage })
    const before = list.bytes().js
    await list.page.context().close()
    const { page, bytes } = await coldPage(browser, `${address}/chat-flow/builder?id=${id}`, { storage, first: STEP })
    await page.locator(STEP).first().waitFor()
    const { first: open } = await paint(page)
    const js = (bytes().js - before) / 1000
    const { frame: drag } = await dragStep(page)
    let layout = 0
    const { worst: frozen } = await framesDuring(page, async () => {
      layout = await arrange(page)
    })
    const { frame: wide } = await dragStep(page)
    return { js, open, drag, layout, frozen, wide }
  } finally {
    await browser.close()
  }
}

/** Two seconds there and back of a step in the middle: how smooth the page is from the press until it is let go. */
async function dragStep(page: Page): ReturnType<typeof framesDuring> {
  // Away from the menu, which opens under a resting pointer.
  await page.mouse.move(MIDDLE.x, MIDDLE.y)
  await page.waitForTimeout(300)
  const id = await page.evaluate(
    ({ step, x, y }) => {
      const away = (one: Element) => {
        const { left, top, width, height } = one.getBoundingClientRect()
        return Math.hypot(left + width / 2 - x, top + height / 2 - y)
      }
      const [first] = Array.from(document.querySelectorAll(step)).sort((a, b) => away(a) - away(b))
      return first?.getAttribute('data-id')
    },
    { step: STEP, ...MIDDLE },
  )
  const step = page.locator(`${STEP}[data-id="${id}"]`)
  const box = await step.boundingBox()
  if (!box) throw new Error('no step is on screen')
  const before = await step.getAttribute('style')
  const [x, y] = [box.x + box.width / 2, box.y + Math.min(16, box.height / 3)]
  await page.mouse.move(x, y)
  await page.waitForTimeout(300)
  const frames = await framesDuring(page, async () => {
    await page.mouse.down()
    const end = Date.now() + 2000
    for (let n = 0; Date.now() < end; n++) {
      await page.mouse.move(x + 150 * Math.sin(n / 12), y + 60 * Math.sin(n / 9))
      await page.waitForTimeout(16)
    }
    await page.mouse.up()
  })
  if ((await step.getAttribute('style')) === before) throw new Error('the step was not dragged')
  return frames
}

/** Returns the ms from pressing the button until the steps have moved. */
async function arrange(page: Page): Promise<number> {
  await page.evaluate((step) => {
    const at = () => Array.from(document.querySelectorAll<HTMLElement>(step), ({ style }) => style.transform).join()
    const arranged = new Promise<number>((resolve) => {
      addEventListener(
        'click',
        () => {
          const [began, before] = [performance.now(), at()]
          const look = () => (at() === before ? requestAnimationFrame(look) : resolve(performance.now() - began))
          look()
        },
        { once: true, capture: true },
      )
    })
    Object.assign(window, { arranged })
  }, STEP)
  await page.getByRole('button', { name: 'Organizar as etapas' }).click()
  const took = await page.evaluate(() => (window as unknown as { arranged: Promise<number> }).arranged)
  // The next animation shows the whole flow.
  await page.waitForTimeout(1000)
  if (await page.getByText('Não foi possível organizar').isVisible()) throw new Error('the steps were not arranged')
  return took
}
