import { expect } from '@playwright/test'
import { attendance } from './pages/attendance.ts'
import { type Person, sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test('an administrator changes what somebody may see and do; the open screens of that person follow', {
  tag: ['@users', '@wide'],
}, async ({ product, browser }) => {
  const { made, tenantId, talking, hear, ask, people, queueId, otherQueueId } = await shop(product)
  const waiting = await talking('Zenaide Prado', people.ana)
  await ask('PUT', `/tickets/${waiting}`, { status: 'pending', userId: null })
  await talking('Marlene Duarte', people.ana, 'Bom dia')
  const lead = await made.user(tenantId, { name: 'Lia Nunes', profile: 'super' })
  const at = async (person: Person, address: string) => {
    const desk = await sitDown(browser, product, person)
    await desk.page.goto(address)
    return { ...desk, ...attendance(desk.page) }
  }
  const change = (id: number, body: object) => ask('PUT', `/users/${id}`, body)
  const denied = /Acesso negado/
  const soon = { timeout: 6000 }
  const menu = (page: { getByRole: (typeof admin.page)['getByRole'] }, name: string) =>
    page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name })

  const admin = await at(people.admin, '/usuarios/acessos')
  const choose = async (name: string) => {
    await admin.page.getByRole('combobox', { name: 'Usuário' }).fill(name)
    await admin.page.getByRole('option', { name }).click()
    await expect(admin.page.getByRole('heading', { name: 'Permissões' })).toBeVisible()
  }
  const permission = (words: string) => admin.page.getByRole('listitem').filter({ hasText: words })

  await test.step('the screen of accesses says who may what', async () => {
    await choose('Ana Lima')
    await expect(permission('Iniciar uma conversa com um contato')).toContainText('Pode')
    await expect(permission('Criar, alterar e excluir filas')).toContainText('O perfil não inclui')
    await admin.page.getByLabel('Número do atendimento').fill(String(waiting))
    await admin.page.getByRole('button', { name: 'Conferir' }).click()
    await expect(admin.page.getByText('Ana Lima vê este atendimento.')).toBeVisible()
  })

  const ana = await at(people.ana, '/atendimento')
  await ana.open('Marlene Duarte')
  await expect(ana.field).toBeVisible()
  const contacts = await ana.context.newPage()
  await contacts.goto('/contatos')
  await expect(contacts.getByText('Marlene Duarte').first()).toBeVisible()

  await test.step('restricted: names are cut, contacts are closed, conversations are not begun', async () => {
    await change(people.ana.id, { restrictedUser: true })
    await expect(ana.row('Marle…')).toBeVisible()
    await expect(ana.page.getByText('Marlene Duarte')).toHaveCount(0)
    await expect(ana.page.getByRole('button', { name: 'Iniciar conversa' })).toHaveCount(0)
    await expect(menu(ana.page, 'Contatos')).toHaveCount(0)
    await expect(contacts.getByText(denied)).toBeVisible()
    await expect(contacts).toHaveURL(/\/home$/)
    await contacts.close()
    await hear('Marlene Duarte', 'Ainda está aí?')
    await expect(ana.bubble('Ainda está aí?')).toBeVisible()
    await ana.page.getByLabel('Buscar atendimentos').fill('Duarte')
    await expect(ana.row('Marle…')).toHaveCount(0)
    await ana.page.getByLabel('Buscar atendimentos').fill('Marle')
    await expect(ana.row('Marle…')).toBeVisible()
    await ana.page.getByLabel('Buscar atendimentos').fill('')
    await expect(permission('Iniciar uma conversa com um contato')).toContainText('É um usuário restrito')
  })

  await test.step('another queue: what was seen is gone, within a second and without a reload', async () => {
    await ana.tab('Pendentes').click()
    await expect(ana.row('Zenai…')).toBeVisible()
    await ana.page.evaluate(() => Object.assign(window, { same: true }))
    await change(people.ana.id, { queueIds: [otherQueueId] })
    await expect(ana.row('Zenai…')).toHaveCount(0, soon)
    expect(await ana.page.evaluate(() => 'same' in window)).toBe(true)
    await admin.page.getByRole('button', { name: 'Conferir' }).click()
    await expect(admin.page.getByText('Ana Lima não vê este atendimento.')).toBeVisible()
  })

  await test.step('a role lowered: the open screen is refused, and the menu is another one', async () => {
    const lia = await at(lead, '/etiquetas')
    await expect(lia.page.getByRole('heading', { name: 'Etiquetas' })).toBeVisible()
    await expect(menu(lia.page, 'Automação')).toHaveCount(1)
    // From here on changes arrive as events; before, they are caught up on when the socket opens.
    await lia.page.waitForFunction(
      () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/socket.io')).length > 2,
    )
    await change(lead.id, { profile: 'user', queueIds: [queueId] })
    await expect(lia.page.getByText(denied)).toBeVisible(soon)
    await expect(lia.page).toHaveURL(/\/contatos$/)
    await expect(menu(lia.page, 'Automação')).toHaveCount(0)
    await lia.page.getByRole('button', { name: 'Fechar aviso' }).click()
    await change(lead.id, { profile: 'super' })
    await expect(menu(lia.page, 'Automação')).toHaveCount(1, soon)
    expect(lia.complaints).toEqual([])
    await lia.context.close()
  })

  for (const { context } of [admin, ana]) await context.close()
})
