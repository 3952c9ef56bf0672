import { expect } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { button, drawer, menuOf, row, toast } from './pages/parts.ts'
import { settled, sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test('a queue tries to distribute and does; what nobody can have flows over; each asks why; who takes a break gets nothing', {
  tag: ['@attendance', '@queues', '@users', '@wide'],
}, async ({ product, browser }) => {
  const { made, tenantId, hear, people, ticketOf, queueId } = await shop(product)
  const backup = await made.queue(tenantId, { queue: 'Reforço', distribution: 'B' })
  const yesterday = new Date(Date.now() - 86_400_000)
  for (let n = 0; n < 3; n++)
    await made.ticket(tenantId, { queue_id: queueId, status: 'closed', created_at: yesterday })
  const online = (ids: readonly number[]) =>
    product.platform.db.write(tenantId, (db) =>
      db.updateTable('users').set({ is_online: true, capacity: 1 }).where('id', 'in', ids).execute(),
    )

  const lead = await sitDown(browser, product, people.admin)
  const { page: desk } = lead
  await desk.goto('/filas')
  await menuOf(desk, 'Vendas', 'Distribuição')
  const choose = async (label: string, option: string) => {
    await drawer(desk).getByRole('combobox', { name: label }).click()
    await desk.getByRole('option', { name: option }).click()
  }
  await choose('Distribuição', 'Balanceada')
  await choose('Transborda para', 'Reforço')
  await drawer(desk)
    .getByRole('textbox', { name: /^Transborda depois de/ })
    .fill('30')
  await button(desk, 'Experimentar com as chegadas de ontem').click()
  await expect(drawer(desk).getByRole('row', { name: /^Entregues/ })).toHaveText(/0 de 3.*3 de 3/)
  await settled(desk)
  await expectAccessible(desk)
  await desk.keyboard.press('Control+Enter')
  await expect(toast(desk, 'Fila salva')).toBeVisible()
  await expect(row(desk, 'Vendas')).toContainText('Balanceada')

  await made.token(people.bia)
  await online([people.ana.id, people.bia.id])
  const { page, context } = await sitDown(browser, product, people.ana)
  await page.goto('/atendimento/chats')
  await hear('Marlene', 'Bom dia')
  const { row: ticket } = attendance(page)
  await expect(ticket('Marlene')).toBeVisible()
  await expect.poll(async () => (await ticketOf('Marlene')).user_id).toBe(people.ana.id)
  const ask = async (name: string, question: string) => {
    await attendance(page).open(name)
    await page.getByRole('button', { name: 'Mais ações do atendimento' }).click()
    await page.getByRole('menuitem', { name: question }).click()
  }
  await ask('Marlene', 'Por que veio para mim?')
  await expect(drawer(page).getByRole('status')).toHaveText(/^Veio para Ana Lima em .*distribuição balanceada/)
  await expect(drawer(page)).toContainText('Bia Rocha')
  await settled(page)
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  // All people are at capacity: the waiting ticket shows that, and its next queue.
  await hear('Osvaldo', 'Oi')
  await expect.poll(async () => (await ticketOf('Osvaldo')).user_id).toBe(people.bia.id)
  await hear('Jussara', 'Alguém aí?')
  await attendance(page).tab('Pendentes').click()
  await ask('Jussara', 'Por que ninguém atende?')
  await expect(drawer(page).getByText('Já atende o máximo que pode')).toHaveCount(2)
  await expect(drawer(page)).toContainText('vai para a fila Reforço')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: /: conta e aparência/ }).click()
  await page.getByRole('menuitem', { name: 'Ausente…' }).click()
  await settled(page)
  await expectAccessible(page, '[role="dialog"]')
  await drawer(page)
    .getByRole('button', { name: /^15 minutos/ })
    .click()
  await expect(drawer(page)).toHaveCount(0)
  await page.getByRole('button', { name: /: conta e aparência/ }).click()
  await expect(page.getByRole('menuitem', { name: /^Voltar da pausa/ })).toBeVisible()
  await page.keyboard.press('Escape')
  // Her conversation is over, but she is on a break; it is Bia who becomes free.
  const close = async (name: string) => {
    const { id } = await ticketOf(name)
    await product.platform.db.write(tenantId, (db) =>
      db.updateTable('tickets').set({ status: 'closed' }).where('id', '=', id).execute(),
    )
  }
  await close('Marlene')
  await close('Osvaldo')
  await expect.poll(async () => (await ticketOf('Jussara')).user_id, { timeout: 30_000 }).toBe(people.bia.id)
  expect((await ticketOf('Jussara')).queue_id).not.toBe(backup)
  await context.close()
  await lead.context.close()
})

test('who waits for thirty minutes goes to the queue behind, and to whoever is there', {
  tag: ['@attendance', '@queues', '@wide'],
}, async ({ anotherProduct, browser }) => {
  let now = Date.now()
  const began = now
  const product = await anotherProduct({ now: () => new Date(now + Date.now() - began) })
  const { made, tenantId, ask, hear, people, ticketOf, queueId } = await shop(product)
  const backup = await made.queue(tenantId, { queue: 'Reforço', distribution: 'B' })
  const davi = await made.user(tenantId, { name: 'Davi Melo', queues: [backup] })
  await product.platform.db.write(tenantId, (db) =>
    db.updateTable('users').set({ is_online: true, capacity: 1 }).where('id', 'in', [people.ana.id, davi.id]).execute(),
  )
  // Saved through the use case: direct writes are found only in the run over all companies, every ten seconds.
  await ask('PUT', `/queue/${queueId}`, { distribution: 'B', overflowQueueId: backup, overflowMinutes: 30 })
  const { page, context } = await sitDown(browser, product, people.ana)
  await page.goto('/atendimento/chats')
  await hear('Marlene', 'Bom dia')
  await expect.poll(async () => (await ticketOf('Marlene')).user_id).toBe(people.ana.id)
  await hear('Jussara', 'Alguém aí?')
  await attendance(page).tab('Pendentes').click()
  await expect(attendance(page).row('Jussara')).toBeVisible()

  // Ana is present throughout: the overflow is not due to absence.
  for (let minutes = 0; minutes < 28; minutes += 14) {
    now += 14 * 60_000
    await made.token(people.ana)
  }
  const seat = await sitDown(browser, product, davi)
  await seat.page.goto('/atendimento/chats')
  await expect(attendance(seat.page).tab('Pendentes')).toBeVisible()
  expect(await ticketOf('Jussara')).toMatchObject({ user_id: null, queue_id: queueId })
  now += 3 * 60_000
  await expect(attendance(seat.page).row('Jussara')).toBeVisible({ timeout: 45_000 })
  expect(await ticketOf('Jussara')).toMatchObject({ status: 'open', user_id: davi.id, queue_id: backup })
  await attendance(seat.page).open('Jussara')
  await expect(attendance(seat.page).bubble('Alguém aí?')).toBeVisible()
  await context.close()
  await seat.context.close()
})
