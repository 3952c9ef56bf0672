import { expect } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { button, drawer, field, menuOf, row, toast } from './pages/parts.ts'
import { settled, sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test('what texts are made of: variables, and quick replies with their files', {
  tag: ['@variables', '@catalog', '@attendance', '@messages', '@wide'],
}, async ({ product, browser }) => {
  const { talking, people, channel } = await shop(product)
  const id = await talking('Marlene Dias', people.ana)
  const { context, page } = await sitDown(browser, product, people.admin)
  const save = () => drawer(page).getByRole('button', { name: 'Salvar' }).click()

  // A constant is made; what a text uses of it is seen while it is written, and what nothing fills is marked.
  await page.goto('/configuracoes/variaveis')
  await expect(row(page, '{{firstName}}')).toContainText('Marlene')
  await button(page, 'Nova constante').click()
  await field(page, 'Nome').fill('site')
  await field(page, 'Valor').fill('loja.example')
  await save()
  await expect(row(page, '{{site}}')).toContainText('loja.example')

  await page.goto('/mensagens-rapidas?id=novo')
  await field(page, 'Chave').fill('site')
  await field(page, 'Mensagem').fill('Veja em {{site}}, {{nmae}}!')
  await expect(drawer(page).getByText('Não existe a variável {{nmae}}')).toBeVisible()
  await field(page, 'Mensagem').fill('Veja em {{site}}!')
  await expect(drawer(page).getByText('Não existe a variável')).toHaveCount(0)
  await drawer(page).getByRole('combobox', { name: 'Fila' }).click()
  await page.getByRole('option', { name: 'Vendas' }).click()
  await drawer(page)
    .locator('input[type=file]')
    .setInputFiles([
      { name: 'tabela.csv', mimeType: 'text/csv', buffer: Buffer.from('a;b') },
      { name: 'precos.csv', mimeType: 'text/csv', buffer: Buffer.from('c;d') },
    ])
  await settled(page)
  await expectAccessible(page)
  await save()
  await expect(row(page, 'Veja em')).toContainText('tabela.csv, precos.csv')
  await page.goto('/configuracoes/variaveis')
  await button(page, '1 texto com {{site}}').click()
  await expect(page.getByRole('menuitem', { name: 'Mensagem rápida: /site' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  // In the conversation of that queue it is offered, filled in, with its files; and counted once it has left.
  const seat = await sitDown(browser, product, people.ana)
  await seat.page.goto(`/atendimento/${id}`)
  const { field: text } = attendance(seat.page)
  await text.pressSequentially('/site')
  await expect(seat.page.getByRole('listbox', { name: 'Mensagens rápidas' }).getByRole('option')).toContainText(
    'tabela.csv',
  )
  await seat.page.keyboard.press('Enter')
  await expect(text).toHaveValue('Veja em loja.example!')
  await expect(seat.page.getByRole('list', { name: 'Arquivos para enviar' })).toContainText('precos.csv')
  await seat.page.keyboard.press('Enter')
  await expect.poll(() => channel.sent.map(({ body }) => body).join()).toContain('Veja em loja.example!')
  await text.fill('{{firstName}}, {{nmae}}')
  await expect(seat.page.getByRole('alert').filter({ hasText: '{{nmae}}' })).toBeVisible()
  await expect(seat.page.getByText('O cliente lê: Marlene, {{nmae}}')).toBeVisible()
  await expectAccessible(seat.page)
  await text.fill('Até logo, {{firstName}}')
  await text.press('Enter')
  await expect.poll(() => channel.sent.at(-1)?.body).toMatch(/Até logo, Marlene$/)
  await seat.context.close()
  await page.goto('/mensagens-rapidas')
  await expect(row(page, 'Veja em')).toContainText('1')
  await context.close()
})

test('two tags become one, and tutorials are written by admins and read by everybody', {
  tag: ['@catalog', '@tutorials', '@wide'],
}, async ({ product, browser }) => {
  const { made, tenantId, people } = await shop(product)
  const { context, page } = await sitDown(browser, product, people.admin)
  const save = () => drawer(page).getByRole('button', { name: 'Salvar' }).click()
  await made.tag(tenantId, { tag: 'Vip' })
  await made.tag(tenantId, { tag: 'Cliente especial' })
  await page.goto('/etiquetas')
  await menuOf(page, 'Vip', 'Juntar em outra…')
  await drawer(page).getByRole('combobox', { name: 'Etiqueta que fica' }).click()
  await page.getByRole('option', { name: 'Cliente especial' }).click()
  await settled(page)
  await expectAccessible(page)
  await button(page, 'Juntar etiquetas').click()
  await expect(toast(page, '“Vip” juntada')).toBeVisible()
  await expect(row(page, 'Vip')).toHaveCount(0)

  await page.goto('/configuracoes/tutoriais?id=novo')
  await field(page, 'Título').fill('Como transferir')
  await field(page, 'Link').fill('javascript:alert(1)')
  await save()
  await expect(drawer(page).getByText('Informe um endereço completo')).toBeVisible()
  await field(page, 'Link').fill('https://exemplo.dev/transferir')
  await save()
  await expect(row(page, 'Como transferir')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: /conta e aparência/ }).click()
  await page.getByRole('menuitem', { name: 'Tutoriais' }).click()
  const lesson = drawer(page).getByRole('link', { name: /Como transferir/ })
  await expect(lesson).toHaveAttribute('href', 'https://exemplo.dev/transferir')
  await settled(page)
  await expectAccessible(page)
  await context.close()
})
