import { expect, type Page } from '@playwright/test'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

const figure = (page: Page, label: string) =>
  page.getByRole('region', { name: 'Agora e hoje' }).getByRole('link', { name: label })

test('the panel follows what happens, and its numbers lead to their rows', { tag: '@wide' }, async ({
  product,
  browser,
}) => {
  const { admin, tenantId, made, ask } = await company(product)
  const queue = await made.queue(tenantId, { queue: 'Vendas' })
  const waits = await made.ticket(tenantId, {
    queue_id: queue,
    status: 'pending',
    waiting_since: new Date(Date.now() - 20 * 60_000),
  })
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto('/home')
  await expect(figure(page, 'Pendentes')).toHaveText('Pendentes1')
  await expect(figure(page, 'Em atendimento')).toHaveText('Em atendimento0')
  await expect(page.getByRole('link', { name: 'maior espera: 20 min' })).toHaveAttribute(
    'href',
    `/atendimento/${waits}`,
  )
  const part = (name: string) => page.getByRole('link', { name, exact: true })
  await expect(part('0 em atendimento')).toBeVisible()
  await expect(part('há 15 min ou mais 1')).toHaveAttribute('href', /waitingMinutes=15/)
  await expect(part('há 1 h ou mais 0')).toBeVisible()
  await part('1 pendente').click()
  await expect(page.getByText('Pendentes · sem grupos · fila Vendas')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Atendimentos' }).getByRole('listitem')).toHaveCount(1)
  await page.goBack()
  await page.getByRole('button', { name: 'Com grupos' }).click()
  await expect(page.getByRole('link', { name: 'livre', exact: true })).toBeVisible()
  await expect(figure(page, 'Esperando por nós')).toHaveText('Esperando por nós1')
  await figure(page, 'Esperando por nós').click()
  await expect(page.getByText('Abertos e pendentes · com grupos')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Atendimentos' }).getByRole('listitem')).toHaveCount(1)
  await page.goBack()
  const now = page.getByRole('region', { name: 'Agora', exact: true })
  await now.getByRole('button', { name: 'Em anel' }).click()
  await page.reload()
  await expect(now.getByRole('button', { name: 'Em anel' })).toHaveAttribute('aria-pressed', 'true')
  await expect(now.getByRole('listitem').filter({ hasText: 'Vendas' })).toHaveText('Vendas1 100%')

  await ask('PUT', `/tickets/${waits}`, { status: 'open', userId: admin.id })
  await expect(figure(page, 'Pendentes')).toHaveText('Pendentes0')
  await expect(figure(page, 'Em atendimento')).toHaveText('Em atendimento1')
  await expect(page.getByRole('link', { name: 'atendendo 1' })).toBeVisible()
  await ask('PUT', `/usersIsOnline/${admin.id}`, { isOnline: false })
  await expect(page.getByText('Ninguém está online agora.')).toBeVisible()
  await ask('PUT', `/tickets/${waits}`, { status: 'closed', userId: admin.id })
  await expect(figure(page, 'Resolvidos hoje')).toHaveText('Resolvidos hoje1')

  await figure(page, 'Resolvidos hoje').click()
  await expect(page).toHaveURL(/\/atendimento\/chats\/?\?.*tab=closed/)
  await expect(page.getByRole('list', { name: 'Atendimentos' }).getByRole('listitem')).toHaveCount(1)
  expect(complaints).toEqual([])
  await context.close()
})
