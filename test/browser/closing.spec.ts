import { expect } from '@playwright/test'
import { reasons } from '#features/catalog/reasons.ts'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { button, drawer, field, row, toast } from './pages/parts.ts'
import { settled, sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test('an attendance ends with a reason, a farewell and without a rating, by two keys and for many at once', {
  tag: ['@attendance', '@tickets', '@catalog', '@bulk', '@wide'],
}, async ({ product, browser }) => {
  const { made, tenantId, talking, people, ticketOf, channel } = await shop(product)
  for (const name of ['Marlene', 'Osvaldo', 'Jussara', 'Tereza']) await talking(name, people.ana)
  await made.setting(tenantId, 'ratingStoreUse')
  await made.row(tenantId, reasons, { name: 'Dúvida' })
  const lead = await sitDown(browser, product, people.admin)
  const { page: desk } = lead
  await desk.goto('/configuracoes/motivos')
  await button(desk, 'Novo motivo').click()
  await field(desk, 'Nome do motivo').fill('Compra')
  await desk.getByRole('button', { name: /^Salvar/ }).click()
  await expect(row(desk, 'Compra')).toBeVisible()
  await desk.goto('/fechamento')
  await button(desk, 'Criar a primeira').click()
  await field(desk, 'Nome da Despedida').fill('Agradecimento')
  await field(desk, 'Mensagem').fill('Obrigada, {{firstName}}!')
  await desk.getByRole('button', { name: /^Salvar/ }).click()
  await expect(row(desk, 'Agradecimento')).toBeVisible()
  await expect(button(desk, 'Deletar Todos')).toBeVisible()
  await expectAccessible(desk)
  await lead.context.close()

  const { context, page } = await sitDown(browser, product, people.ana)
  await page.goto(`/atendimento/${(await ticketOf('Marlene')).id}`)
  const { conversation, row: ticket } = attendance(page)
  // Two keys: the dialog, and the reason of that number.
  await expect(conversation.getByRole('button', { name: 'Resolver' })).toBeVisible()
  await ticket('Marlene').getByRole('link').focus()
  await page.keyboard.press('e')
  const dialog = drawer(page)
  await expect(dialog.getByRole('radio', { name: /Compra/ })).toBeFocused()
  await page.keyboard.press('2')
  await expect(toast(page, 'Atendimento de Marlene resolvido')).toBeVisible()
  const endOf = async (name: string) => {
    const { status, reason_id: id } = await ticketOf(name)
    const found = await product.platform.db.read(tenantId, (db) => db.selectFrom('reasons').selectAll().execute())
    return [status, found.find((one) => one.id === id)?.name ?? null]
  }
  expect(await endOf('Marlene')).toEqual(['closed', 'Dúvida'])
  await page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Desfazer' }).click()
  await expect(toast(page, 'Desfeito')).toBeVisible()
  expect(await endOf('Marlene')).toEqual(['open', null])

  // The company wants to know; all of it in one dialog.
  await made.setting(tenantId, 'forceReason')
  await page.goto(`/atendimento/${(await ticketOf('Osvaldo')).id}`)
  await conversation.getByRole('button', { name: 'Resolver' }).click()
  await expect(dialog.getByRole('radio')).toHaveCount(2)
  await dialog.getByRole('button', { name: 'Resolver' }).click()
  await expect(dialog.getByText('Escolha o motivo.')).toBeVisible()
  await dialog.getByRole('radio', { name: /Compra/ }).check()
  await dialog.getByRole('textbox', { name: 'Valor' }).fill('150,50')
  await dialog.getByRole('combobox', { name: 'Despedida' }).click()
  await page.getByRole('option', { name: 'Agradecimento' }).click()
  await dialog.getByRole('switch', { name: 'Pedir avaliação' }).click({ force: true })
  await settled(page)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Resolver' }).click()
  await expect(toast(page, 'Atendimento de Osvaldo resolvido')).toBeVisible()
  expect(await ticketOf('Osvaldo')).toMatchObject({ status: 'closed', value: '150.50', is_farewell_message: true })
  // After the undo period, without a question.
  await expect.poll(() => channel.sent.map(({ body }) => body), { timeout: 30_000 }).toEqual(['Obrigada, Osvaldo!'])

  // Once for many.
  await page.goto('/atendimento')
  await ticket('Jussara').getByRole('link').focus()
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(page.getByText('2 selecionados')).toBeVisible()
  await page.keyboard.press('e')
  await expect(dialog.getByRole('radio', { name: /Compra/ })).toBeFocused()
  await page.keyboard.press('1')
  await expect(toast(page, '2 atendimentos resolvidos')).toBeVisible()
  await context.close()
})
