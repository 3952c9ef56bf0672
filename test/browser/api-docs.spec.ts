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
  await page.goto('/api-referencia')
  const reference = page.frameLocator('iframe')
  const operations = await (await page.request.get('/api/openapi.json')).json()
  const families = new Set(
    Object.values<Record<string, { tags: string[] }>>(operations.paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) => operation.tags),
    ),
  )
  await expect(reference.locator('.opblock-tag')).toHaveCount(families.size)
  await reference.locator('#operations-tag-tags').click()
  await reference.getByRole('button', { name: 'GET /api/tags Lista de Etiquetas' }).click()
  await reference.getByRole('button', { name: 'Execute' }).click()
  await expect(reference.locator('.live-responses-table .response-col_status').nth(1)).toHaveText(/200/)
  await expect(reference.locator('.live-responses-table')).toContainText('Cliente ouro')
  await reference.getByRole('button', { name: 'Authorize' }).first().click()
  await expect(reference.getByText('bearer (http, Bearer)')).toBeVisible()
  expect([...hosts]).toEqual([product.address])
  expect(complaints).toEqual([])
  await context.close()
})
