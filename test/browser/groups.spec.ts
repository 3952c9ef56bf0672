import { expect } from '@playwright/test'
import sharp from 'sharp'
import type { LabPhone } from '#features/lab/contract.ts'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

test('phone beside agent: a group in which members are named, mentioned, come and go', {
  tag: ['@attendance', '@messages', '@lab', '@wide'],
}, async ({ product, browser }) => {
  const made = await company(product)
  const phone = (name: string, n: number) =>
    made.ask<LabPhone>('POST', '/lab/phones', { name, number: `(19) 99812-440${n}` })
  const ana = await phone('Ana Luz', 1)
  const bia = await phone('Bia Melo', 2)
  const group = await made.ask<LabPhone>('POST', '/lab/groups', { name: 'Obra da praça', phoneIds: [ana.id, bia.id] })
  const say = (who: LabPhone, body: string) =>
    made.ask('POST', `/lab/phones/${who.id}/messages`, { id: crypto.randomUUID(), body, groupId: group.id })
  await say(ana, 'Chegou a areia?')
  await say(bia, 'Ainda não, @Ana Luz')
  const ticketId = await made.accept()
  const agent = await sitDown(browser, product, made.admin)
  const { page } = agent
  await page.goto(`/atendimento/${ticketId}?isGroup=true`)
  const { bubble, messages, conversation, field } = attendance(page)
  await expect(bubble('Ainda não, @Ana Luz').getByText('Bia Melo')).toBeVisible()
  await expect(page.getByText('Bia: Ainda não, @Ana Luz')).toBeVisible()
  const lab = await agent.context.newPage()
  await lab.goto('/laboratorio')
  const hand = lab.getByRole('region', { name: 'Telefone de Obra da praça' })
  await lab.mouse.move(720, 450)
  await page.bringToFront()

  // `@` picks a member.
  await field.click()
  await field.pressSequentially('Vem amanhã, @bia')
  await expect(page.getByRole('option')).toHaveCount(1)
  await expectAccessible(page, '[role=listbox]')
  await field.press('Enter')
  await field.pressSequentially('combinado?')
  await field.press('Enter')
  await expect(bubble('Vem amanhã, @Bia Melo combinado?')).toBeVisible()
  await expect(hand.getByText('Vem amanhã, @Bia Melo combinado?')).toBeVisible()

  await conversation.getByRole('button', { name: 'Contato, localização, botões ou macro' }).click()
  await page.getByRole('menuitem', { name: 'Avisar todos do grupo' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Mensagem' }).fill('Bom feriado!')
  await expectAccessible(page, '[role=dialog]')
  await dialog.getByRole('button', { name: 'Enviar' }).click()
  await expect(bubble('Bom feriado!').getByText('a todos')).toBeVisible()
  await expect(hand.getByText('mencionou todos sem mostrar')).toBeVisible()

  // The owner of the group's phone writes as a member, and sees who joins and leaves.
  await lab.bringToFront()
  await hand.getByRole('combobox', { name: 'Quem escreve em Obra da praça' }).selectOption('Como Bia Melo')
  await hand.getByRole('textbox', { name: 'Mensagem de Obra da praça' }).fill('Combinado!')
  await hand.getByRole('textbox', { name: 'Mensagem de Obra da praça' }).press('Enter')
  await expect(hand.getByText('Combinado!')).toBeVisible()
  await hand.getByRole('button', { name: 'Ações do telefone de Obra da praça' }).click()
  await lab.getByRole('menuitem', { name: 'Participantes e nome…' }).click()
  await lab.getByRole('dialog').getByRole('button', { name: 'Ações de Bia Melo' }).click()
  await lab.getByRole('menuitem', { name: 'Sair do grupo' }).click()
  await expect(lab.getByRole('dialog').getByRole('button', { name: 'Entrar' })).toBeVisible()
  await expectAccessible(lab, '[role=dialog]')
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#c96a2b' } })
    .png()
    .toBuffer()
  const file = { name: 'obra.png', mimeType: 'image/png', buffer: picture }
  await lab.getByRole('dialog').locator('input[type=file]').setInputFiles(file)
  await expect(toast(lab, 'O grupo mudou de imagem')).toBeVisible()
  await page.bringToFront()
  await expect(conversation.locator('header img').first()).toHaveJSProperty('complete', true)
  await expect(bubble('Combinado!').getByText('Bia Melo')).toBeVisible()
  await expect(messages.getByText('Bia Melo saiu do grupo')).toBeVisible()

  await conversation.getByRole('button', { name: 'Mais ações do atendimento' }).click()
  await page.getByRole('menuitem', { name: 'Usuários do Grupo' }).click()
  await expect(dialog.getByText('Obra da praça: 1 participante')).toBeVisible()
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Ana Luz' })).toContainText('administra')
  await expectAccessible(page, '[role=dialog]')
  await dialog.getByRole('combobox', { name: 'Quem da equipe vê este grupo' }).click()
  await page.getByRole('option').first().click()
  await expect(page.getByText('Acesso ao grupo salvo')).toBeVisible()
  expect(agent.complaints).toEqual([])
  // A sent text is no longer a draft, although another tab of the same person was open.
  expect(await made.ask('GET', `/tickets/${ticketId}/draft`)).toMatchObject({ body: '' })
  await agent.context.close()
})
