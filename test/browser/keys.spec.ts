import { expect } from '@playwright/test'
import { attendance } from './pages/attendance.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test('after a menu or a dialog of a conversation that was just opened, letters are text', {
  tag: '@attendance',
}, async ({ product, browser }) => {
  const { talking, people, ticketOf } = await shop(product)
  await talking('Marlene', people.ana)
  const { context, page, complaints } = await sitDown(browser, product, people.ana)
  const { open, conversation, field } = attendance(page)
  await page.goto('/atendimento')
  await open('Marlene')
  await expect(field).toBeFocused()
  const more = conversation.getByRole('button', { name: 'Mais ações do atendimento' })
  // A second after the last letter the next one may be a command.
  const pause = () => page.waitForTimeout(1100)

  await more.click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await pause()
  await page.keyboard.type('e')
  await expect(field).toHaveValue('e')

  await more.click()
  await page.getByRole('menuitem', { name: 'Exportar conversa' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(field).toBeFocused()
  await pause()
  await page.keyboard.type('2')
  await expect(field).toHaveValue('e2')
  expect((await ticketOf('Marlene')).status).toBe('open')
  expect(complaints).toEqual([])
  await context.close()
})
