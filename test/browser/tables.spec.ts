import { expect } from '@playwright/test'
import { button, confirm, drawer, row, toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

test('a plain table is imported with its errors by line, filtered, sorted, and deleted in bulk', async ({
  product,
  browser,
}) => {
  const { admin, tenantId, made } = await company(product)
  await made.tag(tenantId, { tag: 'Cliente ouro' })
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto('/etiquetas')
  await button(page, 'Importar').click()
  const file =
    'Nome da Etiqueta;Cor;Ativo\nAtraso;#A82D28;Não\n;azul;Sim\nCliente ouro;#C17513;Sim\nZona Sul;#2BA38F;Sim\n'
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'etiquetas.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await expect(drawer(page).getByRole('status')).toHaveText('3 linhas prontas, 1 linha com erro')
  await expect(drawer(page).getByRole('listitem').first()).toContainText('Nome da Etiqueta: Preencha este campo.')
  await button(page, 'Importar 3 linhas').click()
  await expect(drawer(page).getByRole('status')).toHaveText('0 linhas prontas, 2 linhas com erro')
  await expect(drawer(page).getByText('2 já entraram.')).toBeVisible()
  const away = page.waitForEvent('download')
  await button(page, 'Baixar as linhas com erro').click()
  expect((await away).suggestedFilename()).toBe('tags-pendentes.csv')
  expect(complaints.splice(0)).toEqual([expect.stringContaining('409 POST')])
  await drawer(page).getByRole('banner').getByRole('button').click()

  await expect(page.getByRole('row')).toHaveCount(4)
  await button(page, 'Nome da Etiqueta').click()
  await expect(page.getByRole('row').nth(1)).toContainText('Zona Sul')
  await button(page, 'Ativo').first().click()
  await page.getByRole('checkbox', { name: 'Não' }).check()
  await expect(page).toHaveURL(/isActive=/)
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(row(page, 'Atraso')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Limpar filtro/ }).click()

  await page.getByRole('checkbox', { name: 'Selecionar todos' }).check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Excluir…' }).click()
  await confirm(page, 'Excluir 3 etiquetas')
  await expect(toast(page, /3 etiquetas/)).toBeVisible()
  await expect(page.getByText('Nenhuma etiqueta ainda')).toBeVisible()
  expect(complaints).toEqual([])
  await context.close()
})
