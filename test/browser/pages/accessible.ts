import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const conformance = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * Gives the page, or some parts of it, to axe, once those are there (a dialog's code may still be on its way) and nothing
 * fades in or out any more: what is half there has no contrast.
 * A button's label must stand in its middle too: a rule of a sheet that reaches into it pushes it aside.
 */
export async function expectAccessible(page: Page, ...parts: readonly string[]): Promise<void> {
  for (const part of parts) await expect(page.locator(part).filter({ visible: true }).first()).toBeVisible()
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity),
  )
  const axe = new AxeBuilder({ page }).withTags(conformance)
  for (const part of parts) axe.include(part)
  const { violations } = await axe.analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  const pushed = await page.locator('.mantine-Button-root').evaluateAll((buttons) =>
    buttons.flatMap((button) => {
      const label = document.createRange()
      label.selectNodeContents(button.querySelector('.mantine-Button-label')!)
      const [outer, inner] = [button.getBoundingClientRect(), label.getBoundingClientRect()]
      const off = inner.height > 0 ? (inner.top + inner.bottom - outer.top - outer.bottom) / 2 : 0
      return Math.abs(off) > 2 ? [`${button.textContent}: ${off} px`] : []
    }),
  )
  expect(pushed).toEqual([])
}
