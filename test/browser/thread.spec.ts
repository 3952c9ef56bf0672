import { expect } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { confirm } from './pages/parts.ts'
import { settled, sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

const day = 86_400_000

test('a conversation opens where one left off, and goes to a day and on from there,', {
  tag: ['@wide', '@attendance', '@messages'],
}, async ({ product, browser }) => {
  const { talking, hear, people, ticketOf } = await shop(product)
  const id = await talking('Marlene', people.ana, 'Bom dia')
  const start = Date.now() - 3 * day
  for (let n = 0; n < 45; n++) await hear('Marlene', `de antes ${n}`, start + n * 1000)
  const { page, context, complaints } = await sitDown(browser, product, people.ana)
  const { messages, bubble, row } = attendance(page)
  await page.goto(`/atendimento/${id}`)
  // A conversation never read opens at its first unread message.
  await expect(bubble('de antes 0')).toBeInViewport()
  await page.getByRole('button', { name: 'Ir para o fim da conversa' }).click()
  await expect(bubble('Bom dia')).toBeInViewport()
  await expect(row('Marlene')).not.toContainText('não lida')
  await page.goto('/contatos')
  for (let n = 0; n < 60; n++) await hear('Marlene', `novidade ${n}`)
  await page.goto(`/atendimento/${id}`)
  await expect(messages.getByText('Mensagens novas')).toBeInViewport()
  await expect(bubble('novidade 0')).toBeInViewport()
  await settled(page)
  expect((await ticketOf('Marlene')).unread_messages).toBe(60)
  await page.getByRole('button', { name: 'Ir para o fim da conversa' }).click()
  await expect(bubble('novidade 59')).toBeInViewport()
  await expect.poll(async () => (await ticketOf('Marlene')).unread_messages).toBe(0)

  await page.getByRole('button', { name: 'Mais ações do atendimento' }).click()
  await page.getByRole('menuitem', { name: 'Ir para uma data' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ir para uma data' })
  await dialog.getByLabel('Dia').fill('2090-01-01')
  await dialog.getByRole('button', { name: 'Ir', exact: true }).click()
  await expect(dialog).toContainText('Escolha um dia que já passou, ou hoje.')
  await expectAccessible(page)
  await dialog.getByLabel('Dia').fill(new Date(start - 3 * 3_600_000).toISOString().slice(0, 10))
  await dialog.getByRole('button', { name: 'Ir', exact: true }).click()
  await expect(bubble('de antes 0')).toBeInViewport()
  await messages.hover()
  await expect(async () => {
    await page.mouse.wheel(0, 3000)
    await expect(bubble('novidade 59')).toBeInViewport({ timeout: 100 })
  }).toPass()
  expect(complaints).toEqual([])
  await context.close()
})

test('two who answer see one another, and the second is asked; what is sent and resolved leads on to the next', {
  tag: ['@wide', '@attendance', '@messages'],
}, async ({ product, browser }) => {
  const { talking, people, messagesOf, ticketOf, tenantId } = await shop(product)
  await talking('Osvaldo', people.ana)
  const id = await talking('Marlene', people.ana)
  await product.platform.db.write(tenantId, (db) =>
    db
      .updateTable('users')
      .set({ configs: JSON.stringify({ preferences: { opensNext: true } }) })
      .where('id', '=', people.ana.id)
      .execute(),
  )
  const sit = async (person: Parameters<typeof sitDown>[2]) => {
    const desk = await sitDown(browser, product, person)
    await desk.page.goto(`/atendimento/${id}`)
    return { ...desk, ...attendance(desk.page) }
  }
  const [ana, bia] = [await sit(people.ana), await sit(people.bia)]
  await expect(ana.conversation.getByRole('img', { name: 'Bia Rocha está vendo' })).toBeVisible()
  await bia.field.fill('Olá! Já vejo.')
  await expect(ana.conversation.getByText('Bia Rocha está respondendo')).toBeVisible()
  await ana.say('Chegou hoje cedo')
  await expect(bia.bubble('Chegou hoje cedo')).toBeVisible()
  await bia.field.press('Enter')
  const question = bia.page.getByRole('dialog', { name: 'Ana Lima acabou de responder' })
  await expect(question).toContainText('Chegou hoje cedo')
  await expectAccessible(bia.page)
  await question.getByRole('button', { name: 'Cancelar' }).click()
  await expect(bia.field).toHaveValue('Olá! Já vejo.')
  expect((await messagesOf('Marlene')).filter(({ from_me }) => from_me)).toHaveLength(1)
  await bia.field.fill('')
  await bia.context.close()

  await ana.field.fill('Até logo!')
  await ana.field.press('ControlOrMeta+Shift+Enter')
  await expect(ana.page).not.toHaveURL(new RegExp(`/${id}`))
  await expect(ana.page.getByRole('region', { name: 'Conversa com Osvaldo' })).toBeVisible()
  expect((await ticketOf('Marlene')).status).toBe('closed')
  await ana.page.getByRole('button', { name: 'Desfazer' }).click()
  await expect.poll(async () => (await ticketOf('Marlene')).status).toBe('open')
  expect((await messagesOf('Marlene')).at(-1)?.body).toContain('Até logo!')
  expect(ana.complaints).toEqual([])
  await ana.context.close()
})

test('what a colleague already has asks before it is taken', { tag: ['@attendance', '@messages', '@wide'] }, async ({
  product,
  browser,
}) => {
  const { talking, people } = await shop(product)
  const id = String(await talking('Marlene', people.bia))
  const { page, context } = await sitDown(browser, product, people.admin)
  await page.goto(`/atendimento/${id}`)
  const { conversation } = attendance(page)
  await conversation.getByRole('button', { name: 'Assumir' }).click()
  const dialog = page.getByRole('dialog', { name: 'Assumir o atendimento de Marlene?' })
  await expect(dialog).toContainText('Bia Rocha')
  await confirm(dialog, 'Assumir')
  await expect(conversation.getByRole('button', { name: 'Resolver' })).toBeVisible()
  await context.close()
})
