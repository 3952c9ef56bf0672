import { expect } from '@playwright/test'
import { attendance } from './pages/attendance.ts'
import { type Person, sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test('colleagues see who is in a conversation and who writes; leaving is seen too', { tag: '@attendance' }, async ({
  product,
  browser,
}) => {
  const { talking, people } = await shop(product)
  const id = await talking('Marlene', people.ana)
  const at = async (person: Person) => {
    const desk = await sitDown(browser, product, person)
    await desk.page.goto(`/atendimento/${id}`)
    return { ...desk, ...attendance(desk.page) }
  }
  const ana = await at(people.ana)
  await expect(ana.field).toBeVisible()
  const admin = await at(people.admin)
  await expect(ana.page.getByRole('img', { name: 'Ana Souza está vendo' })).toBeVisible()
  await admin.field.pressSequentially('Deixa comigo')
  await expect(ana.page.getByRole('img', { name: 'Ana Souza está digitando' })).toBeVisible()
  await admin.field.blur()
  await expect(ana.page.getByRole('img', { name: 'Ana Souza está vendo' })).toBeVisible()
  await admin.page
    .getByRole('link', { name: /Contatos/ })
    .first()
    .click()
  await expect(ana.page.getByRole('img', { name: /^Ana Souza/ })).toHaveCount(0)
  await admin.context.close()
  await ana.context.close()
})

test('what happens elsewhere is there without a reload: words, owners, and what one may no longer see', {
  tag: '@attendance',
}, async ({ product, browser }) => {
  const { hear, talking, ask, people, ticketOf, otherQueueId } = await shop(product)
  await talking('Marlene', people.ana, 'Bom dia')
  const { context, page, complaints } = await sitDown(browser, product, people.ana)
  await page.goto('/atendimento')
  const { row, tab, open, bubble, conversation } = attendance(page)
  await expect(row('Marlene')).toBeVisible()
  await hear('Marlene', 'Ainda aí?')
  await expect(row('Marlene')).toContainText('Ainda aí?')
  await expect(page).toHaveTitle(/^\(\d+\) Atendimentos · Guichê$/)

  await hear('Zenaide', 'Primeira vez aqui')
  await tab('Pendentes').click()
  await expect(row('Zenaide')).toContainText('Primeira vez aqui')
  const { id } = await ticketOf('Zenaide')
  await ask('PUT', `/tickets/${id}`, { status: 'open', userId: people.bia.id })
  await expect(row('Zenaide')).toHaveCount(0)

  await tab('Abertos').click()
  await open('Marlene')
  await hear('Marlene', 'Recebi o boleto')
  await expect(bubble('Recebi o boleto')).toHaveCount(1)
  const marlene = await ticketOf('Marlene')
  await ask('PUT', `/tickets/${marlene.id}`, { isTransference: true, queueId: otherQueueId, userId: people.caio.id })
  await expect(row('Marlene')).toHaveCount(0)
  await expect(conversation).toHaveCount(0)
  await expect(page.getByText('Você não tem acesso a este atendimento')).toBeVisible()
  await hear('Marlene', 'Isto é só para o financeiro')
  await hear('Zenaide', 'e isto para todos')
  await page.getByRole('button', { name: 'Voltar à lista' }).click()
  await page.goto(`/atendimento?search=Marlene`)
  await expect(page.getByText('Nenhum atendimento com “Marlene”')).toBeVisible()
  await expect(page.getByText('financeiro')).toHaveCount(0)

  expect(complaints.filter((line) => !line.startsWith('404 '))).toEqual([])
  await context.close()
})

test('typing stays smooth while fifty messages a second arrive', { tag: ['@wide', '@attendance'] }, async ({
  product,
  browser,
}) => {
  const { talking, arrive, people } = await shop(product)
  const names = Array.from({ length: 20 }, (_, index) => `Cliente ${index + 10}`)
  const nameOf = (n: number) => names[n % names.length] as string
  for (const name of names) await talking(name, people.ana)
  const { context, page } = await sitDown(browser, product, people.ana)
  await page.goto('/atendimento')
  const { open, field, row, bubble } = attendance(page)
  await open('Cliente 29')
  await expect(field).toBeVisible()
  await field.hover() // under a pointer the list would hold still

  let sent = 0
  let arriving = true
  const flood = (async () => {
    while (arriving) await arrive([{ name: nameOf(sent), body: `mensagem ${sent++}` }])
  })()
  const text = 'Um momento: estou conferindo o seu pedido, agora mesmo.'
  await field.pressSequentially(text, { delay: 60 })
  await field.press('Enter')
  arriving = false
  await flood
  await expect(bubble(text)).toHaveCount(1)
  await expect(row(nameOf(sent - 1))).toContainText(`mensagem ${sent - 1}`)
  await context.close()
})

test('a long list scrolls with few nodes and opens at once', { tag: '@attendance' }, async ({ product, browser }) => {
  const { tenantId, people, queueId } = await shop(product)
  const many = 2000
  await product.platform.db.write(tenantId, async (db) => {
    const connection = await db.selectFrom('connections').select('id').executeTakeFirstOrThrow()
    const contacts = await db
      .insertInto('contacts')
      .values(
        Array.from({ length: many }, (_, n) => ({
          tenant_id: tenantId,
          name: `Pessoa ${n}`,
          number: `5521${900000000 + n}`,
        })),
      )
      .returning('id')
      .execute()
    await db
      .insertInto('tickets')
      .values(
        contacts.map(({ id }, n) => ({
          tenant_id: tenantId,
          contact_id: id,
          connection_id: connection.id,
          conversation_key: `muitos-${n}`,
          channel: 'test',
          status: 'open',
          user_id: people.ana.id,
          queue_id: queueId,
          last_message: `Última palavra ${n}`,
          updated_at: new Date(Date.now() - n * 60_000),
        })),
      )
      .execute()
  })
  const { context, page } = await sitDown(browser, product, people.ana)
  await page.goto('/atendimento')
  const { list, row, field } = attendance(page)
  await expect(row('Pessoa 0').first()).toBeVisible()
  const nodes = () => page.evaluate(() => document.getElementsByTagName('*').length)
  const height = () => list.evaluate((box) => box.scrollHeight)
  const seen: number[] = []
  for (let rows = 60; rows <= 600; rows += 60) {
    await expect
      .poll(
        async () => {
          await list.evaluate((box) => box.scrollTo(0, box.scrollHeight))
          return height()
        },
        { intervals: [50] },
      )
      .toBeGreaterThan(rows * 80)
    seen.push(await nodes())
  }
  expect(Math.max(...seen)).toBeLessThanOrEqual(1500)
  // A menu's button exists only while the pointer is over its row.
  await expect(list.locator('[aria-haspopup=menu]')).toHaveCount(0)
  // While the list still runs, rows know of no pointer; a hand moves on.
  await expect(page.locator('[data-scrolling]')).toHaveCount(0)
  const { x, y, width, height: visible } = (await list.boundingBox())!
  await page.mouse.move(x + width / 2, y + visible / 2)
  await expect(list.getByRole('button', { name: /^Ações de/ })).toHaveCount(1)
  await page.mouse.click(x + width / 2, y + visible / 2)
  await expect(field).toBeVisible()
  expect(await nodes()).toBeLessThanOrEqual(1500)
  await context.close()
})
