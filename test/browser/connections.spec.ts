import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { button, confirm, drawer, field, toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

const card = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })

/** Runs a command of a card's menu. */
async function run(page: Page, name: string, command: string): Promise<void> {
  await button(page, `Ações de ${name}`).click()
  await page.getByRole('menuitem', { name: command }).click()
}

for (const width of [1440, 390])
  test(`connections are made, found, renamed, ended, started and removed, at ${width} px`, {
    tag: ['@webchat', '@wide'],
  }, async ({ product, browser }) => {
    const { people, made, tenantId, talking, ticketsOf } = await shop(product)
    await made.queue(tenantId, { queue: 'Pós-venda' } as never)
    await talking('Marlene', people.ana, 'Guarde isto')
    const { page, complaints, context } = await sitDown(browser, product, people.admin, {
      viewport: { width, height: 900 },
      ...(width < 600 ? { colorScheme: 'dark' } : {}),
    })

    // The old address leads here, and the menu has it.
    await page.goto('/configuracoes/sessoes')
    await expect(page).toHaveURL('/sessoes')
    await expect(page.getByRole('heading', { name: 'Canais de Comunicação' })).toBeVisible()
    await expect(page.getByText(/^1 de \d+ canais do plano · 1 conectado$/)).toBeVisible()

    // A channel with a separate screen is created there, and is listed among the others.
    await button(page, 'Adicionar canal').click()
    await expect(drawer(page)).toBeVisible()
    await expectAccessible(page, '[role=dialog]')
    await drawer(page).getByRole('button', { name: 'WebChat' }).click()
    await expect(page).toHaveURL('/configuracoes/webchat')
    await button(page, 'Criar o primeiro canal').click()
    await expect(page.getByText('Código de instalação', { exact: true })).toBeVisible()
    const [now, later] = [new Date(), new Date(Date.now() + 3_600_000)]
    await product.platform.db.write(tenantId, async (db) => {
      const { id } = await db
        .selectFrom('connections')
        .select('id')
        .where('name', '=', 'WebChat')
        .executeTakeFirstOrThrow()
      const slow = { tenant_id: tenantId, connection_id: id, tokens: 1, filled_at: now, slow_until: later }
      await db.insertInto('connection_paces').values(slow).execute()
    })
    await page.goto('/sessoes')
    await expect(card(page, 'WebChat').getByText('Conexão estabelecida')).toBeVisible()
    await expect(card(page, 'WebChat').getByText(/os primeiros contatos saem mais devagar/)).toBeVisible()

    // Cards may be small, and are as they were.
    await page.getByText('Compactos', { exact: true }).click()
    await expect(page).toHaveURL(/modo=compacto/)
    await expect(card(page, 'WebChat').getByText('Fila', { exact: true })).toBeHidden()
    await page.getByText('Completos', { exact: true }).click()
    await expect(card(page, 'WebChat').getByText('Fila', { exact: true })).toBeVisible()

    // Another name and a queue, by the form.
    await run(page, 'WebChat', 'Editar')
    await field(page, 'Nome do canal').fill('Site da loja')
    await drawer(page).getByRole('combobox', { name: 'Fila' }).click()
    await page.getByRole('option', { name: 'Pós-venda' }).click()
    await expectAccessible(page, '[role=dialog]')
    await drawer(page).getByRole('button', { name: 'Salvar' }).click()
    await expect(toast(page, 'Canal salvo')).toBeVisible()
    await expect(card(page, 'Site da loja').getByText('Pós-venda')).toBeVisible()

    // Ended, it asks for attention; started, it does not.
    await run(page, 'Site da loja', 'Desconectar…')
    await confirm(page, 'Desconectar')
    await expect(card(page, 'Site da loja').getByText('Desconectado: nada entra nem sai')).toBeVisible()
    await button(page, 'Pedem atenção').click()
    await expect(page.getByRole('listitem').filter({ has: page.getByRole('heading') })).toHaveCount(1)
    await expectAccessible(page, 'main')
    await card(page, 'Site da loja').getByRole('button', { name: 'Conectar' }).click()
    await expect(page.getByText('Nenhum canal com este filtro')).toBeVisible()
    await button(page, 'Limpar filtros').click()
    await page.getByRole('searchbox', { name: 'Buscar canais' }).fill('lója')
    await expect(card(page, 'Site da loja')).toBeVisible()
    await page.getByRole('searchbox', { name: 'Buscar canais' }).fill('')

    // The dialog of the removal states what happens to the conversations.
    await run(page, 'Balcão', 'Remover…')
    await expect(page.getByText('O atendimento em aberto será resolvido.', { exact: false })).toBeVisible()
    await expectAccessible(page, '[role=dialog]')
    await confirm(page, 'Remover canal')
    await expect(card(page, 'Balcão')).toHaveCount(0)
    await expect.poll(async () => (await ticketsOf('Marlene')).map(({ status }) => status)).toEqual(['closed'])
    await page.goto(`/atendimento/${(await ticketsOf('Marlene'))[0]!.id}`)
    await expect(page.getByText('Guarde isto').first()).toBeVisible()
    expect(complaints).toEqual([])
    await context.close()
  })

test('a supervisor sees how connections stand, and changes nothing', { tag: '@wide' }, async ({ product, browser }) => {
  const { made, tenantId } = await shop(product)
  const lead = await made.user(tenantId, { profile: 'super' })
  const { page, complaints } = await sitDown(browser, product, lead)
  await page.goto('/sessoes')
  await expect(page.getByText('Conexão estabelecida')).toBeVisible()
  await expect(button(page, 'Adicionar canal')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Ações de|^Editar/ })).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('every screen shows how the channels stand where the company wants it, and all of one goes on over another', {
  tag: ['@wide', '@attendance', '@tickets'],
}, async ({ product, browser }) => {
  const { people, made, tenantId, talking, ticketOf, ask } = await shop(product)
  await made.connection(tenantId, { type: 'test', name: 'Vitrine', status: 'DISCONNECTED' })
  // Marks all connections as opened once: others are not reported as down.
  await product.platform.db.write(tenantId, (db) =>
    db.updateTable('connections').set({ first_connected_at: new Date() }).execute(),
  )
  for (const name of ['Marlene', 'Osvaldo']) await talking(name, people.ana)
  const { page, complaints, context } = await sitDown(browser, product, people.admin)
  await page.goto('/sessoes')
  const bar = page.getByRole('region', { name: 'Canais', exact: true })
  await expect(card(page, 'Balcão').first()).toBeVisible()
  await expect(bar).toHaveCount(0)
  await ask('PUT', '/settings/fixConnections', { key: 'fixConnections', value: 'enabled' })
  await expect(bar.getByRole('listitem').first()).toContainText('Vitrine')
  await expect(bar.getByRole('listitem').first()).toContainText('Desconectado')
  await expectAccessible(page)
  await bar.getByRole('link', { name: /Balcão/ }).click()
  await expect(page).toHaveURL(/busca=/)

  await run(page, 'Balcão', 'Transferir canal…')
  const move = page.getByRole('dialog', { name: 'Transferir o canal “Balcão”' })
  await move.getByRole('combobox').click()
  await page.getByRole('option', { name: 'Vitrine' }).click()
  await expect(move).toContainText('2 atendimentos passam para “Vitrine”.')
  await expectAccessible(page, '[role=dialog]')
  await move.getByRole('button', { name: 'Transferir canal' }).click()
  await expect(toast(page, '2 atendimentos em outro canal')).toBeVisible()
  const before = (await ticketOf('Marlene')).connection_id
  await page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Desfazer' }).click()
  await expect.poll(async () => (await ticketOf('Marlene')).connection_id).not.toBe(before)

  await run(page, 'Balcão', 'Limpar memória dos assistentes…')
  await confirm(page, 'Limpar memória')
  await expect(toast(page, 'Os assistentes não se lembravam de nada')).toBeVisible()
  expect(complaints).toEqual([])
  await context.close()
})
