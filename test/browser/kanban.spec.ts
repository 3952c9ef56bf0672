import { type Browser, expect, type Page } from '@playwright/test'
import type { Product } from '#test/product.ts'
import { expectAccessible } from './pages/accessible.ts'
import { confirm, toast } from './pages/parts.ts'
import { type Person, sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const card = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
const cards = (page: Page, name: string) =>
  column(page, name)
    .getByRole('group')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
const openBoard = async (browser: Browser, product: Product, person: Person, width = 1440) => {
  const desk = await sitDown(browser, product, person, {
    viewport: { width, height: width === 390 ? 844 : 900 },
    reducedMotion: 'reduce',
  })
  await desk.page.goto('/kanban')
  await expect(column(desk.page, 'Sem etapa')).toBeVisible()
  return desk
}

/** A company with two stages and contacts in the first. */
async function board(product: Product) {
  const own = await company(product)
  const { ask, made, tenantId } = own
  const stage = async (name: string, color: string) =>
    (await ask<{ id: number }>('POST', '/kanban', { name, color })).id
  const [first, second] = [await stage('Proposta', '#3874b6'), await stage('Fechado', '#15803d')]
  const put = (id: number, kanban: number | null) => ask('PUT', `/contacts/${id}`, { kanban })
  const contacts: Record<string, number> = {}
  for (const name of ['Ana', 'Bia', 'Caio', 'Davi']) {
    contacts[name] = await made.contact(tenantId, { name })
    await put(contacts[name], first)
  }
  const lead = await made.user(tenantId, { profile: 'super', name: 'Rui' })
  return { ...own, first, second, contacts, put, lead }
}

for (const width of [1440, 390])
  test(`two people move cards on one board, which follows both at once, is moved by keyboard and puts back what is refused (${width} px)`, {
    tag: ['@kanban', '@wide'],
  }, async ({ product, browser }) => {
    const { admin, lead, first, second, contacts, put, ask } = await board(product)
    const one = await openBoard(browser, product, admin, width)
    const other = await openBoard(browser, product, lead, width)
    await expect(one.page).toHaveURL(/\/kanban\/kanbans$/)
    await expect.poll(() => cards(one.page, 'Proposta')).toEqual(['Ana', 'Bia', 'Caio', 'Davi'])
    await expectAccessible(one.page)

    // At the same time, one person moves a card to the next column by keyboard, the other one down in its column.
    const press = async (page: Page, key: string, announced: string) => {
      await page.keyboard.press(key)
      await expect(page.locator('[aria-live="assertive"]')).toContainText(announced)
    }
    const hold = async (page: Page, name: string, key: string, where: string) => {
      await card(page, name).focus()
      await press(page, 'Space', `${name} na mão`)
      await press(page, key, `${name} sobre ${where}`)
    }
    const carry = async (page: Page, name: string, key: string, where: string) => {
      await hold(page, name, key, where)
      await press(page, 'Space', `${name} solto em`)
    }
    // On a phone the next column is out of sight: the card's menu leads there.
    const choose = async (page: Page, name: string, stage: string) => {
      await page.getByRole('button', { name: `Ações de ${name}` }).click()
      await page.getByRole('menuitem', { name: 'Mover para…' }).click()
      await page.getByRole('combobox', { name: 'Mover para' }).click()
      await page.getByRole('option', { name: stage }).click()
      await expectAccessible(page, '[role=dialog]')
      await page.getByRole('button', { name: 'Mover', exact: true }).click()
    }
    const take = (page: Page, name: string) =>
      width === 390 ? choose(page, name, 'Fechado') : carry(page, name, 'ArrowRight', 'Fechado')
    await Promise.all([take(one.page, 'Bia'), carry(other.page, 'Ana', 'ArrowDown', 'Proposta, posição 2')])
    for (const { page } of [one, other]) {
      await expect.poll(() => cards(page, 'Fechado')).toEqual(['Bia'])
      await expect.poll(() => cards(page, 'Proposta')).toContain('Ana')
    }
    const settled = await cards(one.page, 'Proposta')
    await expect.poll(() => cards(other.page, 'Proposta')).toEqual(settled)
    await one.page.reload()
    await expect.poll(() => cards(one.page, 'Proposta')).toEqual(settled)

    // Changes made elsewhere appear at once.
    await put(contacts['Davi']!, null)
    await expect.poll(() => cards(other.page, 'Sem etapa')).toEqual(['Davi'])

    // A refused move is reverted with its reason: the card before which it was to be placed has left meanwhile.
    const [above, below] = settled.filter((name) => name !== 'Davi') as [string, string]
    await expect.poll(() => cards(one.page, 'Proposta')).toEqual([above, below])
    await hold(one.page, below, 'ArrowUp', 'Proposta, posição 1')
    await put(contacts[above]!, second)
    await expect.poll(() => cards(other.page, 'Fechado')).toEqual(['Bia', above])
    await press(one.page, 'Space', `${below} solto em`)
    await expect(toast(one.page, `${below} voltou para onde estava`)).toBeVisible()
    await expect.poll(() => cards(one.page, 'Proposta')).toEqual([below])
    await put(contacts[above]!, first)
    await expect.poll(() => cards(one.page, 'Proposta')).toEqual([below, above])
    one.complaints.splice(0)

    // From the card's menu: elsewhere, out of the panel, and back.
    const menu = async (name: string, item: string) => {
      await one.page.getByRole('button', { name: `Ações de ${name}` }).click()
      await expectAccessible(one.page)
      await one.page.getByRole('menuitem', { name: item }).click()
    }
    await choose(one.page, 'Caio', 'Fechado')
    await expect.poll(() => cards(other.page, 'Fechado')).toEqual(['Bia', 'Caio'])
    await menu('Bia', 'Remover do painel')
    await expect.poll(() => cards(other.page, 'Fechado')).toEqual(['Caio'])
    await one.page.getByRole('button', { name: 'Desfazer' }).click()
    await expect.poll(() => cards(other.page, 'Fechado')).toEqual(['Bia', 'Caio'])

    // Narrowed, it counts what it shows.
    await one.page.getByRole('searchbox').fill('caio')
    await expect.poll(() => cards(one.page, 'Fechado')).toEqual(['Caio'])
    await expect(column(one.page, 'Proposta').locator('header')).toContainText('0')
    await one.page.getByRole('searchbox').fill('ninguém')
    await expect(one.page.getByText('Nenhum contato com este filtro')).toBeVisible()
    await one.page.getByRole('button', { name: 'Limpar filtros' }).click()
    await expect.poll(() => cards(one.page, 'Fechado')).toEqual(['Bia', 'Caio'])

    // A stage that goes asks where its contacts go.
    await one.page.goto('/configuracoes/lanes')
    await expect(one.page).toHaveURL(/\/lanes$/)
    await one.page.getByRole('button', { name: 'Mais ações' }).nth(1).click()
    await one.page.getByRole('menuitem', { name: 'Excluir…' }).click()
    await confirm(one.page.getByRole('dialog'), 'Excluir etapa')
    await expect(one.page.getByRole('dialog')).toContainText('Para onde vão os contatos de “Fechado”?')
    await one.page.getByRole('combobox', { name: 'Mover para' }).click()
    await one.page.getByRole('option', { name: 'Proposta' }).click()
    await one.page.getByRole('button', { name: 'Mover e excluir' }).click()
    await expect(toast(one.page, 'Etapa “Fechado” excluída')).toBeVisible()
    await expect(column(other.page, 'Fechado')).toHaveCount(0)
    await expect.poll(async () => (await cards(other.page, 'Proposta')).slice(-2)).toEqual(['Bia', 'Caio'])
    await ask('GET', '/kanban')
    expect(one.complaints.filter((line) => !line.includes('409'))).toEqual([])
    expect(other.complaints).toEqual([])
    await one.context.close()
    await other.context.close()
  })
