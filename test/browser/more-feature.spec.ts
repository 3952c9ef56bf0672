import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { withSamples } from '#test/features/samples/product.ts'
import { buildWithFeature } from '#test/setup/with-feature.ts'
import { button, drawer, field, toast } from './pages/parts.ts'
import { settled, sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

let folder: string
test.beforeAll(async () => {
  test.setTimeout(180_000)
  folder = mkdtempSync(join(tmpdir(), 'guiche-more-'))
  await buildWithFeature('samples', join(folder, 'web'))
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a feature that one line names has its menu entry, list, form, filters, order, export, errors and setting', {
  tag: '@wide',
}, async ({ anotherProduct, browser }) => {
  test.setTimeout(90_000)
  const product = await anotherProduct({ ...withSamples, env: { WEB_DIST: folder } })
  const { admin, tenantId, made } = await company(product)
  await made.tag(tenantId, { tag: 'Cliente ouro' })
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto('/etiquetas')
  const menu = page.getByRole('navigation', { name: 'Configurações' })
  await menu.getByRole('link', { name: 'Amostras' }).click()
  await expect(page.getByText('Nenhuma amostra ainda')).toBeVisible()
  const groups = await menu.getByRole('paragraph').allTextContents()
  expect(groups[groups.indexOf('CRM') + 1]).toBe('Provas')

  const add = async (name: string, amount: string, state: string) => {
    await page.getByRole('button', { name: 'Nova amostra' }).click()
    await field(page, 'Nome').fill(name)
    await field(page, 'Quantidade').fill(amount)
    for (const [label, option] of [
      ['Situação', state],
      ['Etiqueta', 'Cliente ouro'],
    ] as const) {
      await drawer(page).getByRole('combobox', { name: label }).click()
      await page.getByRole('option', { name: option }).click()
    }
    await page.keyboard.press('Control+Enter')
  }
  await add('Verniz', '12', 'Novo')
  await expect(toast(page, 'Amostra salva')).toBeVisible()
  await add('Couro', '1500', 'Usado')
  const rows = page.getByRole('row').filter({ has: page.getByRole('checkbox', { name: 'Selecionar', exact: true }) })
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(1)).toContainText('Couro')
  await expect(rows.nth(1)).toContainText('1.500')

  await add('Couro', '1', 'Novo')
  await expect(drawer(page).getByText('Já existe uma amostra com este nome.')).toBeVisible()
  expect(complaints.splice(0)).toEqual([expect.stringContaining('409 POST')])
  await page.keyboard.press('Escape')
  await button(page, 'Descartar').click()
  await expect(drawer(page)).toHaveCount(0)

  const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT')
  await page.getByRole('button', { name: /^Mover Couro/ }).press('ArrowUp')
  await saved
  await expect(rows.first()).toContainText('Couro')
  const away = page.waitForEvent('download')
  await button(page, 'Exportar').click()
  const file = readFileSync(await (await away).path(), 'utf8')
  expect(file).toMatch(
    /Nome;Ordem;Quantidade;Preço;Situação;Etiqueta;Prazo;Ativo\r?\nCouro;1;1500;;Usado;Cliente ouro;;Sim/,
  )

  await button(page, 'Situação').first().click()
  await page.getByRole('checkbox', { name: 'Novo' }).check()
  await expect(page).toHaveURL(/state=novo/)
  await expect(rows).toHaveCount(1)
  await expect(rows.first()).toContainText('Verniz')

  await page.goto('/configuracoes')
  await settled(page)
  await expect(page.getByRole('switch', { name: /Amostras fiadas/ })).toBeAttached()
  await page.goto('/usuarios/acessos')
  await settled(page)
  expect(complaints).toEqual([])
  await context.close()
})
