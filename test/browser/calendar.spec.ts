import { expect } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

test('the calendar shows a task on its day, and leads to where calendars are connected', {
  tag: ['@calendar', '@wide'],
}, async ({ product, browser }) => {
  const { admin, tenantId, made } = await company(product)
  const at = new Date()
  const limit_date = at.toLocaleDateString('en-CA', { timeZone: 'America/Sao_Paulo' })
  await made.insert('tasks', tenantId, {
    ...{ name: 'Ligar para Marlene', owner_id: admin.id, limit_date, created_at: at, updated_at: at },
  })
  const { page, complaints, context } = await sitDown(browser, product, admin, { reducedMotion: 'reduce' })
  await page.goto('/funil/calendar')
  await expect(page.getByRole('button', { name: 'Ligar para Marlene' })).toBeVisible()
  await expectAccessible(page)
  await page.getByText('Lista', { exact: true }).click()
  await page.getByRole('button', { name: /Ligar para Marlene/ }).click()
  await expect(page).toHaveURL(/\/tarefas\?id=/)
  await page.goto('/funil/calendar')
  await page.getByRole('link', { name: 'Conectar' }).click()
  await page.getByRole('button', { name: 'Conectar uma agenda' }).click()
  const form = page.getByRole('dialog', { name: 'Nova agenda' })
  await form.getByLabel('Nome').fill('Agenda da loja')
  await form.getByLabel('ID do cliente').fill('loja.apps.example')
  await form.getByLabel('Chave secreta do cliente').fill('segredo-da-loja')
  await form.getByRole('button', { name: /^Salvar/ }).click()
  await expect(page.getByText('Falta entrar')).toBeVisible()
  await expectAccessible(page)
  expect(complaints).toEqual([])
  await context.close()
})
