import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { button, confirm, drawer, field, menuOf, row, toast } from './pages/parts.ts'
import { settled, sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test('what was written in conversations has lists: notes, protocols, schedules', {
  tag: ['@attendance', '@wide'],
}, async ({ product, browser }) => {
  const { talking, people, ticketOf, ask, channel } = await shop(product)
  await talking('Marlene', people.ana)
  const { id } = await ticketOf('Marlene')
  await ask('POST', `/messages/${id}`, { idFront: randomUUID(), body: 'Prefere à tarde', isNote: true })
  const { context, page } = await sitDown(browser, product, people.admin)

  // The protocol goes to the customer, and is found by its number.
  await page.goto(`/atendimento/${id}`)
  const { conversation } = attendance(page)
  const command = page.getByRole('menuitem', { name: 'Enviar protocolo' })
  await expect(async () => {
    await conversation.getByRole('button', { name: 'Mais ações do atendimento' }).click()
    await expect(command).toBeVisible({ timeout: 1000 })
  }).toPass()
  await command.click()
  await confirm(drawer(page), 'Enviar protocolo')
  await expect.poll(() => channel.sent.at(-1)?.body).toMatch(new RegExp(`^Protocolo de atendimento: \\d{8}${id}$`))
  const number = channel.sent.at(-1)!.body.split(': ')[1]!
  await page.goto(`/protocolos?busca=${number}`)
  await expect(row(page, number)).toContainText('Marlene')
  await expectAccessible(page)

  // A colleague's note appears at once, is edited in its list, and opens in its conversation.
  await page.goto('/notas')
  await expect(row(page, 'Prefere à tarde')).toBeVisible()
  await ask('POST', `/messages/${id}`, { idFront: randomUUID(), body: 'Ligar na sexta', isNote: true })
  await expect(row(page, 'Ligar na sexta')).toBeVisible()
  await menuOf(page, 'Prefere à tarde', 'Editar')
  await field(page, 'Nota').fill('Prefere de manhã')
  await page.keyboard.press('Escape')
  await expect(page.getByText('A nota ainda não foi salva.')).toBeVisible()
  await button(page, 'Continuar editando').click()
  await expect(page.getByText('A nota ainda não foi salva.')).toHaveCount(0)
  await settled(page)
  await expectAccessible(page)
  await drawer(page).getByRole('button', { name: 'Salvar' }).click()
  await expect(row(page, 'Prefere de manhã')).toBeVisible()
  await menuOf(page, 'Prefere de manhã', 'Abrir no atendimento')
  await expect(page).toHaveURL(new RegExp(`/atendimento/${id}`))
  await expect(attendance(page).bubble('Prefere de manhã')).toBeVisible()

  // A message is scheduled without a conversation being open, changed, and sent at once.
  await page.goto('/agendamentos')
  await button(page, 'Agendar a primeira').click()
  const dialog = drawer(page)
  const words = dialog.getByRole('textbox', { name: 'Mensagem' })
  await words.fill('{{nome}}, seu pedido chegou')
  await expect(dialog.getByText('Não existe a variável {{nome}}')).toBeVisible()
  await words.fill('seu pedido chegou')
  await words.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(0, 0))
  await dialog.getByRole('button', { name: 'Inserir uma variável' }).click()
  await page.getByRole('menuitem', { name: 'Primeiro nome do contato' }).click()
  await expect(words).toHaveValue('{{firstName}}seu pedido chegou')
  await words.fill('{{firstName}}, seu pedido chegou')
  await dialog.getByRole('button', { name: 'Em 30 minutos' }).click()
  await dialog.getByRole('button', { name: 'Agendar', exact: true }).click()
  await expect(dialog.getByText('Escolha o canal.')).toBeVisible()
  await expect(dialog.getByText('Escolha o contato.')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Canal' }).click()
  await page.getByRole('option', { name: 'Balcão' }).click()
  await dialog.getByRole('radio', { name: /Marlene/ }).check({ force: true })
  const receipt = { name: 'recibo.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF') }
  await dialog.locator('input[type=file]').setInputFiles(receipt)
  await expect(dialog.getByRole('list', { name: 'Arquivos para enviar' })).toContainText('recibo.pdf')
  await settled(page)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Agendar', exact: true }).click()
  await expect(row(page, 'seu pedido chegou')).toContainText('Agendada')
  await menuOf(page, 'seu pedido chegou', 'Alterar')
  await words.fill('{{firstName}}, seu pedido já chegou')
  await dialog.getByRole('combobox', { name: 'Repetir' }).click()
  await page.getByRole('option', { name: 'Todo dia', exact: true }).click()
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(row(page, '{{firstName}}, seu pedido já chegou')).toContainText('Repete todo dia')
  await menuOf(page, 'seu pedido já chegou', 'Enviar agora')
  await expect(dialog).toContainText('As próximas repetições ficam como estão.')
  await confirm(dialog, 'Enviar agora')
  await expect(toast(page, 'Mensagem enviada')).toBeVisible()
  await expect.poll(() => channel.sent.at(-1)?.body).toMatch(/Marlene, seu pedido já chegou$/)
  expect(channel.sent.at(-1)).toMatchObject({ file: { name: 'recibo.pdf' } })
  // A repeated one continues.
  await expect(row(page, '{{firstName}}, seu pedido já chegou')).toContainText('Repete todo dia')
  await page.getByText('Passadas').click()
  await expect(row(page, 'Marlene, seu pedido já chegou')).toContainText(/Enviada|Entregue/)
  await expectAccessible(page)
  await context.close()
})
