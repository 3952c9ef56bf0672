import { expect } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

test('a campaign is written, gets its contacts, is planned, sent, paused and read', {
  tag: ['@campaigns', '@wide'],
}, async ({ product, browser }) => {
  const { admin, tenantId, made } = await company(product)
  await made.connection(tenantId, { type: 'lab', name: 'Loja Cambuí', status: 'CONNECTED' })
  for (const name of ['Marlene Figueiredo', 'Iracema Lopes', 'Edson Kobayashi'])
    await made.contact(tenantId, { name, number: `55199${Math.floor(1e7 + Math.random() * 8e7)}` })
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto('/campanhas')
  await page.getByRole('button', { name: 'Criar a primeira' }).click()
  const form = page.getByRole('dialog', { name: 'Nova campanha' })
  await form.getByLabel('Nome').fill('Volta do estoque')
  await form.getByRole('combobox', { name: 'Enviar por' }).click()
  await page.getByRole('option', { name: 'Loja Cambuí' }).click()
  await form.getByLabel('Mensagem 1').fill('Oi, {{firstName}}: a mesa voltou.')
  await form.getByLabel('Intervalo (segundos)').fill('0')
  await form.getByLabel('Das').fill('00:00')
  await form.getByLabel('Até').fill('24:00')
  for (const day of ['Dom']) await form.getByRole('button', { name: day, exact: true }).click()
  await expectAccessible(page)
  await form.getByRole('button', { name: /^Salvar/ }).click()
  await page
    .getByRole('row', { name: /Volta do estoque/ })
    .getByText('Volta do estoque')
    .click()
  await page.getByRole('button', { name: 'Incluir contatos' }).first().click()
  await page.getByRole('button', { name: 'Incluir 3' }).click()
  await expect(page.getByRole('row', { name: /Marlene Figueiredo/ })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Programar envio' }).click()
  await page.getByRole('button', { name: 'Enviar a 3 contatos' }).click()
  expect(complaints).toEqual([])
  await context.close()
})
