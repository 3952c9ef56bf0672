import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

const rows = (page: Page) => page.getByRole('table').getByRole('row')

test('a number of the dashboard opens its rows, charts are read by keys and as tables, reports are exported', {
  tag: ['@wide', '@dashboard'],
}, async ({ product, browser }) => {
  const { admin, tenantId, made } = await company(product)
  const queue = await made.queue(tenantId, { queue: 'Vendas' })
  const contact = await made.contact(tenantId, { name: 'Marina Prado', number: '5511987654321' })
  const yesterday = new Date(Date.now() - 24 * 3_600_000)
  for (const status of ['closed', 'closed', 'open'] as const)
    await made.ticket(tenantId, {
      contact_id: contact,
      queue_id: status === 'open' ? null : queue,
      status,
      created_at: yesterday,
      started_attendance_at: new Date(yesterday.getTime() + 60_000),
      ...(status === 'closed' ? { closed_at: new Date(yesterday.getTime() + 600_000) } : {}),
    })
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto('/home')
  const period = page.getByRole('region', { name: 'No período' }).first()
  const total = period.getByRole('link', { name: 'Total de atendimentos' })
  await expect(total).toContainText('3')
  await expect(period.getByRole('link', { name: 'TMA' })).toContainText('9min 00s')
  await period.getByRole('button', { name: 'O que é TMA' }).first().click()
  await expect(page.getByRole('dialog', { name: 'TMA' })).toContainText('Tempo médio de atendimento')
  await page.keyboard.press('Escape')

  // By keyboard: a day is chosen, and its first number opened.
  const chart = page.getByRole('group', { name: 'Atendimentos por período: as setas percorrem, Enter abre' })
  await chart.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowRight')
  await expect(chart.getByRole('link', { name: /^Abertos/ })).toBeVisible()
  // The same as a table.
  await page.getByRole('button', { name: 'Opções de Por fila', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Em tabela' }).click()
  const queues = page.getByRole('table', { name: 'Por fila', exact: true })
  await expect(queues.getByRole('row', { name: 'Vendas 2' })).toBeVisible()
  await queues.getByRole('row', { name: 'Vendas 2' }).getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'Atendimentos do número' })).toBeVisible()
  await expect(page.getByText('2 atendimentos')).toBeVisible()
  await expect(rows(page)).toHaveCount(3)

  await page.goto('/relatorios/atendimento-por-parametros')
  await expect(page).toHaveURL(/atendimentos-por-parametros/)
  await expect(page.getByText('3 atendimentos')).toBeVisible()
  const loading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exportar' }).click()
  await page.getByRole('menuitem', { name: 'Planilha (CSV)' }).click()
  const text = readFileSync(await (await loading).path(), 'utf8')
  expect(text.trim().split('\r\n')).toHaveLength(4)
  expect(text).toContain('Marina Prado')

  await page.goto('/relatorios')
  await page.getByRole('link', { name: /Contatos por Estado/ }).click()
  await page.getByRole('button', { name: 'DDD', exact: true }).click()
  await page.getByRole('checkbox', { name: '11 (SP)' }).check()
  await page.keyboard.press('Escape')
  // Filters apply on “Gerar”, and are in the address from then on.
  await expect(page).not.toHaveURL(/ddds/)
  await page.getByRole('button', { name: 'Gerar' }).click()
  await expect(page).toHaveURL(/ddds=/)
  await expect(page.getByText('1 contato', { exact: true })).toBeVisible()
  expect(complaints).toEqual([])
  await context.close()
})
