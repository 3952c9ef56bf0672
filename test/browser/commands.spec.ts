import { expect } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test('a ticket is put off and comes back with the customer’s word, rests, and goes over another channel and to the chatbot', {
  tag: ['@attendance', '@tickets', '@wide'],
}, async ({ product, browser }) => {
  const { talking, hear, people, made, tenantId, ticketOf, ask } = await shop(product)
  await ask('PUT', '/settings/allowPause', { key: 'allowPause', value: 'enabled' })
  await ask('PUT', '/settings/showChatBot', { key: 'showChatBot', value: 'enabled' })
  // Tickets without queue and owner stay visible.
  await ask('PUT', '/settings/nullTickets', { key: 'nullTickets', value: 'enabled' })
  await made.connection(tenantId, { type: 'test', name: 'Vitrine' })
  await made.insert('chat_flows', tenantId, { name: 'Recepção' })
  await talking('Marlene', people.ana)
  await talking('Osvaldo', people.ana)
  const { context, page, complaints } = await sitDown(browser, product, people.ana)
  await page.goto('/atendimento/chats/')
  const { list, tab, row, open, conversation } = attendance(page)
  const menu = async (command: string) => {
    await page.getByRole('button', { name: 'Mais ações do atendimento' }).click()
    await page.getByRole('menuitem', { name: command }).click()
  }
  await open('Marlene')
  await expect(conversation).toBeVisible()

  // With its key; the toast contains the undo.
  await page.locator('body').press('Escape')
  await open('Marlene')
  await menu('Adiar')
  const snooze = page.getByRole('dialog', { name: 'Adiar Marlene' })
  await expect(snooze.getByRole('button', { name: /Amanhã cedo/ })).toBeVisible()
  await expectAccessible(page)
  await snooze.getByRole('button', { name: /Amanhã cedo/ }).click()
  await expect(toast(page, /Marlene adiado até/)).toBeVisible()
  await expect(tab('Adiados')).toBeVisible()
  await expect(conversation).toContainText('Adiado até')
  await tab('Adiados').click()
  await expect(row('Marlene')).toContainText('até')
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expectAccessible(page)
  await hear('Marlene', 'Mudei de ideia')
  await expect(list.getByRole('listitem')).toHaveCount(0)
  await tab('Abertos').click()
  await expect(list.getByRole('listitem').first()).toContainText('Marlene')

  await menu('Pausar')
  const pause = page.getByRole('dialog', { name: 'Pausar o atendimento de Marlene' })
  await pause.getByRole('textbox', { name: 'Motivo' }).fill('almoço')
  await expectAccessible(page)
  await pause.getByRole('button', { name: 'Pausar' }).click()
  await expect(row('Marlene')).toContainText('Pausado')
  await expect(conversation).toContainText('almoço')
  await conversation.getByRole('button', { name: 'Retomar' }).click()
  await expect(row('Marlene')).not.toContainText('Pausado')

  await menu('Mudar de canal')
  const channel = page.getByRole('dialog', { name: 'Mudar o canal de Marlene' })
  await channel.getByRole('button', { name: 'Mudar de canal' }).click()
  await expect(channel).toContainText('Escolha o canal.')
  await channel.getByRole('combobox', { name: 'Canal' }).click()
  await page.getByRole('option', { name: 'Vitrine' }).click()
  await expectAccessible(page)
  await channel.getByRole('button', { name: 'Mudar de canal' }).click()
  await expect(toast(page, 'Marlene continua por outro canal')).toBeVisible()
  await expect(conversation).toContainText('Vitrine')
  await page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Desfazer' }).last().click()
  await expect(conversation).toContainText('Balcão')

  await menu('Passar para o chatbot')
  const flow = page.getByRole('dialog', { name: 'Passar Marlene para o chatbot' })
  await flow.getByRole('combobox', { name: 'Chatbot' }).click()
  await page.getByRole('option', { name: 'Recepção' }).click()
  await flow.getByRole('button', { name: 'Passar para o chatbot' }).click()
  await expect.poll(async () => (await ticketOf('Marlene')).status).toBe('pending')
  await expect(toast(page, 'Marlene está com o chatbot')).toBeVisible()
  await tab('Chatbot').click()
  await expect(row('Marlene')).toBeVisible()
  await expect(page.getByRole('img', { name: 'ChatBot atendendo' })).toBeVisible()
  await tab('Pendentes').click()
  await expect(row('Marlene')).toHaveCount(0)
  expect(complaints).toEqual([])
  await context.close()
})
