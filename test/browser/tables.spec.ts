import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { button, confirm, drawer, field, row, toast } from './pages/parts.ts'
import { settled, sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

/** Runs axe on the current page; returns one line per violation. */
const faults = async (page: Page) => {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
    .analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

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
  const choose = (text: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'etiquetas.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  // More lines than the window shows are scrolled by the keyboard as well.
  await choose(`Nome da Etiqueta;Cor\n${'Rota;azul\n'.repeat(40)}`)
  await expect(drawer(page).getByRole('status')).toHaveText('0 linhas prontas, 40 linhas com erro')
  await settled(page)
  expect(await faults(page)).toEqual([])
  await choose(file)
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
  const chip = button(page, 'Ativo').first()
  await expect(chip).toHaveAttribute('aria-haspopup', 'dialog')
  await chip.click()
  await expect(page.getByRole('dialog', { name: 'Ativo' })).toBeVisible()
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

test('on a phone a row is selected by its menu, the others by a touch, and they go together', { tag: '@wide' }, async ({
  product,
  browser,
}) => {
  const { admin, tenantId, made } = await company(product)
  for (const tag of ['Atraso', 'Cliente ouro', 'Zona Sul']) await made.tag(tenantId, { tag })
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const { page, complaints, context } = await sitDown(browser, product, admin, phone)
  await page.goto('/etiquetas')
  const cards = page.getByRole('list', { name: 'Etiquetas' }).getByRole('listitem')
  await cards.filter({ hasText: 'Atraso' }).getByRole('button', { name: 'Mais ações' }).tap()
  await page.getByRole('menuitem', { name: 'Selecionar' }).tap()
  const bar = page.getByRole('toolbar', { name: 'Ações para os selecionados' })
  await expect(bar).toContainText('1 selecionado')
  await cards.getByRole('button', { name: 'Zona Sul' }).tap()
  await expect(bar).toContainText('2 selecionados')
  expect(page.url()).not.toContain('id=')
  await expect(page.getByRole('checkbox', { name: 'Selecionar todos' })).not.toBeChecked()
  // The bar is above the phone's menu, and both can be reached.
  await bar.getByRole('button', { name: 'Excluir…' }).click({ trial: true })
  await page.getByRole('navigation').last().getByRole('link').first().click({ trial: true })
  expect(await faults(page)).toEqual([])
  await bar.getByRole('button', { name: 'Excluir…' }).tap()
  await confirm(page, 'Excluir 2 etiquetas')
  await expect(cards).toHaveCount(1)
  await expect(bar).toHaveCount(0)
  await cards.getByRole('button', { name: 'Cliente ouro' }).tap()
  await expect(page).toHaveURL(/id=/)
  expect(complaints).toEqual([])
  await context.close()
})

test('queues are narrowed, sorted and deleted together; the one with conversations stays and says why', {
  tag: '@wide',
}, async ({ product, browser }) => {
  const { admin, tenantId, made } = await company(product)
  await made.queue(tenantId, { queue: 'Agenda' })
  await made.queue(tenantId, { queue: 'Vendas', is_active: false })
  await made.ticket(tenantId, { queue_id: await made.queue(tenantId, { queue: 'Suporte' }) })
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto('/filas')
  const names = () =>
    page
      .getByRole('row')
      .getByRole('cell')
      .getByRole('button', { name: /^[A-Z][a-z]+$/ })
  await expect(names()).toHaveText(['Agenda', 'Suporte', 'Vendas'])
  await button(page, 'Nome da Fila').click()
  await expect(names()).toHaveText(['Vendas', 'Suporte', 'Agenda'])
  await page.goto('/filas?isActive=false')
  await expect(names()).toHaveText(['Vendas'])
  await page.getByRole('button', { name: /^Limpar filtro/ }).click()
  await page.getByRole('checkbox', { name: 'Selecionar todos' }).check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Excluir…' }).click()
  await confirm(page, 'Excluir 3 filas')
  await expect(toast(page, '2 excluídas, 1 ficou')).toBeVisible()
  await expect(names()).toHaveText(['Suporte'])
  expect(complaints).toEqual([expect.stringContaining('409 DELETE')])
  await context.close()
})

test('a form sends what was changed in it alone, a row whose file was refused is made once, and a mended file is taken', {
  tag: ['@catalog', '@wide'],
}, async ({ product, browser }) => {
  const { admin, ask } = await company(product)
  const { page, complaints, context } = await sitDown(browser, product, admin)
  const save = () =>
    drawer(page)
      .getByRole('button', { name: /^Salvar/ })
      .click()
  const attach = async (content: string) => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Anexar arquivos').click()])
    await chooser.setFiles({ name: 'pix.png', mimeType: 'image/png', buffer: Buffer.from(content, 'base64') })
  }
  const list = async () =>
    (await ask<{ items: { id: number; key: string; message: string }[] }>('GET', '/fast-replies')).items
  await page.goto('/mensagens-rapidas?id=novo')
  await field(page, 'Chave').fill('pix')
  await field(page, 'Mensagem').fill('A chave é esta')
  // A program, whatever it is called.
  await attach(Buffer.concat([Buffer.from('MZ'), Buffer.alloc(126)]).toString('base64'))
  await save()
  await expect(toast(page, /arquivo/)).toBeVisible()
  expect(complaints.splice(0)).toEqual([expect.stringContaining('415 POST')])
  await button(page, 'Tirar pix.png').click()
  // The smallest picture that there is, under the same name.
  await attach('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=')
  await save()
  await expect(row(page, '/pix|pix')).toContainText('pix.png')
  const [made, ...others] = await list()
  expect(others).toEqual([])

  await page.goto(`/mensagens-rapidas?id=${made!.id}`)
  await field(page, 'Chave').fill('chave-pix')
  await ask('PUT', `/fast-replies/${made!.id}`, { message: 'Um colega escreveu outra' })
  await save()
  await expect(drawer(page)).toHaveCount(0)
  expect(await list()).toMatchObject([{ key: 'chave-pix', message: 'Um colega escreveu outra' }])
  expect(complaints).toEqual([])
  await context.close()
})
