import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { button, drawer, menuOf, row, toast } from './pages/parts.ts'
import { settled, sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

/** Adds a part of a kind to the edited rule, and returns its place in the form. */
async function include(page: Page, button: 'Incluir condição' | 'Incluir ação', kind: string) {
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('menuitem', { name: kind, exact: true }).click()
  return drawer(page).getByRole('listitem', { name: new RegExp(`: ${kind}$`) })
}

test('a lead writes a rule, tries it on what happened, lets it act, reads what it did, and pauses it', {
  tag: ['@rules', '@wide'],
}, async ({ product, browser }) => {
  test.slow()
  const { made, tenantId, hear, people, ticketOf } = await shop(product)
  const tag = await made.tag(tenantId, { tag: 'Cobrança' })
  await hear('Marlene', 'Bom dia')
  await hear('Otávio', 'Preciso da segunda via')
  const lead = await sitDown(browser, product, people.admin, { viewport: { width: 1440, height: 900 } })
  const { page } = lead
  await page.goto('/automacoes')
  await button(page, 'Criar a primeira').click()
  await drawer(page).getByRole('textbox', { name: 'Nome' }).fill('Cobrança vai para o financeiro')
  await page.getByRole('button', { name: /^Salvar/ }).click()
  await expect(drawer(page).getByText('Inclua ao menos uma ação.')).toBeVisible()
  const said = await include(page, 'Incluir condição', 'Mensagem')
  await include(page, 'Incluir condição', 'Responsável')
  const tags = await include(page, 'Incluir ação', 'Etiquetar')
  const queue = await include(page, 'Incluir ação', 'Passar para uma fila')
  await page.getByRole('button', { name: /^Salvar/ }).click()
  await expect(said.getByText('Escreva ao menos uma palavra.')).toBeVisible()
  await expect(tags.getByText('Escolha ao menos uma etiqueta.')).toBeVisible()
  for (const word of ['boleto', 'segunda via']) {
    await said.getByLabel('Alguma destas palavras').fill(word)
    await page.keyboard.press('Enter')
  }
  const owner = drawer(page).getByRole('listitem', { name: 'Condição 2: Responsável' })
  await owner.getByLabel('Algum destes').click()
  await page.getByRole('option', { name: 'Sem responsável' }).click()
  await tags.getByRole('combobox').click()
  await page.getByRole('option', { name: 'Cobrança' }).click()
  await queue.getByRole('combobox').click()
  await page.getByRole('option', { name: 'Financeiro' }).click()
  await settled(page)
  await expectAccessible(page)

  const trial = drawer(page).getByRole('region', { name: 'Teste' })
  await trial.getByRole('button', { name: 'Testar com o que já aconteceu' }).click()
  await expect(trial.getByText('Teria valido em 1 de 2 acontecimentos.')).toBeVisible()
  await expect(trial.getByRole('list').first()).toContainText('Otávio')
  await trial.getByText('Tudo', { exact: true }).click()
  const spared = trial.getByRole('listitem').filter({ hasText: 'Marlene' }).getByRole('list', { name: 'Condições' })
  await expect(spared.getByRole('img', { name: 'Não valeu' })).toHaveCount(1)
  await expect(spared).toContainText(/Mensagem tem “boleto” ou “segunda via”.*Responsável é sem responsável/)
  await expectAccessible(page)
  expect((await ticketOf('Otávio')).queue_id).not.toBe(null)
  expect(await product.platform.db.read(tenantId, (db) => db.selectFrom('ticket_tags').selectAll().execute())).toEqual(
    [],
  )

  await drawer(page).getByRole('switch', { name: 'Ligada' }).check({ force: true })
  await page.getByRole('button', { name: /^Salvar/ }).click()
  await expect(toast(page, 'Automação salva')).toBeVisible()
  const line = row(page, 'Cobrança vai para o financeiro')
  await expect(line).toContainText('Ligada')
  await hear('Marlene', 'Na verdade, quero o boleto')
  const { id, queue_id } = await ticketOf('Marlene')
  const tagged = await product.platform.db.read(tenantId, (db) =>
    db.selectFrom('ticket_tags').select(['ticket_id', 'tag_id']).execute(),
  )
  expect(tagged).toEqual([{ ticket_id: id, tag_id: tag }])
  const queues = await product.platform.db.read(tenantId, (db) =>
    db.selectFrom('queues').select('queue').where('id', '=', queue_id).execute(),
  )
  expect(queues).toEqual([{ queue: 'Financeiro' }])
  await menuOf(page, 'Cobrança vai para o financeiro', 'Histórico')
  const history = page.getByRole('dialog').getByRole('list', { name: 'Histórico' })
  await expect(history).toContainText(
    /Marlene.*Feito.*Mensagem tem “boleto” ou “segunda via”Tinha “boleto”\..*Etiquetar: Cobrança.*Passar para a fila Financeiro/s,
  )
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await menuOf(page, 'Cobrança vai para o financeiro', 'Pausar')
  await expect(toast(page, 'Automação pausada')).toBeVisible()
  await expect(line).toContainText('Pausada')

  // A referenced row was deleted: the screen shows that, also on a phone.
  await product.platform.db.write(tenantId, async (db) => {
    await db.deleteFrom('ticket_tags').where('tag_id', '=', tag).execute()
    await db.deleteFrom('tags').where('id', '=', tag).execute()
  })
  const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const
  const small = await sitDown(browser, product, people.admin, phone)
  await small.page.goto('/automacoes')
  await expect(small.page.getByText('1 parte a corrigir')).toBeVisible()
  await expectAccessible(small.page)
  await small.page.getByText('Cobrança vai para o financeiro').click()
  await settled(small.page)
  await expectAccessible(small.page)
  expect([...lead.complaints, ...small.complaints]).toEqual([])
  await lead.context.close()
  await small.context.close()
})
