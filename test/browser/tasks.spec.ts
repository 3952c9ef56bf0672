import { expect } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { menuOf, row } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

test('a task about a conversation is written, recurs, is found among one’s own, finished and opened again', {
  tag: ['@tasks', '@wide'],
}, async ({ product, browser }) => {
  const { admin, tenantId, made } = await company(product)
  const ticketId = await made.ticket(tenantId, { user_id: admin.id })
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto(`/tarefas?id=novo&atendimento=${ticketId}`)
  const form = page.getByRole('dialog', { name: 'Nova tarefa' })
  await form.getByLabel('Tarefa').fill('Ligar sobre a entrega')
  await form.getByLabel('Descrição').fill('Confirmar o endereço')
  await form.getByLabel('Data limite').fill('2199-12-01')
  await form.getByRole('combobox', { name: 'Responsável' }).click()
  await page.getByRole('option').first().click()
  await form.getByRole('combobox', { name: 'Recorrência' }).click()
  await page.getByRole('option', { name: 'A cada 7 dias' }).click()
  await expect(form).toContainText('São criadas 2 tarefas')
  await expectAccessible(page)
  await form.getByRole('button', { name: /^Salvar/ }).click()
  await expect(page.getByRole('row', { name: 'Ligar sobre a entrega' })).toHaveCount(2)
  await expect(row(page, '01/12/2199')).toContainText(`Atendimento ${ticketId}`)
  await menuOf(page, '01/12/2199', 'Concluir')
  await expect(row(page, '01/12/2199')).toContainText('Finalizada')
  await page.getByText('Minhas', { exact: true }).click()
  await expect(row(page, '08/12/2199')).toBeVisible()
  await expect(row(page, '01/12/2199')).toHaveCount(0)
  await page.getByText('Todas', { exact: true }).click()
  await menuOf(page, '01/12/2199', 'Reabrir')
  await expect(row(page, '01/12/2199')).toContainText('Pendente')
  // The board has the same tasks; a card that is dragged to another column gets its status.
  await page.getByTitle('Quadro').click()
  const column = (name: string) => page.getByRole('region', { name, exact: true })
  await expect(column('Pendentes').getByRole('group', { name: 'Ligar sobre a entrega' })).toHaveCount(2)
  await expectAccessible(page)
  await column('Pendentes').getByRole('group', { name: 'Ligar sobre a entrega' }).first().focus()
  for (const key of ['Space', 'ArrowRight', 'Space']) await page.keyboard.press(key)
  await expect(column('Finalizadas').getByRole('group', { name: 'Ligar sobre a entrega' })).toContainText('01/12/2199')
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(column('Pendentes').getByRole('group', { name: 'Ligar sobre a entrega' })).toHaveCount(2)
  expect(complaints).toEqual([])
  await context.close()
})
