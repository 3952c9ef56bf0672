import { expect } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test('a view is saved, shows and comes back; who looks into a conversation is seen in its row', {
  tag: ['@wide', '@attendance', '@tickets'],
}, async ({ product, browser }) => {
  const { talking, hear, people, made, tenantId, ticketOf } = await shop(product)
  await talking('Marlene', people.ana)
  await talking('Osvaldo', people.bia)
  await hear('Zuleica', 'Oi')
  const lead = await made.user(tenantId, { name: 'Lia Sá', profile: 'super' })
  const { context, page, complaints } = await sitDown(browser, product, lead)
  await page.goto('/atendimento/chats/?tab=open')
  const { row, tab } = attendance(page)
  const menu = async (command: string) => {
    await page.getByRole('button', { name: 'Mais opções da lista' }).click()
    await page.getByRole('menuitem', { name: command }).click()
  }
  const views = page.getByRole('group', { name: 'Visões' })
  await expect(row('Marlene')).toBeVisible()

  await menu('Salvar como visão')
  const save = page.getByRole('dialog', { name: 'Salvar como visão' })
  await save.getByRole('button', { name: 'Salvar' }).click()
  await expect(save).toContainText('Dê um nome à visão.')
  await save.getByRole('textbox', { name: 'Nome' }).fill('Abertas')
  await expectAccessible(page)
  await save.getByRole('button', { name: 'Salvar' }).click()
  await expect(views.getByRole('button', { name: /Abertas 2/ })).toHaveAttribute('aria-pressed', 'true')
  await tab('Pendentes').click()
  await expect(row('Zuleica')).toBeVisible()
  await page.locator('body').press('v')
  await page.locator('body').press('1')
  await expect(row('Marlene')).toBeVisible()
  await menu('Organizar visões')
  await page.getByRole('button', { name: 'Ações de Abertas' }).click()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Excluir…' }).click()
  await expect(views).toHaveCount(0)
  await page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Desfazer' }).click()
  await expect(views.getByRole('button', { name: /Abertas/ })).toBeVisible()
  await page.keyboard.press('Escape')

  // A colleague looks into it, and stops.
  const ana = await sitDown(browser, product, people.ana)
  await ana.page.goto(`/atendimento/${(await ticketOf('Marlene')).id}`)
  await expect(row('Marlene')).toContainText('Ana Lima está vendo')
  await ana.context.close()
  await expect(row('Marlene')).not.toContainText('está vendo')

  expect(complaints).toEqual([])
  await context.close()
})

test('nothing moves under the pointer or behind the open menu of a row; what left keeps its place until it is let go', {
  tag: ['@wide', '@attendance', '@tickets'],
}, async ({ product, browser }) => {
  const { talking, hear, people, ticketOf, ask, otherQueueId } = await shop(product)
  for (const name of ['Marlene', 'Osvaldo', 'Tereza']) await talking(name, people.ana)
  const { context, page, complaints } = await sitDown(browser, product, people.ana)
  await page.goto('/atendimento/chats/?tab=open')
  const { list, row } = attendance(page)
  const inOrder = (...names: string[]) => expect(list.getByRole('link')).toContainText(names)
  const away = () => page.mouse.move(720, 450)
  await inOrder('Tereza', 'Osvaldo', 'Marlene')

  await row('Tereza').hover()
  await hear('Marlene', 'De novo eu')
  await expect(row('Marlene')).toContainText('De novo eu')
  await inOrder('Tereza', 'Osvaldo', 'Marlene')
  await away()
  await inOrder('Marlene', 'Tereza', 'Osvaldo')

  await row('Marlene').hover()
  await page.getByRole('button', { name: 'Ações de Marlene' }).click()
  await expect(page.getByRole('menu').locator(':focus')).toBeAttached()
  await away()
  await hear('Osvaldo', 'E o meu pedido?')
  await expect(row('Osvaldo')).toContainText('E o meu pedido?')
  await inOrder('Marlene', 'Tereza', 'Osvaldo')
  await page.keyboard.press('Escape')
  await inOrder('Osvaldo', 'Marlene', 'Tereza')

  await row('Osvaldo').hover()
  const { id } = await ticketOf('Marlene')
  await ask('PUT', `/tickets/${id}`, { isTransference: true, userId: people.caio.id, queueId: otherQueueId })
  await expect(list.getByRole('listitem').nth(1)).toHaveText('Saiu desta lista')
  await expect(list.getByRole('listitem')).toHaveCount(3)
  await away()
  await inOrder('Osvaldo', 'Tereza')
  expect(complaints).toEqual([])
  await context.close()
})
