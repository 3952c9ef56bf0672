import { expect } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { button, confirm, drawer, field, menuOf, row, toast } from './pages/parts.ts'
import { settled, sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test('an attendance ends with a reason, a farewell and without a rating, by two keys and for many at once', {
  tag: ['@conversations', '@catalog', '@bulk'],
}, async ({ product, browser }) => {
  const { made, tenantId, talking, people, ticketOf, channel } = await shop(product)
  for (const name of ['Marlene', 'Osvaldo', 'Jussara', 'Tereza']) await talking(name, people.ana)
  await made.setting(tenantId, 'ratingStoreUse')
  const lead = await sitDown(browser, product, people.admin)
  const { page: desk } = lead
  await desk.goto('/configuracoes/motivos')
  await button(desk, 'Criar a primeira').click()
  await field(desk, 'Nome da Demanda').fill('Compra')
  await desk.getByRole('button', { name: /^Salvar/ }).click()
  await expect(row(desk, 'Compra')).toBeVisible()
  await button(desk, 'Nova demanda').click()
  await field(desk, 'Nome da Demanda').fill('Dúvida')
  await desk.getByRole('button', { name: /^Salvar/ }).click()
  await expect(row(desk, 'Dúvida')).toBeVisible()
  await desk.goto('/fechamento')
  await button(desk, 'Criar a primeira').click()
  await field(desk, 'Nome da Despedida').fill('Agradecimento')
  await field(desk, 'Mensagem').fill('Obrigada, {{firstName}}!')
  await desk.getByRole('button', { name: /^Salvar/ }).click()
  await expect(row(desk, 'Agradecimento')).toBeVisible()
  await expectAccessible(desk)

  const { context, page } = await sitDown(browser, product, people.ana)
  await page.goto(`/atendimento/${(await ticketOf('Marlene')).id}`)
  const { conversation } = attendance(page)
  // Two keys: the dialog, and the reason of that number.
  await expect(conversation.getByRole('button', { name: 'Resolver' })).toBeVisible()
  await page.keyboard.press('e')
  const dialog = drawer(page)
  await expect(dialog.getByRole('radio', { name: /Compra/ })).toBeFocused()
  await page.keyboard.press('2')
  await expect(toast(page, 'Atendimento de Marlene resolvido')).toBeVisible()
  const reasonOf = async (name: string) =>
    product.platform.db.read(tenantId, async (db) => {
      const { reason_id } = await ticketOf(name)
      return reason_id === null
        ? null
        : (await db.selectFrom('reasons').select('name').where('id', '=', reason_id).executeTakeFirstOrThrow()).name
    })
  expect([(await ticketOf('Marlene')).status, await reasonOf('Marlene')]).toEqual(['closed', 'Dúvida'])
  await page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Desfazer' }).click()
  await expect(toast(page, 'Desfeito')).toBeVisible()
  expect([(await ticketOf('Marlene')).status, await reasonOf('Marlene')]).toEqual(['open', null])

  // The company wants to know; all of it in one dialog.
  await desk.goto('/configuracoes/geral')
  await desk.getByRole('switch', { name: 'Exigir a demanda ao resolver' }).click({ force: true })
  await expect(toast(desk, 'Salvo: ligado')).toBeVisible()
  await page.goto(`/atendimento/${(await ticketOf('Osvaldo')).id}`)
  await conversation.getByRole('button', { name: 'Resolver' }).click()
  await expect(dialog.getByRole('radio')).toHaveCount(2)
  await dialog.getByRole('button', { name: 'Resolver' }).click()
  await expect(dialog.getByText('Escolha a demanda.')).toBeVisible()
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
  // When it can be taken back no longer; and nothing is asked.
  await expect.poll(() => channel.sent.map(({ body }) => body), { timeout: 30_000 }).toEqual(['Obrigada, Osvaldo!'])

  // Once for many.
  await page.goto('/atendimento')
  const { row: ticket } = attendance(page)
  await ticket('Jussara').getByRole('link').focus()
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(page.getByText('2 selecionados')).toBeVisible()
  await page.keyboard.press('e')
  await expect(dialog.getByRole('radio', { name: /Compra/ })).toBeFocused()
  await page.keyboard.press('1')
  await expect(toast(page, '2 atendimentos resolvidos')).toBeVisible()
  await context.close()

  // What is in use stays; all farewells go at once.
  await desk.goto('/configuracoes/motivos')
  await menuOf(desk, 'Compra', 'Excluir…')
  await confirm(desk, 'Excluir demanda')
  await expect(toast(desk, /Desative-a/)).toBeVisible()
  await desk.goto('/fechamento')
  await button(desk, 'Deletar Todos').click()
  await confirm(desk, 'Excluir todas')
  await expect(desk.getByText('Nenhuma despedida ainda')).toBeVisible()
  await lead.context.close()
})
