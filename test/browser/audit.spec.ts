import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { row } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

test('an administrator finds who did what, reads it in full, proves it whole and takes it along', {
  tag: '@wide',
}, async ({ product, browser }) => {
  const { admin, ask } = await company(product)
  const { id } = await ask<{ id: number }>('POST', '/tags', { tag: '=Ouro' })
  await ask('PUT', `/tags/${id}`, { tag: '=Prata' })
  for (let n = 0; n < 45; n++) await ask('POST', '/tags', { tag: `Etiqueta ${n}` })
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto('/auditoria?acao=tags.update')
  await expect(row(page, 'Etiqueta: alterar')).toHaveCount(1)
  await expect(row(page, 'Etiqueta: criar')).toHaveCount(0)
  await page.getByRole('button', { name: 'Etiqueta: alterar' }).last().click()
  const drawer = page.getByRole('dialog')
  await expect(drawer).toContainText('=Ouro')
  await expect(drawer).toContainText('=Prata')
  await expect(drawer).toContainText('127.0.0.1')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: /Limpar filtro Ação/ }).click()
  await expect(page).toHaveURL(/\/auditoria$/)
  await page.getByRole('button', { name: 'Período' }).click()
  await page.getByRole('button', { name: 'Hoje' }).click()
  await expect(page).toHaveURL(/de=\d{4}-\d\d-\d\d&ate=\d{4}-\d\d-\d\d/)
  await page.getByPlaceholder('Nome, ação, valor ou endereço').fill('prata')
  await expect(row(page, 'Etiqueta: criar')).toHaveCount(0)
  await page.getByPlaceholder('Nome, ação, valor ou endereço').fill('')
  // More than one page: the list goes on as one reads.
  await page.getByText('Etiqueta: criar').last().scrollIntoViewIfNeeded()
  await expect(row(page, 'Etiqueta: alterar')).toBeVisible()

  await page.getByRole('button', { name: 'Conferir registros' }).click()
  await expect(page.getByText(/registros estão inteiros/)).toBeVisible()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exportar' }).click()
  const text = readFileSync(await (await saving).path(), 'utf8')
  const lines = text.trim().split('\r\n')
  expect(lines.length).toBeGreaterThanOrEqual(48)
  expect(lines[0]).toContain('registro;quando;quem;')
  expect(text).toContain('tag: =Ouro → =Prata')
  expect(text).not.toMatch(/(^|;)[=+@]/m)
  expect(complaints).toEqual([])

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('list', { name: 'Auditoria' }).getByText('Etiqueta: criar').first()).toBeVisible()
  await context.close()
})
