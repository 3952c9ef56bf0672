import { expect, type Page } from '@playwright/test'
import { confirm } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const choose = async (page: Page, label: string, name: string) => {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name }).click()
}

test('the attendance panel follows what each has, and moves all of it at once and back', {
  tag: ['@dashboard', '@bulk', '@wide'],
}, async ({ product, browser }) => {
  const { admin, tenantId, made, ask } = await company(product)
  const sales = await made.queue(tenantId, { queue: 'Vendas' })
  const [ana, bia] = [
    await made.user(tenantId, { profile: 'user', queues: [sales], name: 'Ana Lima' }),
    await made.user(tenantId, { profile: 'user', queues: [sales], name: 'Bia Reis' }),
  ]
  for (let n = 0; n < 2; n++) await made.ticket(tenantId, { queue_id: sales, user_id: ana.id, status: 'open' })
  const waits = await made.ticket(tenantId, { status: 'pending', waiting_since: new Date(Date.now() - 20 * 60_000) })
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto('/painel-atendimentos')
  await expect(card(page, 'Ana Lima').getByRole('link', { name: '2 abertos' })).toBeVisible()
  await expect(card(page, 'Ana Lima')).toContainText('2 de 10')
  await expect(card(page, 'Ana Lima').getByRole('listitem')).toHaveCount(2)
  await expect(card(page, 'Sem responsável').getByRole('link', { name: '1 pendente' })).toBeVisible()

  // A colleague's action appears without a reload.
  await ask('PUT', `/tickets/${waits}`, { status: 'open', userId: bia.id })
  await expect(card(page, 'Bia Reis').getByRole('link', { name: '1 aberto' })).toBeVisible()
  await expect(card(page, 'Bia Reis').getByRole('listitem')).toHaveCount(1)
  await expect(card(page, 'Sem responsável').getByRole('link', { name: '0 pendentes' })).toBeVisible()

  await page.getByRole('button', { name: 'Ações em massa' }).click()
  await page.getByRole('menuitem', { name: 'Transferir entre pessoas…' }).click()
  await page.getByRole('button', { name: 'Transferir', exact: true }).click()
  await expect(page.getByText('Escolha a pessoa.')).toHaveCount(2)
  await choose(page, 'De quem', 'Ana Lima')
  await choose(page, 'Para quem', 'Bia Reis')
  await page.getByRole('button', { name: 'Transferir', exact: true }).click()
  await expect(card(page, 'Bia Reis').getByRole('link', { name: '3 abertos' })).toBeVisible()
  await expect(card(page, 'Ana Lima').getByRole('link', { name: '0 abertos' })).toBeVisible()
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(card(page, 'Ana Lima').getByRole('link', { name: '2 abertos' })).toBeVisible()

  await page.getByRole('button', { name: 'Ações de Ana Lima' }).click()
  await page.getByRole('menuitem', { name: 'Resolver os abertos…' }).click()
  await expect(card(page, 'Ana Lima').getByRole('link', { name: '0 abertos' })).toBeVisible()

  await page.getByRole('button', { name: 'Por fila', exact: true }).click()
  await expect(card(page, 'Sem fila').getByRole('link', { name: '1 aberto' })).toBeVisible()
  await page.getByRole('button', { name: 'Ações em massa' }).click()
  await page.getByRole('menuitem', { name: 'Transferir todos os sem fila…' }).click()
  await choose(page, 'Fila de destino', 'Vendas')
  await page.getByRole('button', { name: 'Transferir', exact: true }).click()
  await card(page, 'Vendas').getByRole('link', { name: '1 pendente' }).click()
  await expect(page.getByText('Pendentes · sem grupos · fila Vendas')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Atendimentos' }).getByRole('listitem')).toHaveCount(1)
  expect(complaints).toEqual([])
  await context.close()
})

test('the attendance panel reads all, moves queues and channels, and resolves what waits and what is open', {
  tag: ['@dashboard', '@bulk', '@wide'],
}, async ({ product, browser }) => {
  const { admin, tenantId, made } = await company(product)
  const [sales, care] = [
    await made.queue(tenantId, { queue: 'Vendas' }),
    await made.queue(tenantId, { queue: 'Suporte' }),
  ]
  const [shop, site] = [
    await made.connection(tenantId, { name: 'Loja', type: 'lab' }),
    await made.connection(tenantId, { name: 'Filial', type: 'lab' }),
  ]
  const row = { connection_id: shop, queue_id: sales } as const
  const open = await made.ticket(tenantId, { ...row, status: 'open', user_id: admin.id, unread_messages: 3 })
  await made.ticket(tenantId, { ...row, status: 'pending', waiting_since: new Date() })
  const stored = (id: number) =>
    product.platform.db.read(tenantId, (db) =>
      db.selectFrom('tickets').select(['unread_messages', 'connection_id']).where('id', '=', id).executeTakeFirst(),
    )
  const { page, complaints, context } = await sitDown(browser, product, admin)
  const mass = async (name: string) => {
    await page.getByRole('button', { name: 'Ações em massa' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await page.goto('/painel-atendimentos?por=filas')
  await expect(card(page, 'Vendas').getByRole('link', { name: '1 aberto', exact: true })).toBeVisible()
  await mass('Marcar todas as mensagens como lidas…')
  await confirm(page, 'Marcar como lidas')
  await expect.poll(async () => (await stored(open))?.unread_messages).toBe(0)

  await mass('Transferir entre canais…')
  await choose(page, 'Canal de origem', 'Loja')
  await page.getByRole('button', { name: 'Continuar' }).click()
  await choose(page, 'Canal de destino', 'Filial')
  await expect(page.getByText('2 atendimentos passam para “Filial”.')).toBeVisible()
  await page.getByRole('button', { name: 'Transferir canal' }).click()
  await expect.poll(async () => (await stored(open))?.connection_id).toBe(site)

  await page.getByRole('button', { name: 'Ações de Vendas' }).click()
  await page.getByRole('menuitem', { name: 'Resolver os pendentes…' }).click()
  await expect(card(page, 'Vendas').getByRole('link', { name: '0 pendentes' })).toBeVisible()
  await mass('Transferir entre filas…')
  await choose(page, 'Fila de origem', 'Vendas')
  await choose(page, 'Fila de destino', 'Suporte')
  await page.getByRole('button', { name: 'Transferir', exact: true }).click()
  await expect(card(page, 'Suporte').getByRole('link', { name: '1 pendente', exact: true })).toBeVisible()
  await made.ticket(tenantId, { ...row, queue_id: care, status: 'open', user_id: admin.id })
  await page.reload()
  await expect(card(page, 'Suporte').getByRole('link', { name: '1 aberto', exact: true })).toBeVisible()
  await mass('Resolver todos os pendentes…')
  await expect(card(page, 'Suporte').getByRole('link', { name: '0 pendentes' })).toBeVisible()
  await expect(card(page, 'Suporte').getByRole('link', { name: '1 aberto', exact: true })).toBeVisible()
  await mass('Resolver todos os abertos…')
  await expect(card(page, 'Suporte').getByRole('link', { name: '0 abertos' })).toBeVisible()
  expect(complaints).toEqual([])
  await context.close()
})
