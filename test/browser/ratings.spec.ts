import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { attendance } from './pages/attendance.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

const toast = (page: Page, text: string) => page.getByRole('group').filter({ hasText: text })

test('customers are asked for a rating when a ticket is resolved, and what they answer stands in the list at once', {
  tag: ['@attendance', '@tickets', '@wide'],
}, async ({ product, browser }) => {
  const { hear, talking, people, made, tenantId, channel, messagesOf, ticketsOf } = await shop(product)
  const lead = await made.user(tenantId, { profile: 'super', name: 'Dora Sá' })
  const admin = await sitDown(browser, product, people.admin)
  await admin.page.goto('/avaliacoes')
  await expect(admin.page).toHaveURL('/avaliacoes/listar')
  await expect(admin.page.getByText('a pergunta está desligada em Configurar')).toBeVisible()

  // Configured: names, own answer, time; the preview says what will be sent.
  const { page } = admin
  await page.getByRole('link', { name: 'Configurar' }).click()
  const preview = page.getByText(/^Avalie este atendimento:/)
  await page.getByRole('textbox', { name: 'Nome da nota 0' }).fill('')
  await expect(page.getByText('Dê um nome a cada nota.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Nome da nota 0' }).fill('Péssimo')
  await page.getByRole('textbox', { name: 'Resposta à nota 0' }).fill('Sentimos muito.')
  await expect(preview).toHaveText(/0 - Péssimo\n1 - Regular/, { useInnerText: true })
  const question = await preview.innerText()
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page, 'Notas salvas')).toBeVisible()
  await page.getByRole('switch', { name: 'Pedir avaliação ao resolver' }).click({ force: true })
  await expect(toast(page, 'Salvo: ligado')).toBeVisible()
  await page.getByRole('combobox', { name: 'Tempo para avaliar' }).click()
  await page.getByRole('option', { name: 'Outro tempo' }).click()
  await page.getByRole('textbox', { name: 'Minutos' }).fill('45')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page, 'Textos da avaliação salvos')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Nome da nota 0' })).toHaveValue('Péssimo')
  await expect(page.getByRole('textbox', { name: 'Minutos' })).toHaveValue('45')

  // A supervisor watches the list while an agent resolves.
  const watching = await sitDown(browser, product, lead)
  await watching.page.goto('/avaliacoes/listar')
  await expect(watching.page.getByText('Nenhuma avaliação ainda')).toBeVisible()
  const row = watching.page.getByRole('row').filter({ hasText: 'Marlene' })
  const ana = await sitDown(browser, product, people.ana)
  const id = await talking('Marlene', people.ana, 'Bom dia')
  await talking('Zenaide', people.ana)
  await ana.page.goto(`/atendimento/${id}`)
  const desk = attendance(ana.page)
  await expect(desk.bubble('Bom dia')).toBeVisible()
  await ana.page.getByRole('button', { name: 'Resolver', exact: true }).click()
  // After the undo period.
  await expect(desk.messages.getByText('Mensagem automática')).toBeVisible({ timeout: 20_000 })
  await expect(row.getByText('Aguardando resposta')).toBeVisible()
  await expect.poll(() => channel.sent.at(-1)?.body).toBe(question)

  await hear('Marlene', 'nota 4')
  await expect(row.getByRole('img', { name: 'Nota 4 de 5' })).toBeVisible()
  await expect(watching.page.getByText('1 de 1 respondeu')).toBeVisible()
  await expect(desk.bubble('nota 4')).toBeVisible()
  await expect(desk.bubble('Obrigado pela sua avaliação!')).toBeVisible()
  await expect(ana.page.getByText('4 ★★★★☆')).toBeVisible()
  expect((await ticketsOf('Marlene')).map((ticket) => [ticket.status, ticket.unread_messages])).toEqual([['closed', 0]])

  // Another is resolved without asking.
  await desk.open('Zenaide')
  await ana.page.getByRole('button', { name: 'Mais ações do atendimento' }).click()
  await ana.page.getByRole('menuitem', { name: 'Resolver sem avaliação' }).click()
  await expect(toast(ana.page, 'Atendimento de Zenaide resolvido')).toBeVisible()

  // Read without touching, taken along, narrowed; only administrators delete.
  await row.getByRole('button', { name: String(id) }).click()
  const peek = watching.page.getByRole('dialog', { name: 'Espiando Marlene' })
  await expect(peek.getByText('nota 4')).toBeVisible()
  await expect(peek.getByRole('button', { name: 'Atender' })).toHaveCount(0)
  await peek.getByRole('button', { name: 'Fechar' }).last().click()
  await row.getByRole('button', { name: 'Mais ações' }).click()
  await expect(watching.page.getByRole('menuitem', { name: 'Abrir no atendimento' })).toBeVisible()
  await expect(watching.page.getByRole('menuitem', { name: 'Excluir…' })).toHaveCount(0)
  await watching.page.keyboard.press('Escape')
  const download = watching.page.waitForEvent('download')
  await watching.page.getByRole('button', { name: 'Exportar' }).click()
  expect(readFileSync(await (await download).path(), 'utf8')).toContain(`${id};Marlene;4;Avaliado;Ana Lima;Vendas;`)
  await watching.page.getByRole('button', { name: 'Nota', exact: true }).click()
  await watching.page.getByRole('checkbox', { name: 'Nota 5' }).check()
  await expect(watching.page.getByText('Nenhuma avaliação com este filtro')).toBeVisible()

  await page.goto('/avaliacoes/listar')
  await page.getByRole('row').filter({ hasText: 'Marlene' }).getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Excluir…' }).click()
  await page.getByRole('button', { name: 'Excluir avaliação' }).click()
  await expect(page.getByText('Nenhuma avaliação ainda')).toBeVisible()
  expect((await messagesOf('Zenaide')).filter((message) => message.from_me)).toEqual([])
  for (const one of [admin, watching, ana]) {
    expect(one.complaints).toEqual([])
    await one.context.close()
  }
})
