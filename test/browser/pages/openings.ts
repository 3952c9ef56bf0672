import { expect, type Locator, type Page } from '@playwright/test'

/** Selector of the layers over a page: menus, lists of options, popovers, dialogs and drawers. */
export const layers = ':is([role=menu], [role=dialog], [role=listbox], [data-combobox-dropdown])'

/** Buttons that open a form or a dialog without saying so; “Novo canal” shows its form on the page itself. */
const openers = /^(Novo(?! canal)|Nova|Convidar|Criar|Transferir|Iniciar conversa|Filtros|Editar)\b/

/** Marks one button of each kind that opens something, and returns their names. */
const markOpenings = (page: Page): Promise<string[]> =>
  page.evaluate(
    ([source]) => {
      const opener = new RegExp(source as string)
      const nameOf = (one: Element) => (one.getAttribute('aria-label') ?? one.textContent ?? '').trim()
      const opens = (one: Element) => {
        // A free text field offers no options, although it declares a list.
        if (one.hasAttribute('aria-haspopup')) return !one.closest('.mantine-TagsInput-root')
        if (one.hasAttribute('aria-controls')) return false
        const isFirstOfRow = one.matches(
          'tbody tr:first-child td:not(:first-child:last-child) > button:not([data-order-handle])',
        )
        return isFirstOfRow || opener.test(nameOf(one))
      }
      const names: string[] = []
      const kinds = new Set<string>()
      for (const one of document.querySelectorAll('button, [aria-haspopup]')) {
        const isUsable = one.checkVisibility({ visibilityProperty: true }) && !one.matches(':disabled')
        const kind = `${one.className} ${one.hasAttribute('aria-haspopup') ? one.closest('[class]')?.className : nameOf(one)}`
        if (!isUsable || !opens(one) || kinds.has(kind)) continue
        kinds.add(kind)
        one.setAttribute('data-opening', String(names.length))
        names.push(nameOf(one) || one.id)
      }
      return names
    },
    [openers.source],
  )

/**
 * Opens every layer of a page, one kind after the other, with its buttons and with the keys of palette and shortcuts: calls
 * `look` with the button's name and the layer, and closes it with Esc, which must close nothing else.
 */
export async function eachOpening(
  page: Page,
  look: (name: string, layer: Locator) => Promise<void>,
  keys: readonly string[] = ['ControlOrMeta+k', '?'],
): Promise<void> {
  const opened = page.locator(`${layers}:visible`)
  const address = page.url()
  // Filters collapsed into one chip on a phone appear on the page once it is pressed.
  const filters = page.locator('button[aria-controls][aria-expanded=false]:not([aria-haspopup])', {
    hasText: /^Filtros$/,
  })
  if (await filters.isVisible()) await filters.click()
  const close = async () => {
    await page.keyboard.press('Escape')
    await expect(opened).toHaveCount(0)
    await expect(page).toHaveURL(address)
  }
  for (const [index, name] of (await markOpenings(page)).entries()) {
    const button = page.locator(`[data-opening="${index}"]:visible`)
    if ((await button.count()) === 0) continue
    // On a touch device a long press opens what hovering would show; such buttons are skipped.
    const isUnderFinger = await button.evaluate(
      (one) => matchMedia('(hover: none)').matches && !one.checkVisibility({ opacityProperty: true }),
    )
    if (isUnderFinger) continue
    await button.click()
    // A row that may not be changed shows a refusal instead of opening.
    const refusal = page.getByRole('button', { name: 'Fechar aviso' })
    await expect(opened.or(refusal).first(), name).toBeVisible()
    if ((await opened.count()) === 0) {
      await refusal.first().click()
      continue
    }
    await look(name, opened.last())
    await close()
  }
  for (const key of keys) {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    // Out of a field as a person leaves it: its keys are text until then.
    await expect(async () => {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.matches('input, textarea, select'))).toBe(false)
    }).toPass()
    await page.keyboard.press(key)
    await expect(opened.first(), key).toBeVisible()
    await look(key, opened.last())
    await close()
  }
}
