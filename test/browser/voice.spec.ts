import { chromium, expect } from '@playwright/test'
import { make } from '#test/make.ts'
import { startWavoip } from '#test/peers/wavoip.ts'
import { expectAccessible } from './pages/accessible.ts'
import { row } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'

test('a customer is called from the list of contacts, and calls back', { tag: ['@wide', '@voice'] }, async ({
  product,
}) => {
  const wavoip = await startWavoip()
  Object.assign(product.platform.env, { WAVOIP_URL: wavoip.url })
  const made = make(product.platform)
  const tenantId = await made.tenant()
  const admin = await made.user(tenantId, { profile: 'admin' })
  await made.contact(tenantId, { name: 'Caio Prado', number: '5519998124407' })
  const { launchOptions } = test.info().project.use
  const fakes = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']
  const browser = await chromium.launch({ ...launchOptions, args: [...(launchOptions?.args ?? []), ...fakes] })
  const token = 'token-da-linha-de-teste'
  try {
    const { page, complaints } = await sitDown(browser, product, admin, { permissions: ['microphone'] })
    await page.goto('/wavoip')
    await page.getByRole('button', { name: 'Criar a primeira' }).click()
    await page.getByLabel('Nome').fill('Vendas')
    await page.getByLabel('Token do dispositivo').fill(token)
    await page.getByRole('button', { name: /^Salvar/ }).click()
    await expect(row(page, 'Vendas')).toContainText('••••este')
    await expectAccessible(page)

    await page.goto('/contatos')
    await expect(page.getByRole('button', { name: 'Telefone' })).toBeVisible()
    await row(page, 'Caio Prado').getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: 'Ligar', exact: true }).click()
    const phone = page.getByRole('region', { name: 'Telefone' })
    await expect(phone).toContainText('Chamando...')
    await expectAccessible(page)
    wavoip.signal(token, 'accept')
    await expect(phone).toContainText('Em chamada · 0:')
    await expect.poll(() => Math.max(0, ...wavoip.state.sound.values())).toBeGreaterThan(12_800)
    await phone.getByRole('button', { name: 'Encerrar' }).click()
    await expect(phone).toBeHidden()

    wavoip.offer(token, '5521987650001', 'Dona Lia')
    await expect(phone).toContainText('Dona Lia')
    await phone.getByRole('button', { name: 'Atender' }).click()
    await expect(phone).toContainText('Em chamada · 0:')
    wavoip.signal(token, 'terminate')
    await expect(phone).toBeHidden()

    await page.goto('/logligacao')
    await expect(row(page, 'Dona Lia')).toContainText('Completada')
    await expect(page.getByRole('row')).toHaveCount(3)
    await expectAccessible(page)
    expect(complaints).toEqual([])
  } finally {
    await browser.close()
    await wavoip.close()
  }
})
