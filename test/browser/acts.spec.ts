import { expect, type Locator, type Page } from '@playwright/test'
import type { LabPhone } from '#features/lab/contract.ts'
import type { Product } from '#test/product.ts'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { confirm } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

/** Opens a phone whose contact has written, and the agent who accepted the conversation. */
async function talking(product: Product) {
  const made = await company(product)
  const form = { name: 'Otávio', number: '(19) 99812-4407' }
  const phone = await made.ask<LabPhone>('POST', '/lab/phones', form)
  const say = (body: string, more: object = {}) =>
    made.ask('POST', `/lab/phones/${phone.id}/messages`, { id: crypto.randomUUID(), body, ...more })
  await say('Bom dia!')
  return { ...made, phone, phoneSays: say, ticketId: await made.accept() }
}

/** Runs a command of a bubble. */
async function choose(page: Page, bubble: Locator, command: string | RegExp): Promise<void> {
  await bubble.hover()
  await bubble.getByRole('button', { name: 'Opções da mensagem' }).click()
  await page.getByRole('menuitem', { name: command }).click()
}

test('phone beside agent: edited, reacted to, answered by a button, taken back', {
  tag: ['@attendance', '@messages', '@lab'],
}, async ({ product, browser }) => {
  const { admin, ticketId } = await talking(product)
  const agent = await sitDown(browser, product, admin)
  const { page } = agent
  await page.goto(`/atendimento/${ticketId}`)
  const { say, bubble, messages, conversation, field } = attendance(page)
  const lab = await agent.context.newPage()
  await lab.goto('/laboratorio')
  const phone = lab.getByRole('region', { name: 'Telefone de Otávio' })
  // In a new page the mouse is over the menu, which would open.
  await lab.mouse.move(720, 450)
  await page.bringToFront()

  await say('O pedido sai amanha')
  await expect(phone.getByText('O pedido sai amanha')).toBeVisible()
  await choose(page, bubble('O pedido sai amanha'), 'Editar')
  const dialog = page.getByRole('dialog')
  const text = page.getByRole('textbox', { name: 'Texto' })
  await text.fill('O pedido sai amanhã')
  await text.press('Enter')
  await expect(text).toHaveCount(0)
  // Letters go on as text: “E” would resolve, “2” choose the reason.
  await page.keyboard.type('E2')
  await expect(field).toHaveValue('E2')
  await expect(dialog).toHaveCount(0)
  await field.fill('')
  // The last one, in place, from the empty composer; nothing that was changed is lost unasked.
  await field.press('ArrowUp')
  await text.fill('Outra coisa')
  await text.press('Escape')
  await page
    .getByRole('dialog', { name: 'Descartar as alterações?' })
    .getByRole('button', { name: 'Descartar' })
    .click()
  await expect(field).toBeFocused()
  await expect(phone.getByText('O pedido sai amanhã')).toBeVisible()
  await expect(phone.getByText('editada')).toBeVisible()
  await expect(bubble('O pedido sai amanhã').getByText('editada')).toBeVisible()

  await bubble('Bom dia!').hover()
  await page.getByRole('group', { name: 'Reagir' }).getByRole('button', { name: 'Reagir com 👍' }).click()
  await expect(phone.getByRole('img', { name: 'Reações: 👍' })).toBeVisible()
  await expect(messages.getByRole('img', { name: 'A equipe reagiu com 👍' })).toBeVisible()

  await conversation.getByRole('button', { name: 'Contato, localização, botões ou macro' }).click()
  await page.getByRole('menuitem', { name: 'Mensagem interativa' }).click()
  await dialog.getByRole('textbox', { name: 'Mensagem' }).fill('Pode ser de manhã?')
  await dialog.getByRole('textbox', { name: 'Botão 1' }).fill('Pode')
  await dialog.getByRole('button', { name: 'Adicionar botão' }).click()
  await dialog.getByRole('textbox', { name: 'Botão 2' }).fill('Só à tarde')
  await dialog.getByRole('button', { name: 'Enviar' }).click()
  await expect(messages.getByRole('list', { name: 'Botões' })).toContainText('Só à tarde')
  await phone.getByRole('button', { name: 'Só à tarde' }).click()
  // The answer, which quotes what it answers, beside the message with the button.
  await expect(bubble('Só à tarde').filter({ hasText: 'Pode ser de manhã?' }).last()).toHaveAccessibleName(/do contato/)

  // A list: what is too long is said while it is written.
  await conversation.getByRole('button', { name: 'Contato, localização, botões ou macro' }).click()
  await page.getByRole('menuitem', { name: 'Mensagem interativa' }).click()
  await dialog.getByRole('combobox', { name: 'Tipo' }).click()
  await page.getByRole('option', { name: 'Lista de opções' }).click()
  await dialog.getByRole('textbox', { name: 'Mensagem' }).fill('Qual recheio?')
  await dialog.getByRole('textbox', { name: 'Opção 1', exact: true }).fill('Doce de leite com coco ralado')
  await expect(dialog.getByText('Cabem 24 letras, e são 29. Encurte.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Enviar' })).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Opção 1', exact: true }).fill('Doce de leite')
  await dialog.getByRole('button', { name: 'Adicionar opção' }).click()
  await dialog.getByRole('textbox', { name: 'Opção 2', exact: true }).fill('Goiabada')
  await dialog.getByRole('textbox', { name: 'Descrição da opção 2 (opcional)' }).fill('Com queijo')
  await expect(dialog.getByRole('group', { name: 'Como será lido' })).toContainText('Com queijo')
  await expectAccessible(page, '[role=dialog]')
  await dialog.getByRole('button', { name: 'Enviar' }).click()
  await expect(messages.getByRole('list', { name: 'Opções da lista' })).toContainText('Goiabada')
  await phone.getByText('Ver opções').click()
  await phone.getByRole('button', { name: 'Goiabada' }).click()
  await expect(bubble('Goiabada').filter({ hasText: 'Qual recheio?' }).last()).toHaveAccessibleName(/do contato/)

  await choose(page, bubble('O pedido sai amanhã'), /^Apagar/)
  await confirm(page, 'Apagar')
  await expect(field).toBeFocused()
  await expect(phone.getByText('Mensagem apagada')).toBeVisible()
  // Grey, and still to be read by the team.
  await expect(bubble('Mensagem apagada').getByText('O pedido sai amanhã')).toBeVisible()
  expect(agent.complaints).toEqual([])
  await agent.context.close()
})

test('cards, places and what the phone does, in both modes and widths', {
  tag: ['@attendance', '@messages', '@lab', '@wide'],
}, async ({ product, browser }) => {
  const { admin, ticketId, ask, phone, phoneSays } = await talking(product)
  const agent = await sitDown(browser, product, admin)
  const { page } = agent
  await page.goto(`/atendimento/${ticketId}`)
  const { say, bubble, messages, conversation } = attendance(page)
  const card = { fullName: 'Padaria Estrela', phoneNumber: '(11) 98888-7777' }
  await phoneSays('', { contact: card })
  await phoneSays('', { location: { latitude: -22.9056, longitude: -47.0608, name: 'Loja do Centro' } })
  await expect(messages.getByRole('link', { name: /Loja do Centro/ })).toHaveAttribute('href', /openstreetmap/)
  await messages.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByText('Contato salvo')).toBeVisible()

  await say('Vou encaminhar')
  await choose(page, bubble('Vou encaminhar'), /^Encaminhar$/)
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Padaria Estrela').click()
  await expectAccessible(page, '[role=dialog]')
  await dialog.getByRole('button', { name: 'Encaminhar' }).click()
  await expect(page.getByText('Mensagem encaminhada')).toBeVisible()

  const onPhone = async () =>
    (await ask<{ messages: { id: string; body: string }[] }>('GET', `/lab/phones/${phone.id}/messages`)).messages
  const { id } = (await onPhone()).find(({ body }) => body === 'Bom dia!')!
  const act = (messageId: string, body: object) =>
    ask('POST', `/lab/phones/${phone.id}/messages/${messageId}/acts`, body)
  await act(id, { act: 'edit', body: 'Boa tarde!' })
  await expect(bubble('Boa tarde!').getByText('editada')).toBeVisible()
  await choose(page, bubble('Boa tarde!'), 'Histórico de entrega')
  await expect(dialog).toContainText('Texto original: “Bom dia!”')
  await page.keyboard.press('Escape')
  const reply = (await onPhone()).find(({ body }) => body.endsWith('Vou encaminhar'))!
  await act(reply.id, { act: 'react', reaction: '🙏' })
  await expect(messages.getByRole('img', { name: 'O contato reagiu com 🙏' })).toBeVisible()

  for (const scheme of ['light', 'dark'] as const)
    for (const width of [1440, 390]) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width, height: 844 })
      await expect(conversation).toBeVisible()
      await expectAccessible(page, 'main')
    }
  await act(id, { act: 'revoke' })
  await expect(bubble('O contato apagou esta mensagem').getByText('Boa tarde!')).toBeVisible()
  expect(agent.complaints).toEqual([])
  await agent.context.close()
})

test('several messages are chosen and passed on, and taken back; what the phone had before is brought in', {
  tag: ['@attendance', '@messages', '@history', '@lab', '@connections', '@wide'],
}, async ({ product, browser }) => {
  const { admin, ask, phone, phoneSays, ticketId } = await talking(product)
  const other = await ask<LabPhone>('POST', '/lab/phones', { name: 'Marlene', number: '(19) 99812-4408' })
  await ask('POST', `/lab/phones/${other.id}/messages`, { id: crypto.randomUUID(), body: 'Sou a Marlene' })
  for (const body of ['Primeira', 'Segunda', 'Terceira']) await phoneSays(body, { isForwarded: body === 'Segunda' })
  const DAY = 86_400_000
  const older = ['Vocês entregam?', 'Entregamos sim.'].map((body, n) => {
    return { id: crypto.randomUUID(), fromPhone: n === 0, body, timestamp: Date.now() - 30 * DAY + n * 1000 }
  })
  await ask('POST', `/lab/phones/${phone.id}/history`, { messages: older })
  const agent = await sitDown(browser, product, admin)
  const { page } = agent
  await page.goto(`/atendimento/${ticketId}`)
  const { bubble, conversation } = attendance(page)
  await expect(bubble('Segunda').getByText('encaminhada')).toBeVisible()

  await choose(page, bubble('Primeira'), 'Encaminhar várias')
  await page.getByRole('checkbox', { name: 'Selecionar: Terceira' }).click({ modifiers: ['Shift'] })
  const bar = page.getByRole('toolbar', { name: 'Ações para as mensagens selecionadas' })
  await expect(bar).toContainText('3 mensagens selecionadas')
  await expectAccessible(page, 'main')
  await page.getByRole('checkbox', { name: 'Selecionar: Segunda' }).click()
  await bar.getByRole('button', { name: 'Encaminhar' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('2 mensagens, na ordem da conversa')
  await dialog.getByRole('textbox').fill('Marlene')
  await dialog.getByText('Marlene').first().click()
  await dialog.getByRole('button', { name: 'Encaminhar' }).click()
  await expect(page.getByText('2 mensagens encaminhadas')).toBeVisible()
  await expect(bar).toBeHidden()

  await page.goto('/sessoes')
  await page.getByRole('button', { name: 'Ações de Ligado por QR Code' }).click()
  await page.getByRole('menuitem', { name: 'Importar conversas…' }).click()
  await expect(dialog).toBeVisible()
  await expectAccessible(page, '[role=dialog]')
  await dialog.getByRole('button', { name: 'Importar' }).click()
  await expect(dialog.getByText(/Última importação: Concluída/)).toContainText('2 novas')
  await page.goto(`/atendimento/${ticketId}`)
  await expect(bubble('Vocês entregam?').getByText('sincronizada')).toBeVisible()
  await expect(conversation.getByText('Entregamos sim.')).toBeVisible()
})
