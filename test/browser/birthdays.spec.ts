import { expect } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { button, menuOf, row } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

test('whoever has a birthday is congratulated at the hour by themselves, and by hand', {
  tag: ['@birthdays', '@wide'],
}, async ({ anotherProduct, browser }) => {
  let now = Date.parse('2027-02-28T11:59:00Z')
  const began = Date.now()
  // Almost nine in São Paulo, on a 28 February that has no 29th behind it.
  const product = await anotherProduct({ now: () => new Date(now + Date.now() - began) })
  const { admin, tenantId, made, ask } = await company(product)
  await ask('POST', '/lab/phones', { name: 'Ana Leap', number: '5521970000001' })
  await made.contact(tenantId, { name: 'Ana Leap', number: '5521970000001', birthday_date: '1996-02-29' })
  await made.contact(tenantId, { name: 'Bia', number: '5521970000002', birthday_date: '1990-02-28', blocked: true })
  await made.contact(tenantId, { name: 'Caio', number: '5521970000003', birthday_date: '1990-03-05' })
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto('/aniversarios')
  await expect(row(page, 'Ana Leap')).toContainText('hoje')
  await expect(page.getByRole('row', { name: 'Caio' })).toHaveCount(0)
  await button(page, '7 dias').click()
  await expect(row(page, 'Caio')).toContainText('em 5 dias')
  await expectAccessible(page)
  await page.getByText('Enviar automaticamente').first().click()
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Contatos', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Descartar as alterações?' })).toBeVisible()
  await button(page, 'Continuar editando').click()
  await button(page, 'Salvar').first().click()
  await expect(page.getByText(/^Parabéns de .* salvos$/)).toBeVisible()
  await expect(row(page, 'Ana Leap')).not.toContainText('Enviados')
  now += 5 * 60_000
  await expect(async () => {
    await page.reload()
    await expect(row(page, 'Ana Leap')).toContainText('Enviados', { timeout: 1000 })
  }).toPass({ timeout: 45_000 })
  await expect(row(page, 'Bia')).toContainText('O contato está bloqueado.')
  await menuOf(page, 'Bia', 'Enviar parabéns')
  const dialog = page.getByRole('dialog', { name: 'Enviar parabéns agora' })
  await expect(dialog).toContainText('1 contato recebe o texto')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(page.getByText('Ninguém recebeu parabéns')).toBeVisible()
  expect(complaints).toEqual([])
  await context.close()
})
