import { chromium } from '@playwright/test'
import type { Product } from '#test/product.ts'
import { findChromium } from '#test/setup/chromium.ts'
import type { ListTenant } from './data.ts'
import { coldPage, type FrontEnd, medians, paint, signIn } from './front-end.ts'

const CARD = '[data-rfd-draggable-id]'
const budgets = {
  paint: { name: 'address → first card, cold', unit: 'ms', goal: '≤ 1,000' },
}

/** A board of very many cards (of contacts by stage, or at `path`), in Chromium slowed four times. */
export const measureBoard = (
  product: Product,
  { email }: Pick<ListTenant, 'email'>,
  path = '/kanban/kanbans',
): Promise<FrontEnd> => medians(budgets, () => measureOnce(product.address, email, path))

async function measureOnce(
  address: string,
  email: string,
  path: string,
): Promise<Record<keyof typeof budgets, number>> {
  const browser = await chromium.launch(await findChromium())
  try {
    const door = await coldPage(browser, `${address}/login`)
    const storage = await signIn(door.page, email)
    const { page } = await coldPage(browser, `${address}${path}`, { storage, first: CARD })
    await page.locator(CARD).first().waitFor()
    return { paint: (await paint(page)).first }
  } finally {
    await browser.close()
  }
}
