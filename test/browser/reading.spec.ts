import { expect, type Page } from '@playwright/test'
import { attendance } from './pages/attendance.ts'
import { type Person, settled, sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

const menuEntry = (page: Page) =>
  page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: /^Atendimentos/ })
const bell = (page: Page) => page.getByRole('button', { name: /^Para você/ })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Para você' })

test('a colleague’s reading leaves the owner’s count, and each has an own divider, on every device', {
  tag: ['@attendance', '@messages'],
}, async ({ product, browser }) => {
  const { talking, hear, people, ticketOf } = await shop(product)
  const id = await talking('Marlene', people.ana, 'Bom dia', 'Alguém aí?')
  const sit = async (person: Person, path: string) => {
    const desk = await sitDown(browser, product, person)
    await desk.page.goto(path)
    return { ...desk, ...attendance(desk.page) }
  }
  const ana = await sit(people.ana, '/home')
  const bia = await sit(people.bia, '/atendimento')
  await expect(menuEntry(ana.page)).toHaveAccessibleName(/1 não lida$/)
  await bia.open('Marlene')
  await expect(bia.messages.getByText('2 mensagens novas')).toBeVisible()
  await settled(bia.page)
  expect((await ticketOf('Marlene')).unread_messages).toBe(2)
  await expect(bia.row('Marlene')).toContainText('2 não lidas')
  // J reads no more than a click does.
  await bia.page.goto('/atendimento')
  await expect(bia.row('Marlene')).toBeVisible()
  await bia.page.keyboard.press('j')
  await expect(bia.bubble('Alguém aí?')).toBeVisible()
  await expect(bia.messages.getByText(/mensage(m|ns) novas?/)).toHaveCount(0) // already read by her
  await hear('Marlene', 'Tem alguém?')
  await expect(bia.bubble('Tem alguém?')).toBeVisible()
  await settled(bia.page)
  expect((await ticketOf('Marlene')).unread_messages).toBe(3)
  await expect(ana.page).toHaveTitle(/^\(1\) /)

  await menuEntry(ana.page).click()
  await expect(ana.row('Marlene')).toContainText('3 não lidas')
  await ana.open('Marlene')
  await expect(ana.messages.getByText('3 mensagens novas')).toBeVisible()
  await expect(menuEntry(ana.page)).toHaveAccessibleName('Atendimentos')
  await expect(bia.row('Marlene')).not.toContainText('não lida')
  expect((await ticketOf('Marlene')).unread_messages).toBe(0)

  // Another device of hers knows how far she has read.
  const phone = await sit(people.ana, `/atendimento/${id}`)
  await expect(phone.bubble('Tem alguém?')).toBeVisible()
  await expect(phone.messages.getByText(/mensage(m|ns) novas?/)).toHaveCount(0)
  for (const desk of [ana, bia, phone]) {
    expect(desk.complaints).toEqual([])
    await desk.context.close()
  }
})

test('the bell tells on every screen what concerns the person, and opens it at the message', {
  tag: ['@attendance', '@messages', '@wide'],
}, async ({ product, browser }) => {
  const { talking, hear, ask, people, queueId } = await shop(product)
  const marlene = await talking('Marlene', people.bia)
  const zenaide = await talking('Zenaide', people.bia)
  const own = await talking('Otília', people.ana)
  const send = (ticketId: number, key: string, body: string) =>
    ask('POST', `/messages/${ticketId}`, {
      ...{ idFront: `bell-${key}`, body, isNote: 'true' },
      mentionedUsers: [people.ana.id],
    })
  const { page, context, complaints } = await sitDown(browser, product, people.ana)
  await page.goto('/home')
  await expect(bell(page)).toHaveAccessibleName('Para você 1 novidade') // Otília has written
  await send(marlene, 'marlene', 'Veja isto, @Ana Lima')
  for (let n = 0; n < 60; n++) await hear('Marlene', `depois ${n}`)
  await ask('PUT', `/tickets/${zenaide}`, { isTransference: true, userId: people.ana.id, queueId })
  await expect(bell(page)).toHaveAccessibleName('Para você 3 novidades')
  await bell(page).click()
  await expect(panel(page).getByRole('listitem')).toHaveCount(3)
  await expect(panel(page).getByRole('listitem').filter({ hasText: 'Zenaide' })).toContainText('transferiu para você')
  await expect(panel(page).getByRole('listitem').filter({ hasText: 'Otília' })).toContainText('1 mensagem nova')
  await panel(page)
    .getByRole('button', { name: /Marlene/ })
    .click()
  await expect(page).toHaveURL(new RegExp(`/atendimento/${marlene}`))
  await expect(attendance(page).messages.getByText('Veja isto')).toBeInViewport()
  await expect(bell(page)).toHaveAccessibleName('Para você 2 novidades')

  await bell(page).click()
  await panel(page).getByRole('button', { name: 'Marcar todas como lidas' }).click()
  await expect(bell(page)).toHaveAccessibleName('Para você')
  await expect(panel(page).getByRole('listitem')).toHaveCount(3)
  await page.keyboard.press('Escape')
  await hear('Otília', 'Ainda estou aqui')
  await expect(bell(page)).toHaveAccessibleName('Para você 1 novidade')
  await page.goto(`/atendimento/${own}`)
  await expect(bell(page)).toHaveAccessibleName('Para você')
  expect(complaints).toEqual([])
  await context.close()
})

test('the list shows the truth: other tabs are marked, taking is followed, what is resolved leaves', {
  tag: ['@attendance', '@messages', '@wide'],
}, async ({ product, browser }) => {
  const { talking, hear, people, ask, ticketOf } = await shop(product)
  await talking('Marlene', people.ana)
  await hear('Zenaide', 'Primeira vez aqui')
  const { page, context, complaints } = await sitDown(browser, product, people.ana)
  await page.goto('/atendimento?tab=pending&scope=unassigned')
  const { tab, row, open, conversation, list } = attendance(page)
  await expect(tab('Abertos')).toContainText('1 não lida')
  await open('Zenaide')
  await conversation.getByRole('button', { name: 'Atender' }).last().click()
  await expect(tab('Abertos')).toHaveAttribute('aria-pressed', 'true')
  await expect(row('Zenaide').getByRole('link')).toHaveAttribute('aria-current', 'true')
  await expect(row('Marlene')).toContainText('esperando < 1 min')
  const names = async () => (await list.getByRole('link').allTextContents()).map((said) => said.split(',')[0])
  expect(await names()).toEqual(['Zenaide', 'Marlene'])
  await page.getByRole('button', { name: 'Mais antigas primeiro' }).click()
  await expect.poll(names).toEqual(['Marlene', 'Zenaide'])
  await expect(page).toHaveURL(/oldestFirst=true/)

  await page.keyboard.press('Escape')
  await open('Marlene')
  await expect(conversation).toBeVisible()
  await page.mouse.move(1000, 450)
  const { id } = await ticketOf('Marlene')
  await ask('PUT', `/tickets/${id}`, { status: 'closed' })
  await expect(conversation.getByText('Atendimento resolvido')).toBeVisible()
  await expect(row('Marlene')).toHaveCount(0)
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await tab('Resolvidos').click()
  await expect(row('Marlene').getByRole('link')).toHaveAttribute('aria-current', 'true')
  expect(complaints).toEqual([])
  await context.close()
})
