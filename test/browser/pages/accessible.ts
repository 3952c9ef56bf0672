import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const conformance = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * Runs axe on the page or some parts of it, once the parts are visible (a dialog's code may still load) and no fade is
 * running, since a half-faded element has no contrast. Also checks that button labels are centred: a style sheet's rule that
 * reaches into a button may shift its label.
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
