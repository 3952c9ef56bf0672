import { type Browser, expect, type Page } from '@playwright/test'
import type { Product } from '#test/product.ts'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { confirm, toast } from './pages/parts.ts'
import { type Person, sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

async function attend(browser: Browser, product: Product, person: Person, query = '') {
  const desk = await sitDown(browser, product, person)
  await desk.page.goto(`/atendimento/chats/${query}`)
  const screen = attendance(desk.page)
  await expect(screen.list).toBeVisible()
  return { ...desk, ...screen }
}

const pick = (page: Page, name: string) => page.getByRole('checkbox', { name: `Selecionar ${name}` })
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Ações para os selecionados' })
const names = (n: number) => Array.from({ length: n }, (_, at) => `Cliente ${String(at + 1).padStart(2, '0')}`)

test('sixty are taken at once and taken back, but for the one that a colleague took meanwhile', {
  tag: ['@attendance', '@tickets', '@bulk'],
}, async ({ product, browser }) => {
  const { arrive, people, ticketOf, ask, tenantId } = await shop(product)
  const said = names(60).map((name, n) => ({ name, body: `Bom dia de ${name}`, at: Date.now() - 60_000 + n }))
  await arrive(said)
  const { context, page, list, row, complaints } = await attend(browser, product, people.ana, '?tab=pending')
  await expect(row('Cliente 60')).toBeVisible()
  const shown = () => list.getByRole('listitem').count()

  // With click and Shift, then all tickets of the filter.
  await pick(page, 'Cliente 60').check()
  await row('Cliente 57')
    .getByRole('link')
    .click({ modifiers: ['Shift'] })
  await expect(bar(page)).toContainText('4 selecionados')
  await expectAccessible(page)
  await bar(page).getByRole('button', { name: 'Selecionar os 60' }).click()
  await expect(bar(page)).toContainText('60 selecionados')
  await bar(page).getByRole('button', { name: 'Atender' }).click()
  await expect(page.getByRole('dialog')).toContainText('Atender 60 atendimentos?')
  await expectAccessible(page)
  await confirm(page.getByRole('dialog'), 'Atender')
  await expect(toast(page, '60 atendimentos são seus')).toBeVisible()
  await expect(bar(page)).toHaveCount(0)
  await expect.poll(shown).toBe(0)

  const { id } = await ticketOf('Cliente 30')
  await ask('PUT', `/tickets/${id}`, { status: 'open', userId: people.bia.id })
  await page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Desfazer' }).click()
  await expect(toast(page, 'Desfeito')).toBeVisible()
  await expect(toast(page, /59 voltaram; 1 ficou como está: .+ alterou depois/)).toBeVisible()
  await expect(row('Cliente 60')).toBeVisible()
  const waiting = await product.platform.db.read(tenantId, (db) =>
    db.selectFrom('tickets').select(['id', 'user_id']).where('status', '=', 'pending').execute(),
  )
  expect([waiting.length, waiting.every(({ user_id }) => user_id === null)]).toEqual([59, true])
  expect((await ticketOf('Cliente 30')).user_id).toBe(people.bia.id)
  expect(complaints).toEqual([])
  await context.close()
})

test('keys choose, what is refused is said beforehand with its reason, and nothing is chosen after Esc', {
  tag: ['@attendance', '@tickets', '@bulk', '@wide'],
}, async ({ product, browser }) => {
  const { talking, people, ticketOf, ask } = await shop(product)
  for (const name of ['Marlene', 'Osvaldo', 'Jussara']) await talking(name, people.ana)
  const { context, page, row, complaints } = await attend(browser, product, people.ana)
  await row('Jussara').getByRole('link').focus()
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(bar(page)).toContainText('2 selecionados')
  await page.keyboard.press('Escape')
  await expect(bar(page)).toHaveCount(0)

  await row('Jussara').getByRole('link').focus()
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(bar(page)).toContainText('3 selecionados')
  // A colleague is faster with one of them.
  await ask('PUT', `/tickets/${(await ticketOf('Osvaldo')).id}`, { status: 'closed' })
  await page.keyboard.press('e')
  const question = page.getByRole('dialog')
  await expect(question).toContainText('Resolver 2 atendimentos?')
  await expect(question).toContainText('O atendimento não pode mudar para essa situação agora. Osvaldo')
  await expectAccessible(page)
  await confirm(question, 'Resolver')
  await expect(toast(page, '2 atendimentos resolvidos')).toBeVisible()
  await expect(row('Marlene')).toHaveCount(0)
  await page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Desfazer' }).click()
  await expect(row('Marlene')).toBeVisible()
  await expect(row('Osvaldo')).toHaveCount(0)
  expect(complaints).toEqual([])
  await context.close()
})

test('what goes on by itself is seen on every screen and after a reload, can wait, and be taken back', {
  tag: ['@attendance', '@tickets', '@bulk', '@wide'],
}, async ({ product, browser }) => {
  const { arrive, people, tenantId } = await shop(product)
  await arrive(names(230).map((name, n) => ({ name, body: 'Oi', at: Date.now() - 230_000 + n * 1000 })))
  const { context, page, row, complaints } = await attend(browser, product, people.ana, '?tab=pending')
  await expect(row('Cliente 230')).toBeVisible({ timeout: 30_000 })
  await pick(page, 'Cliente 230').check()
  await bar(page).getByRole('button', { name: 'Selecionar os 230' }).click()
  await bar(page).getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: /^Resolver/ }).click()
  await confirm(page.getByRole('dialog'), 'Resolver')
  await page.goto('/contatos')
  await expect(page.getByText('230 atendimentos resolvidos')).toBeVisible({ timeout: 30_000 })
  await page.reload()
  await expect(page.getByText('230 atendimentos resolvidos')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(toast(page, 'Desfeito')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('230 atendimentos resolvidos')).toHaveCount(0)
  const waiting = await product.platform.db.read(tenantId, (db) =>
    db.selectFrom('tickets').select('id').where('status', '=', 'pending').execute(),
  )
  expect(waiting).toHaveLength(230)
  expect(complaints).toEqual([])
  await context.close()
})
