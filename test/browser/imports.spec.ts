import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { BAD_ROWS, CONTACTS_HEADER, GOOD_ROW } from '#test/bad-contact-rows.ts'
import { expectAccessible } from './pages/accessible.ts'
import { button, confirm, row } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

test('a file with forty kinds of bad rows is checked, mended by column, imported, and undone', {
  tag: ['@contacts', '@wide'],
}, async ({ product, browser }) => {
  const { admin, tenantId, made, ask } = await company(product)
  await made.contact(tenantId, { name: 'Bruna', number: '5519988887777' })
  await made.tag(tenantId, { tag: 'Feira 2026' })
  await ask('POST', '/contact-fields', { name: 'Convênio', type: 'text' })
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto('/contatos')
  await button(page, 'Importar').click()
  await expect(page.getByRole('heading', { name: 'Importar contatos' })).toBeVisible()
  await expectAccessible(page)

  const good = Array.from({ length: 20 }, (_, n) => `Cliente ${n};2198765${String(n).padStart(4, '0')};;;;;;`)
  const rows = [
    CONTACTS_HEADER,
    GOOD_ROW,
    'Bruna Prado;19988887777;;;;;;',
    ...good,
    ...BAD_ROWS.map(([, line]) => line),
  ]
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Escolher arquivo').click()])
  await chooser.setFiles({ name: 'feira.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) })
  await expect(page.getByRole('heading', { name: 'feira.csv' })).toBeVisible()
  await expect(page.getByText('Só conferida')).toBeVisible()
  const figure = (name: string) => page.locator('dl > div', { hasText: name }).locator('dd')
  await expect(figure('Novos')).toHaveText('21')
  await expect(figure('Alterados')).toHaveText('1')
  await expect(figure('Recusados')).toHaveText(String(BAD_ROWS.length))
  await expect(page.getByText('Linha 24 Número: faltam algarismos')).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    button(page, `Baixar ${BAD_ROWS.length} linhas`).click(),
  ])
  const rejected = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(rejected).toHaveLength(BAD_ROWS.length + 1)

  await page.getByRole('combobox', { name: 'Para que serve a coluna Empresa' }).click()
  await expectAccessible(page)
  await expect(page.getByRole('option', { name: 'Convênio' })).toBeVisible()
  await page.getByRole('option', { name: 'Não importar' }).click()
  // The numbers are those of the columns before: nothing comes in by others unseen.
  await expect(page.getByText('Os números acima são de antes da mudança')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Importar / })).toHaveCount(0)
  await page.getByRole('combobox', { name: 'Etiquetas para todos' }).click()
  await page.getByRole('option', { name: 'Feira 2026' }).click()
  await page.keyboard.press('Escape')
  await button(page, 'Conferir de novo').click()
  // The row whose company was too long comes in without it.
  await expect(figure('Recusados')).toHaveText(String(BAD_ROWS.length - 1))
  await button(page, 'Importar 23 contatos').click()
  await button(page, 'Confirmar importação').click()
  await expect(page.getByText('Importada', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await button(page, 'Ver contatos').click()
  await expect(row(page, 'Bruna Prado')).toContainText('Feira 2026')

  await page.goBack()
  await button(page, 'Desfazer…').click()
  await confirm(page.getByRole('dialog'), 'Desfazer importação')
  await expect(page.getByText('23 contatos como antes')).toBeVisible()
  await button(page, 'Importações').click()
  await expect(row(page, 'feira.csv')).toContainText('Desfeita')
  await page.goto('/contatos')
  await expect(page.getByText('1 contato', { exact: true })).toBeVisible()
  await expect(row(page, 'Bruna')).not.toContainText('Feira 2026')
  expect(complaints).toEqual([])
  await context.close()
})

test('a channel of virtual phones says whom it knows', { tag: ['@contacts', '@lab', '@wide'] }, async ({
  product,
  browser,
}) => {
  const { admin, ask } = await company(product)
  await ask('POST', '/lab/phones', { name: 'Quitéria', number: '5521911110000' })
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto('/contatos/importar')
  await button(page, 'Sincronizar contatos').click()
  await expect(page.getByText('Importada', { exact: true })).toBeVisible()
  await page.goto('/contatos')
  await expect(row(page, 'Quitéria')).toBeVisible()
  expect(complaints).toEqual([])
  await context.close()
})
