import { expect } from '@playwright/test'
import { startReceiver } from '#test/peers/receiver.ts'
import { expectAccessible } from './pages/accessible.ts'
import { button, drawer, field, menuOf, row, toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test('an administrator has a system told what happens, tries it, and reads what it was sent', {
  tag: ['@webhook-endpoints', '@wide'],
}, async ({ anotherProduct, browser }) => {
  test.slow()
  const receiver = await startReceiver()
  const product = await anotherProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
  const { hear, people } = await shop(product)
  const { page } = await sitDown(browser, product, people.admin, { viewport: { width: 1440, height: 900 } })
  await page.goto('/configuracoes/webhooks')
  await button(page, 'Criar o primeiro').click()
  await field(page, 'Endereço').fill('http://10.0.0.1/x')
  await page.getByRole('button', { name: /^Salvar/ }).click()
  await expect(toast(page, 'Este endereço não pode ser chamado daqui.')).toBeVisible()
  await field(page, 'Endereço').fill(receiver.at('/pedidos'))
  await field(page, 'Nome').fill('Sistema de pedidos')
  await page.getByRole('button', { name: /^Salvar/ }).click()
  await expect(drawer(page).getByText(/^whsec_/)).toBeVisible()
  await button(page, 'Já guardei').click()
  await expect(row(page, 'Sistema de pedidos').getByText('Ligado')).toBeVisible()
  await menuOf(page, 'Sistema de pedidos', 'Testar')
  await expect(toast(page, /^Respondeu 200 em \d+ ms\.$/)).toBeVisible()
  await hear('Marlene', 'Meu pedido chegou?')
  await expect.poll(() => receiver.to('/pedidos').some(({ body }) => body.includes('Meu pedido chegou?'))).toBe(true)
  await menuOf(page, 'Sistema de pedidos', 'Ver envios')
  const sent = drawer(page).getByRole('button', { name: /message\.created/ })
  await expect(sent.getByText('Entregue')).toBeVisible()
  await sent.click()
  await expect(drawer(page).getByText(/"body": "Meu pedido chegou\?"/)).toBeVisible()
  await expectAccessible(page)
  receiver.close()
})
