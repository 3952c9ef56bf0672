import { expect } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

test('groups are listed, changed, and given a greeting', { tag: ['@group-tools', '@wide'] }, async ({
  product,
  browser,
}) => {
  const { admin, tenantId, made } = await company(product)
  const connection_id = await made.connection(tenantId, { type: 'lab', name: 'Loja Cambuí', status: 'CONNECTED' })
  const seen = { connection_id, seen_at: product.platform.now() }
  await made.insert('channel_groups', tenantId, {
    ...seen,
    key: '120363000000000011',
    name: 'Clientes VIP',
    role: 'admin',
  })
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto('/grupo')
  await expect(page).toHaveURL(/\/grupo\/massagrupos/)
  await expect(page.getByRole('row', { name: /Clientes VIP/ })).toContainText('Administrador')
  await expectAccessible(page)
  await page.goto('/grupo/saudacao')
  await page.getByRole('button', { name: 'Criar a primeira' }).click()
  const form = page.getByRole('dialog', { name: 'Nova saudação' })
  await form.getByRole('combobox', { name: 'Canal' }).click()
  await page.getByRole('option', { name: 'Loja Cambuí' }).click()
  await form.getByRole('combobox', { name: 'Grupo' }).click()
  await page.getByRole('option', { name: 'Clientes VIP' }).click()
  await form.getByLabel('Mensagem').fill('Bem-vindo, {{name}}!')
  await expectAccessible(page)
  await form.getByRole('button', { name: /^Salvar/ }).click()
  await expect(page.getByRole('row', { name: /Bem-vindo/ })).toContainText('Valendo')
  await page.goto('/grupo/massagrupos2')
  await page.getByRole('combobox', { name: 'Grupos' }).click()
  await page.getByRole('option', { name: 'Clientes VIP' }).click()
  await page.keyboard.press('Escape')
  await page.getByLabel('Título').last().fill('Clientes ouro')
  await page.getByRole('button', { name: 'Mudar' }).click()
  await expect(page.getByRole('row', { name: /Mudar título/ })).toBeVisible()
  expect(complaints).toEqual([])
  await context.close()
})
