import { expect, type Page } from '@playwright/test'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

const STEPS = 500

/** Steps in rows of 25, each leading to the next one and to one some way on. */
const nodeList = Array.from({ length: STEPS }, (_, index) => ({
  ...{ id: `n${index}`, name: `Etapa ${index}`, type: 'node' },
  ...{ left: `${(index % 25) * 300}px`, top: `${Math.floor(index / 25) * 260}px` },
  interactions: [{ id: 'm', type: 'MessageField', data: { message: `Olá, {{firstName}}, da etapa ${index}.` } }],
  conditions: [
    { id: 'a', type: 'R', condition: ['1'], action: 0, nextStepId: `n${Math.min(index + 1, STEPS - 1)}` },
    { id: 'b', type: 'US', action: 0, nextStepId: `n${(index * 7 + 25) % STEPS}` },
  ],
}))

/** Notes how long each frame takes from now on. */
const watchFrames = (page: Page) =>
  page.evaluate(() => {
    const frames: number[] = []
    Object.assign(window, { frames })
    let last = performance.now()
    const tick = (now: number) => {
      frames.push(now - last)
      last = now
      requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
  })
const framesOf = async (page: Page) => {
  const frames = await page.evaluate(() => (window as unknown as { frames: number[] }).frames.splice(0))
  return frames.slice(2).sort((a, b) => a - b)
}

test('five hundred steps open in a second, are dragged without a slow frame and arranged without a frozen one', {
  tag: ['@flows', '@wide'],
}, async ({ product, browser }) => {
  const { ask, admin } = await company(product)
  const { id } = await ask<{ id: number }>('POST', '/chat-flow', { name: 'Grande' })
  await ask('PUT', `/chat-flow-import/${id}`, { nodeList, lineList: [{ from: 'start', to: 'n0' }] })
  const { page, complaints, context } = await sitDown(browser, product, admin, { reducedMotion: 'reduce' })
  // Its code is there, as after the first look at any flow.
  await page.goto(`/chat-flow/builder?id=${id}`)
  const first = page.locator('.react-flow__node-step').first()
  await expect(first).toBeVisible()
  await page.getByRole('link', { name: 'Voltar aos chatbots' }).click()
  const row = page.getByRole('link', { name: 'Grande' }).first()
  await expect(row).toBeVisible()
  const opened = await page.evaluate(async () => {
    const began = performance.now()
    ;[...document.querySelectorAll<HTMLElement>('a[href*="/chat-flow/builder"]')][0]!.click()
    while (!document.querySelector('.react-flow__node-step')) await new Promise(requestAnimationFrame)
    return performance.now() - began
  })
  await watchFrames(page)
  const box = (await first.boundingBox())!
  await page.mouse.move(box.x + 60, box.y + 18)
  await page.mouse.down()
  for (let n = 0; n < 120; n++) {
    await page.mouse.move(box.x + 60 + n * 3, box.y + 18 + (n % 40) * 4)
    await page.waitForTimeout(16)
  }
  const drag = await framesOf(page)
  await page.mouse.up()
  await page.waitForTimeout(1000)
  await framesOf(page)
  const began = Date.now()
  const drawing = () => page.locator('.react-flow__viewport').innerHTML()
  const was = await drawing()
  await page.getByRole('button', { name: 'Organizar as etapas' }).click()
  await expect.poll(async () => (await drawing()) !== was, { intervals: [50], timeout: 20_000 }).toBe(true)
  const arranged = Date.now() - began
  const layout = await framesOf(page)
  const figures = {
    opened: Math.round(opened),
    dragP95: Math.round(drag[Math.floor(drag.length * 0.95)]! * 10) / 10,
    arranged,
    worstWhileArranged: Math.round(layout.at(-1)!),
    frames: [drag.length, layout.length],
  }
  test.info().annotations.push({ type: 'figures', description: JSON.stringify(figures) })
  console.log(figures)
  expect(figures.opened).toBeLessThanOrEqual(1000)
  expect(figures.dragP95).toBeLessThanOrEqual(25)
  expect(figures.arranged).toBeLessThanOrEqual(5000)
  expect(figures.worstWhileArranged).toBeLessThanOrEqual(500)
  expect(complaints).toEqual([])
  await context.close()
})
