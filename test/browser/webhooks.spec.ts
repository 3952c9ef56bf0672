import { expect } from '@playwright/test'
import { startReceiver } from '#test/peers/receiver.ts'
import { expectAccessible } from './pages/accessible.ts'
import { button, drawer, field, menuOf, row, toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test('an administrator has a system informed of what happens, reads what it was sent, and lets it write by a key', {
  tag: ['@webhook-endpoints', '@api-service', '@wide'],
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
  await page.goto('/api-service')
  await button(page, 'Criar a primeira').click()
  await field(page, 'Nome da API').fill('Loja virtual')
  await drawer(page).getByRole('combobox', { name: 'Enviar por' }).click()
  await page.getByRole('option').first().click()
  await page.getByRole('button', { name: /^Salvar/ }).click()
  const token = await drawer(page)
    .getByText(/^[\w-]{43}$/)
    .innerText()
  await button(page, 'Já guardei').click()
  await menuOf(page, 'Loja virtual', 'Como usar')
  const example = await drawer(page)
    .getByText(/curl -X POST '.*external\/[0-9a-f-]{36}'/)
    .innerText()
  await expectAccessible(page)
  const [, address] = /'(http[^']+)'/.exec(example)!
  const reply = await fetch(address!.replace('localhost', '127.0.0.1'), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ number: '11 91234-5678', body: 'Seu pedido saiu para entrega.', externalKey: 'pedido-1' }),
  })
  expect(await reply.json()).toMatchObject({ messageId: expect.any(String), externalKey: 'pedido-1' })
  await page.keyboard.press('Escape')
  await menuOf(page, 'Loja virtual', 'Editar')
  await expect(drawer(page).getByText('Iniciar uma conversa com um contato')).toBeVisible()
  await field(page, 'Nome da API').fill('Loja nova')
  await page.getByRole('button', { name: /^Salvar/ }).click()
  await expect(row(page, 'Loja nova')).toBeVisible()
  receiver.close()
})
