import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { DISK_FULL, installFaults } from '#test/faults.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { button, menuOf, row, toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

const isAccessible = async (page: Page) => expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])

test('what was put aside is read with its reason, tried again one by one and all at once', { tag: '@wide' }, async ({
  anotherProduct,
  browser,
}) => {
  const product = await anotherProduct()
  const faults = await installFaults(product.ownerUrl)
  const { admin, tenantId, made } = await company(product)
  const stranger = await company(product)
  const boss = await made.user(await made.tenant(), { profile: 'superadmin' })
  testChannel(product.platform)
  const bad = async (where: number, name: string, bodies: readonly string[]) => {
    const connectionId = await made.connection(where, { type: 'test', name })
    for (const body of bodies) await faults.raise('messages', '22023', body)
    const events = bodies.map((body, n) => textEvent({ from: `55118800000${n}`, body, id: `${name} ${n}` }))
    await receive(product.platform, { tenantId: where, connectionId }, events)
  }
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto('/eventos-separados')
  await expect(page.getByText('Nenhuma mensagem com erro ainda')).toBeVisible()
  // They appear by themselves.
  await bad(tenantId, 'Recepção', ['veneno um', 'veneno dois', 'veneno três'])
  await bad(stranger.tenantId, 'Canal de outra', ['veneno alheio'])
  await expect(row(page, 'Um dado não pôde ser guardado')).toHaveCount(3, { timeout: 20_000 })
  await expect(row(page, 'Canal de outra')).toHaveCount(0)
  await expect(row(page, '22023 · a fault of the test')).toHaveCount(3)
  await isAccessible(page)
  await page.getByRole('button', { name: 'Mais ações' }).first().click()
  await expect(page.getByRole('menuitem', { name: 'Tentar de novo' })).toBeVisible()
  await page.keyboard.press('Escape')

  await faults.heal()
  await page.getByRole('checkbox', { name: 'Selecionar', exact: true }).first().check()
  await expect(page.getByRole('toolbar')).toContainText('1 selecionado')
  await page.getByRole('toolbar').getByRole('button', { name: 'Tentar de novo' }).click()
  await expect(toast(page, '1 evento volta à fila')).toBeVisible()
  await expect(row(page, 'Um dado não pôde ser guardado')).toHaveCount(2)
  await page.goto('/eventos-separados?motivo=own')
  await expect(page.getByText('Nenhuma mensagem com erro com este filtro')).toBeVisible()
  await button(page, 'Limpar filtros').click()
  await button(page, 'Tentar todos de novo').click()
  await expect(toast(page, '2 eventos voltam à fila')).toBeVisible()
  await expect(page.getByText('Nenhuma mensagem com erro ainda')).toBeVisible()
  await expect(button(page, 'Tentar todos de novo')).toHaveCount(0)
  expect(complaints).toEqual([])
  await context.close()

  const desk = await sitDown(browser, product, boss)
  await desk.page.goto('/eventos-separados')
  await menuOf(desk.page, 'Canal de outra', 'Tentar de novo')
  await expect(desk.page.getByText('Nenhuma mensagem com erro ainda')).toBeVisible()
  await desk.page.getByText('Minha empresa').click()
  await expect(desk.page).toHaveURL(/visao=empresa/)
  await isAccessible(desk.page)
  expect(desk.complaints).toEqual([])
  await desk.context.close()
  await faults.close()
})

test('a disk that is full is told on every screen while it lasts, to each as it concerns them', {
  tag: '@wide',
}, async ({ anotherProduct, browser }) => {
  const product = await anotherProduct()
  const faults = await installFaults(product.ownerUrl)
  const { admin, tenantId, made } = await company(product)
  const agent = await made.user(tenantId)
  const boss = await made.user(await made.tenant(), { profile: 'superadmin' })
  testChannel(product.platform)
  const connectionId = await made.connection(tenantId, { type: 'test' })
  const desks = await Promise.all([agent, admin, boss].map((person) => sitDown(browser, product, person)))
  for (const { page } of desks) await page.goto('/contatos')
  for (const { page } of desks) await expect(page.getByRole('heading', { name: 'Contatos' })).toBeVisible()
  const bars = desks.map(({ page }) => page.getByText('As mensagens estão demorando a entrar'))
  for (const bar of bars) await expect(bar).toHaveCount(0)
  await faults.raise('messages', DISK_FULL)
  await receive(product.platform, { tenantId, connectionId }, [textEvent({ from: '5511880000009', body: 'demorada' })])
  const [ofAgent, ofAdmin, ofBoss] = bars as [(typeof bars)[0], (typeof bars)[0], (typeof bars)[0]]
  await expect(ofAgent).toHaveText('As mensagens estão demorando a entrar.')
  await expect(ofAdmin).toHaveText(
    'As mensagens estão demorando a entrar: o disco do servidor está cheio ou com defeito.',
  )
  await expect(ofBoss).toContainText('As mensagens estão demorando a entrar em 1 empresa')
  for (const { page } of desks) await isAccessible(page)
  await desks[0]!.page.reload()
  await expect(ofAgent).toBeVisible()
  await faults.heal()
  for (const bar of bars) await expect(bar).toHaveCount(0)
  for (const { complaints, context } of desks) {
    expect(complaints).toEqual([])
    await context.close()
  }
  await faults.close()
})
