import { expect, type Page } from '@playwright/test'
import { settled, sitDown } from './pages/person.ts'
import { demoPeople, test } from './pages/product.ts'
import { isFor } from './pages/screen-cases.ts'
import { screens } from './pages/screens.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/**
 * Selector of elements that may be smaller than 44 px: links within a text, elements for the keyboard only, and a slider's
 * line.
 */
const exceptions =
  'p a, dd a, article a, a[href="#conteudo"], input[type=range], label:has(input[type=range]), [class*=load] , td a, li a'

/**
 * Returns one line per element that a finger can press but that is missed 21 px from its middle in some direction. Overlap
 * by another target counts as well; the edge of the window does not.
 */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate((skip) => {
    const targets = 'button, a[href], input:not([type=hidden]), textarea, select, summary, [role=combobox]'
    return [...document.querySelectorAll<HTMLElement>(targets)].flatMap((one) => {
      if (one.matches(skip) || !one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return []
      one.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
      const { left, top, width, height } = one.getBoundingClientRect()
      if (width < 2 || height < 2) return []
      const isOwn = (x: number, y: number) => {
        const hit = document.elementFromPoint(x, y)
        const label = hit?.closest('label')
        // A field's frame and its own buttons belong to it.
        const frame = one.closest('.mantine-Input-wrapper, .mantine-PasswordInput-root, form > div, li')
        return hit === null || one.contains(hit) || label?.control === one || frame?.contains(hit) === true
      }
      const [x, y] = [left + width / 2, top + height / 2]
      const middle = document.elementFromPoint(x, y)
      if (middle && !isOwn(x, y)) return [] // something lies over it
      const misses = [
        [20, 0],
        [-20, 0],
        [0, 20],
        [0, -20],
      ].filter(([dx = 0, dy = 0]) => !isOwn(x + dx, y + dy))
      const name = one.getAttribute('aria-label') ?? one.textContent ?? ''
      return misses.length > 0
        ? [`${one.tagName} “${name.slice(0, 60)}” ${Math.round(width)} × ${Math.round(height)}`]
        : []
    })
  }, exceptions)

/** Opens addresses one after the other as a person on a phone. */
async function check(page: Page, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    await page.goto(address)
    await settled(page)
    expect.soft(await smallTargets(page), address).toEqual([])
  }
}

test('a finger hits everything on a phone: 44 px', { tag: '@wide' }, async ({ demo, browser }) => {
  test.slow()
  const { context, page } = await sitDown(browser, demo, demoPeople.admin, phone)
  await check(page, ['/atendimento', '/contatos', '/usuarios', '/perfil'])
  await page.goto('/atendimento')
  await page.getByRole('list', { name: 'Atendimentos' }).getByRole('link').first().click()
  await settled(page)
  expect(await smallTargets(page)).toEqual([])
  await context.close()
})

for (const profile of ['admin', 'superadmin'] as const) {
  test(`a finger hits everything on every screen: ${profile} @wide`, async ({ demo, browser }) => {
    test.setTimeout(600_000)
    const { context, page } = await sitDown(browser, demo, demoPeople[profile], phone)
    const own = screens.filter((one) => !one.path.includes('$') && isFor(one, profile))
    await check(
      page,
      own.map(({ path }) => path),
    )
    await context.close()
  })
}
