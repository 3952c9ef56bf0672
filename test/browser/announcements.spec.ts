import { expect } from '@playwright/test'
import { button, drawer, field } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

test('what the superadmin announces is on the screens of people until they have read it', { tag: '@wide' }, async ({
  product,
  browser,
}) => {
  const { made, tenantId } = await company(product)
  const root = await made.user(tenantId, { profile: 'superadmin', name: 'Sônia Reis' })
  const ana = await made.user(tenantId, { name: 'Ana Lemos' })
  const { page, complaints } = await sitDown(browser, product, root)
  const { page: hers } = await sitDown(browser, product, ana)
  await hers.goto('/atendimento')
  await page.goto('/notificacao')
  await button(page, 'Novo aviso').first().click()
  await field(page, 'Mensagem').fill('Manutenção hoje às 22h')
  await page.keyboard.press('Control+Enter')
  await expect(drawer(page)).toHaveCount(0)
  const notice = hers.getByRole('dialog', { name: 'Aviso da instalação' })
  await expect(notice).toContainText('Manutenção hoje às 22h')
  await notice.getByRole('button', { name: 'Li o aviso' }).click()
  await expect(notice).toHaveCount(0)
  await hers.reload()
  await expect(notice).toHaveCount(0)
  expect(complaints).toEqual([])
})
