import AxeBuilder from '@axe-core/playwright'
import { expect } from '@playwright/test'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

test('the reference shows every operation and tries one with the session, from our origin alone', {
  tag: '@wide',
}, async ({ product, browser }) => {
  const { admin, made, tenantId } = await company(product)
  await made.tag(tenantId, { tag: 'Cliente ouro' })
  const { page, complaints, context } = await sitDown(browser, product, admin)
  const hosts = new Set<string>()
  page.on('request', (request) => void (request.url().startsWith('http') && hosts.add(new URL(request.url()).origin)))
  await page.goto('/api/docs')
  await expect(page).toHaveURL(/\/api-referencia$/)
  const document = await (await page.request.get('/api/openapi.json')).json()
  const operations = Object.values<object>(document.paths).flatMap((methods) => Object.keys(methods))
  await expect(page.getByRole('button', { name: /\/api\// })).toHaveCount(operations.length)

  await page.getByRole('searchbox', { name: /^Buscar por endereço/ }).fill('lista de etiquetas')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Etiquetas 1 operação'])
  const list = page.getByRole('button', { name: 'GET /api/tags Lista de Etiquetas' })
  await list.press('Enter')
  await expect(list).toHaveAttribute('aria-expanded', 'true')
  await expect(page).toHaveURL(/operacao=tags\.list/)
  await page.getByRole('button', { name: 'Enviar' }).click()
  await expect(page.getByRole('status').filter({ hasText: '200' })).toContainText('Cliente ouro')
  expect((await new AxeBuilder({ page }).include('main').analyze()).violations).toEqual([])

  // Another token than the session's is the one that is judged.
  await page.getByLabel('Outro token').fill('inventado')
  await page.getByRole('button', { name: 'Enviar' }).click()
  await expect(page.getByRole('status').filter({ hasText: '401' })).toContainText('ERR_SESSION_EXPIRED')

  await page.getByRole('searchbox', { name: /^Buscar por endereço/ }).fill('criar etiqueta post')
  await page.getByRole('button', { name: /^POST \/api\/tags / }).click()
  await page.getByLabel('Corpo (JSON)').fill('{')
  await page.getByRole('button', { name: 'Enviar' }).click()
  await expect(page.getByText('Isto não é um JSON válido.')).toBeVisible()

  expect([...hosts]).toEqual([product.address])
  expect(complaints.filter((line) => !line.startsWith('401 GET'))).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await context.close()
})
