import { expect } from '@playwright/test'
import { attendance } from './pages/attendance.ts'
import { button, toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test('a conversation becomes an opportunity, which is dragged on, writes, gets a task, is told a colleague, and is won', {
  tag: ['@funnel', '@tasks', '@calendar', '@private-chat'],
}, async ({ product, browser }) => {
  const { ask, people, talking, ticketOf } = await shop(product)
  const ticketId = await talking('Marlene', people.ana, 'Quanto custa a mesa grande?')
  const stages = ['Primeiro contato', 'Proposta enviada'].map((name) => ({ name }))
  const funnel = await ask<{ id: number; stages: { id: number }[] }>('POST', '/pipelines', { name: 'Vendas', stages })
  const whatsappId = (await ticketOf('Marlene')).connection_id
  await ask('POST', '/pipeline-actions', {
    ...{ name: 'Avisar', pipelineId: funnel.id, stageId: funnel.stages[1]!.id, active: true },
    steps: [{ type: 'message', message: 'Olá, {{firstName}}! A proposta está pronta.', whatsappId }],
  })
  const { page, complaints, context } = await sitDown(browser, product, people.ana, { reducedMotion: 'reduce' })
  const { bubble } = attendance(page)

  await page.goto(`/atendimento/${ticketId}`)
  await button(page, 'Nova oportunidade').click()
  const form = page.getByRole('dialog', { name: 'Nova oportunidade' })
  await form.getByLabel('O que está em jogo').fill('Mesa Jatobá')
  await form.getByLabel('Valor').fill('4890')
  await form.getByRole('button', { name: /^Salvar/ }).click()
  await expect(page.getByRole('article').filter({ hasText: 'Mesa Jatobá' })).toContainText('R$ 4.890,00')

  await page.goto('/funil/kanban')
  const card = page.getByRole('group', { name: 'Mesa Jatobá' })
  const column = (name: string) => page.getByRole('region', { name, exact: true })
  await card.hover()
  await page.mouse.down()
  const to = (await column('Proposta enviada').boundingBox())!
  await page.mouse.move(to.x + to.width / 2, to.y + 120, { steps: 12 })
  await page.mouse.up()
  await expect(column('Proposta enviada').getByRole('group', { name: 'Mesa Jatobá' })).toBeVisible()
  await button(page, 'Mesa Jatobá').click()
  const opened = page.getByRole('dialog', { name: 'Mesa Jatobá' })
  await opened.getByRole('tab', { name: 'Tarefas' }).click()
  await opened.getByRole('button', { name: 'Nova tarefa' }).click()
  const task = page.getByRole('dialog', { name: 'Nova tarefa' })
  await task.getByLabel('Tarefa').fill('Ligar para Marlene')
  await task.getByLabel('Descrição').fill('Fechar a venda')
  await task.getByLabel('Data limite').fill(new Date().toLocaleDateString('en-CA', { timeZone: 'America/Sao_Paulo' }))
  await task.getByRole('combobox', { name: 'Responsável' }).click()
  await page.getByRole('option', { name: people.ana.name }).click()
  await task.getByRole('button', { name: /^Salvar/ }).click()
  await expect(opened.getByRole('list', { name: 'Tarefas da oportunidade' })).toContainText('Ligar para Marlene')
  await page.goto('/funil/calendar')
  await expect(button(page, 'Ligar para Marlene')).toBeVisible()

  // The message written by the stage is forwarded to a colleague, with the way back to the conversation.
  await page.goto(`/atendimento/${ticketId}`)
  const written = bubble('Olá, Marlene! A proposta está pronta.')
  await expect(written).toBeVisible()
  await written.hover()
  await written.getByRole('button', { name: 'Opções da mensagem' }).click()
  await page.getByRole('menuitem', { name: 'Encaminhar para Chat Privado' }).click()
  const peers = page.getByRole('dialog', { name: 'Encaminhar para Chat Privado' })
  await peers.getByRole('button', { name: people.bia.name }).click()
  await button(page, 'Encaminhar').click()
  await expect(toast(page, '1 mensagem encaminhada')).toBeVisible()
  await button(page, 'Abrir').click()
  await expect(page.getByRole('article', { name: 'Mensagem de Ana Lima' })).toContainText('A proposta está pronta.')

  await page.goto('/funil/kanban')
  await expect(card).toContainText('Ligar para Marlene')
  await button(page, 'Ações de Mesa Jatobá').click()
  await page.getByRole('menuitem', { name: 'Ganhar' }).click()
  await expect(toast(page, 'Oportunidade ganha')).toBeVisible()
  await page.goto('/funil/dashboard')
  await expect(page.getByRole('link', { name: /^Ganhas/ })).toContainText('R$ 4.890,00')
  expect(complaints).toEqual([])
  await context.close()
})
