import { expect } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { row } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { demoPeople, test } from './pages/product.ts'

test('the superadmin sees the channels of all companies, and opens the company of one', { tag: '@wide' }, async ({
  demo,
  browser,
}) => {
  const { page, complaints } = await sitDown(browser, demo, demoPeople.superadmin)
  await page.goto('/sessoestenants')
  await expect(page.getByRole('heading', { name: 'Canais das empresas' })).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('row').nth(1).getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Abrir a empresa', exact: true }).click()
  await expect(page).toHaveURL(/\/tenants\?id=/)
  await page.goto('/sessoestenants?busca=nada-com-este-nome')
  await expect(row(page, 'Empório')).toHaveCount(0)
  expect(complaints).toEqual([])
})
