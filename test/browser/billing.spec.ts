import { expect } from '@playwright/test'
import { ASAAS_KEY, startAsaas } from '#test/peers/asaas.ts'
import { expectAccessible } from './pages/accessible.ts'
import { button, confirm, drawer, menuOf, row } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

test('a company is charged, locked while its payment is overdue, and let in again once it is paid', {
  tag: ['@billing', '@wide'],
}, async ({ anotherProduct, browser }) => {
  const asaas = await startAsaas()
  const product = await anotherProduct()
  Object.assign(product.platform.env, { ASAAS_URL: asaas.url })
  const home = await company(product)
  const owner = await home.made.user(home.tenantId, { profile: 'superadmin' })
  const { admin, tenantId, made } = await company(product)
  const agent = await made.user(tenantId, { profile: 'user' })
  await product.platform.db.asPlatform((db) =>
    db
      .updateTable('tenants')
      .set({ name: 'Padaria Sol', identity: '11222333000181' })
      .where('id', '=', tenantId)
      .execute(),
  )
  const { page, complaints } = await sitDown(browser, product, owner)
  await page.goto('/pagamentostenants')
  await button(page, 'Conectar o Asaas').click()
  await drawer(page).getByLabel('Chave de API').fill(ASAAS_KEY)
  await expectAccessible(page)
  await button(page, 'Conectar').click()
  await expect(page.getByText('Conta do Asaas conectada')).toBeVisible()
  await expect(page.getByText(/defina PUBLIC_URL/).first()).toBeVisible()
  await menuOf(page, 'Padaria Sol', 'Cobrar pelo Asaas…')
  await drawer(page).getByLabel('Valor por mês').fill('199,90')
  await drawer(page).getByLabel('Primeiro vencimento').fill('2026-12-10')
  await expectAccessible(page)
  await button(page, 'Começar a cobrar').click()
  await expect(row(page, 'Padaria Sol')).toContainText('Em dia')
  await expect(row(page, 'Padaria Sol')).toContainText('10/12/2026')

  const desk = await sitDown(browser, product, admin)
  await desk.page.goto('/contatos')
  await expect(desk.page.getByRole('heading', { name: 'Contatos' })).toBeVisible()
  asaas.payments[0]!['status'] = 'OVERDUE'
  await menuOf(page, 'Padaria Sol', 'Conferir agora')
  await expect(row(page, 'Padaria Sol')).toContainText('Vencido')
  // The open page follows by itself, and the menu has nothing else.
  await expect(desk.page).toHaveURL(/configuracoesbloqueio/)
  await expect(desk.page.getByText(/vencido em 10\/12\/2026/)).toBeVisible()
  await expectAccessible(desk.page)
  await expect(desk.page.getByRole('link', { name: 'Fatura' })).toHaveAttribute('href', /^https:/)
  await expect(desk.page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Contatos' })).toHaveCount(
    0,
  )
  const other = await sitDown(browser, product, agent)
  await other.page.goto('/')
  await expect(other.page.getByText(/Entre em contato com o administrador do sistema!/)).toBeVisible()

  Object.assign(asaas.payments[0]!, { status: 'RECEIVED', clientPaymentDate: '2026-12-12' })
  await button(desk.page, 'Conferir agora').click()
  await expect(desk.page).toHaveURL(/contatos/)
  await menuOf(page, 'Padaria Sol', 'Deixar de cobrar…')
  await confirm(page, 'Deixar de cobrar')
  await expect(row(page, 'Padaria Sol')).toContainText('Sem cobrança')
  await menuOf(page, 'Padaria Sol', 'Ver pagamentos')
  await expect(drawer(page).getByRole('row', { name: /Pago/ })).toContainText('pago em 12/12/2026')
  await expectAccessible(page)
  expect(complaints).toEqual([])
  await asaas.close()
})
