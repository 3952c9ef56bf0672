import { expect } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

test('a pipeline is made of a template; an opportunity is begun beside the conversation, dragged by keyboard and won', {
  tag: ['@funnel', '@wide'],
}, async ({ product, browser }) => {
  const { admin, tenantId, made } = await company(product)
  const contact_id = await made.contact(tenantId, { name: 'Marlene Figueiredo' })
  const ticketId = await made.ticket(tenantId, { user_id: admin.id, contact_id })
  const { page, complaints, context } = await sitDown(browser, product, admin, { reducedMotion: 'reduce' })
  await page.goto('/funil/kanban')
  await page.getByRole('button', { name: 'Criar um funil' }).click()
  await page.getByRole('button', { name: 'Usar este modelo' }).nth(1).click()
  const editor = page.getByRole('dialog', { name: 'Novo funil' })
  await expect(editor.getByLabel('Nome do funil')).toHaveValue('Projetos')
  await editor.getByRole('button', { name: /^Salvar/ }).click()
  await expect(page.getByRole('row', { name: /Projetos/ })).toBeVisible()

  await page.goto(`/atendimento/${ticketId}`)
  await page.getByRole('button', { name: 'Nova oportunidade' }).click()
  const form = page.getByRole('dialog', { name: 'Nova oportunidade' })
  await form.getByLabel('O que está em jogo').fill('Mesa Jatobá')
  await form.getByLabel('Valor').fill('4890')
  await form.getByRole('button', { name: /^Salvar/ }).click()
  await expect(page.getByRole('article').filter({ hasText: 'Mesa Jatobá' })).toContainText('R$ 4.890,00')

  await page.goto('/funil/kanban')
  const column = (name: string) => page.getByRole('region', { name, exact: true })
  await expect(column('Primeiro contato')).toContainText('R$ 4.890,00')
  await expectAccessible(page)
  await page.getByRole('group', { name: 'Mesa Jatobá' }).focus()
  for (const key of ['Space', 'ArrowRight', 'Space']) await page.keyboard.press(key)
  await expect(column('Medição').getByRole('group', { name: 'Mesa Jatobá' })).toBeVisible()
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(column('Primeiro contato').getByRole('group', { name: 'Mesa Jatobá' })).toBeVisible()
  await page.getByRole('button', { name: 'Ações de Mesa Jatobá' }).click()
  await page.getByRole('menuitem', { name: 'Ganhar' }).click()
  await expect(page.getByText('Oportunidade ganha')).toBeVisible()
  await expect(page.getByRole('group', { name: 'Mesa Jatobá' })).toHaveCount(0)
  expect(complaints).toEqual([])
  await context.close()
})
