import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { button, drawer, row, toast } from './pages/parts.ts'
import { settled, sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

/** Adds a step of a kind to the edited macro, and returns its part of the form. */
async function include(page: Page, kind: string) {
  await button(page, 'Incluir passo').click()
  await page.getByRole('menuitem', { name: kind, exact: true }).click()
  return drawer(page).getByRole('listitem', { name: new RegExp(`: ${kind}$`) })
}

test('a lead writes a macro, an agent looks at it, uses it and takes all of it back, and the customer hears it once', {
  tag: ['@attendance', '@bulk', '@wide'],
}, async ({ product, browser }) => {
  const { made, tenantId, talking, people, ticketOf, messagesOf, channel } = await shop(product)
  const vip = await made.tag(tenantId, { tag: 'Cliente ouro' })
  await talking('Marlene', people.ana, 'Quero a segunda via')
  const lead = await sitDown(browser, product, people.admin, { viewport: { width: 1440, height: 900 } })
  const { page } = lead
  await page.goto('/macros')
  await button(page, 'Criar a primeira').click()
  await drawer(page).getByRole('textbox', { name: 'Nome' }).fill('Encerrar com carinho')
  await page.getByRole('button', { name: /^Salvar/ }).click()
  await expect(drawer(page).getByText('Inclua ao menos um passo.')).toBeVisible()
  const tags = await include(page, 'Etiquetar')
  const text = await include(page, 'Enviar um texto ao cliente')
  await text.getByRole('textbox').fill('Obrigada, ')
  await text.getByRole('button', { name: 'Primeiro nome do contato' }).click()
  await include(page, 'Resolver')
  await page.getByRole('button', { name: /^Salvar/ }).click()
  await expect(tags.getByText('Escolha ao menos uma etiqueta.')).toBeVisible()
  await tags.getByRole('combobox').click()
  await page.getByRole('option', { name: 'Cliente ouro' }).click()
  await page.keyboard.press('Escape')
  await settled(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Salvar/ }).click()
  await expect(toast(page, 'Macro salva')).toBeVisible()
  await expect(row(page, 'Encerrar com carinho')).toContainText(
    'Etiquetar: Cliente ouro · Enviar um texto ao cliente · Resolver',
  )
  await expectAccessible(page)

  const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const
  const ana = await sitDown(browser, product, people.ana, phone)
  const { conversation } = attendance(ana.page)
  const { id } = await ticketOf('Marlene')
  await ana.page.goto(`/atendimento/${id}`)
  const use = async (look: () => Promise<void>) => {
    // Code loaded on first interaction may be missing at the first opening.
    const command = ana.page.getByRole('menuitem', { name: 'Usar macro' })
    await expect(async () => {
      await conversation.getByRole('button', { name: 'Adicionar' }).click()
      await expect(command).toBeVisible({ timeout: 1000 })
    }).toPass()
    await command.click()
    const dialog = ana.page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Buscar macros' }).fill('carinho')
    await look()
    await dialog.getByRole('button', { name: /Encerrar com carinho/ }).click()
    await expect(dialog.getByRole('list', { name: 'Passos' }).getByRole('listitem')).toHaveText([
      'Etiquetar: Cliente ouro',
      /Enviar um texto ao cliente.*Obrigada, Marlene/,
      'Resolver',
    ])
    await look()
    await dialog.getByRole('button', { name: 'Usar macro' }).click()
    await expect(toast(ana.page, 'Macro Encerrar com carinho usada')).toBeVisible()
  }
  await use(() => expectAccessible(ana.page))
  expect((await ticketOf('Marlene')).status).toBe('closed')
  await ana.page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Desfazer' }).click()
  await expect(toast(ana.page, 'Desfeito')).toBeVisible()
  expect((await ticketOf('Marlene')).status).toBe('open')
  await use(async () => {})
  await expect.poll(() => channel.sent.map(({ body }) => body), { timeout: 30_000 }).toEqual(['Obrigada, Marlene'])
  expect((await messagesOf('Marlene')).filter(({ status }) => status === 'canceled')).toHaveLength(1)

  // A referenced row was deleted: the lead sees it, and the macro is unusable until corrected.
  await product.platform.db.write(tenantId, async (db) => {
    await db.deleteFrom('ticket_tags').where('tag_id', '=', vip).execute()
    await db.deleteFrom('tags').where('id', '=', vip).execute()
  })
  await page.reload()
  await expect(row(page, 'Encerrar com carinho')).toContainText('1 passo a corrigir')
  await conversation.getByRole('button', { name: 'Mais ações do atendimento' }).click()
  await ana.page.getByRole('menuitem', { name: 'Usar macro' }).click()
  await ana.page.getByRole('button', { name: /Encerrar com carinho/ }).click()
  const wrong = ana.page.getByRole('dialog')
  await expect(wrong).toContainText('Etiqueta não encontrada.')
  await expect(wrong.getByRole('button', { name: 'Usar macro' })).toBeDisabled()
  await expectAccessible(ana.page)
  expect([...lead.complaints, ...ana.complaints]).toEqual([])
  await lead.context.close()
  await ana.context.close()
})
