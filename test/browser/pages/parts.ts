import { expect, type Locator, type Page } from '@playwright/test'

/** Returns the toast with this text. */
export const toast = (page: Page, text: string | RegExp) => page.getByRole('region', { name: 'Avisos' }).getByText(text)

/** A button by the whole of its name. */
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** The row of a table with this text in it. */
export const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })

/** The drawer or window that is open. */
export const drawer = (page: Page) => page.getByRole('dialog')

/** Returns a text field of the open drawer or dialog. */
export const field = (page: Page, name: string) => drawer(page).getByRole('textbox', { name, exact: true })

/** Opens a tab of the open drawer or dialog. */
export const tab = (page: Page, name: string) => drawer(page).getByRole('tab', { name }).click()

/** Runs a command from the menu of a row. */
export async function menuOf(page: Page, name: string, command: string): Promise<void> {
  await row(page, name).getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: command, exact: true }).click()
}

/** Answers a confirmation, which ignores presses in its first 300 ms. */
export async function confirm(where: Page | Locator, name: string): Promise<void> {
  const answer = where.getByRole('button', { name, exact: true })
  await expect(answer).toBeVisible()
  await expect(async () => {
    if (await answer.isVisible()) await answer.click({ timeout: 1000 })
    await expect(answer).toHaveCount(0, { timeout: 500 })
  }).toPass()
}
