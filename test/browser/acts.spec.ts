import AxeBuilder from '@axe-core/playwright'
import { expect, type Locator, type Page } from '@playwright/test'
import type { LabPhone } from '#features/lab/contract.ts'
import type { Product } from '#test/product.ts'
import { attendance } from './pages/attendance.ts'
import { confirm } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

/** A phone whose person has written, and the agent who took the conversation. */
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

const conformance = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

const accessible = async (page: Page, part = 'main'): Promise<void> => {
  const { violations } = await new AxeBuilder({ page }).include(part).withTags(conformance).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
}

test('phone beside agent: edited, reacted to, answered by a button, taken back', {
  tag: ['@conversations', '@lab'],
}, async ({ product, browser }) => {
  const { admin, ticketId } = await talking(product)
  const agent = await sitDown(browser, product, admin)
  const { page } = agent
  await page.goto(`/atendimento/${ticketId}`)
  const { say, bubble, messages, conversation } = attendance(page)
  const lab = await agent.context.newPage()
  await lab.goto('/laboratorio')
  const phone = lab.getByRole('region', { name: 'Telefone de Otávio' })
  // In a new page the mouse stands over the menu, which would open.
  await lab.mouse.move(720, 450)
  await page.bringToFront()

  await say('O pedido sai amanha')
  await expect(phone.getByText('O pedido sai amanha')).toBeVisible()
  await choose(page, bubble('O pedido sai amanha'), 'Editar')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Texto' }).fill('O pedido sai amanhã')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(phone.getByText('O pedido sai amanhã')).toBeVisible()
  await expect(phone.getByText('editada')).toBeVisible()
  await expect(bubble('O pedido sai amanhã').getByText('editada')).toBeVisible()

  await choose(page, bubble('Bom dia!'), 'Reagir')
  await accessible(page, '[role=dialog]')
  await page.getByRole('button', { name: 'Reagir com 👍' }).click()
  await expect(phone.getByRole('img', { name: 'Reações: 👍' })).toBeVisible()
  await expect(messages.getByRole('img', { name: 'A equipe reagiu com 👍' })).toBeVisible()

  await conversation.getByRole('button', { name: 'Contato, localização ou botões' }).click()
  await page.getByRole('menuitem', { name: 'Enviar botões' }).click()
  await dialog.getByRole('textbox', { name: 'Mensagem' }).fill('Pode ser de manhã?')
  await dialog.getByRole('textbox', { name: 'Botão 1' }).fill('Pode')
  await dialog.getByRole('textbox', { name: 'Botão 2' }).fill('Só à tarde')
  await dialog.getByRole('button', { name: 'Enviar' }).click()
  await expect(messages.getByRole('list', { name: 'Botões' })).toContainText('Só à tarde')
  await phone.getByRole('button', { name: 'Só à tarde' }).click()
  await expect(bubble('Só à tarde').filter({ hasText: 'Pode ser de manhã?' })).toBeVisible()

  await choose(page, bubble('O pedido sai amanhã'), /^Apagar/)
  await confirm(page, 'Apagar')
  await expect(phone.getByText('Mensagem apagada')).toBeVisible()
  // Grey, and still to be read by the team.
  await expect(bubble('Mensagem apagada').getByText('O pedido sai amanhã')).toBeVisible()
  expect(agent.complaints).toEqual([])
  await agent.context.close()
})

test('cards, places and what the phone does, in both modes and widths', {
  tag: ['@conversations', '@lab', '@wide'],
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
  await choose(page, bubble('Vou encaminhar'), 'Encaminhar')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Padaria Estrela').click()
  await accessible(page, '[role=dialog]')
  await dialog.getByRole('button', { name: 'Encaminhar' }).click()
  await expect(page.getByText('Mensagem encaminhada')).toBeVisible()

  const onPhone = async () =>
    (await ask<{ messages: { id: string; body: string }[] }>('GET', `/lab/phones/${phone.id}/messages`)).messages
  const { id } = (await onPhone()).find(({ body }) => body === 'Bom dia!')!
  const act = (messageId: string, body: object) =>
    ask('POST', `/lab/phones/${phone.id}/messages/${messageId}/acts`, body)
  await act(id, { act: 'edit', body: 'Boa tarde!' })
  await expect(bubble('Boa tarde!').getByText('editada')).toBeVisible()
  await choose(page, bubble('Boa tarde!'), 'Caminho da mensagem')
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
      await accessible(page)
    }
  await act(id, { act: 'revoke' })
  await expect(bubble('O contato apagou esta mensagem').getByText('Boa tarde!')).toBeVisible()
  expect(agent.complaints).toEqual([])
  await agent.context.close()
})
