import { expect } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { clickNotice, look, read, watchAlerts } from './pages/alerts.ts'
import { attendance } from './pages/attendance.ts'
import { button, drawer, toast } from './pages/parts.ts'
import { settled, sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test('a policy is made; a ticket is at risk, then missed, and answered: every browser shows it by itself', {
  tag: ['@sla', '@attendance', '@tickets', '@wide'],
}, async ({ anotherProduct, browser }) => {
  let shift = 0
  const product = await anotherProduct({ now: () => new Date(Date.now() + shift) })
  const { hear, people, tenantId } = await shop(product)
  const configs = JSON.stringify({ preferences: { notices: true } })
  await product.platform.db.write(tenantId, (db) =>
    db.updateTable('users').set({ configs }).where('id', '=', people.admin.id).execute(),
  )
  const lead = await sitDown(browser, product, people.admin)
  const { page: desk } = lead
  await lead.context.grantPermissions(['notifications'])
  await lead.context.addInitScript(watchAlerts)
  await desk.goto('/configuracoes/sla')
  await button(desk, 'Criar a primeira').click()
  await drawer(desk).getByRole('textbox', { name: 'Nome' }).fill('Vendas em doze minutos')
  await drawer(desk).getByText('Ligada').click()
  await desk.keyboard.press('Control+Enter')
  await expect(drawer(desk)).toContainText('Informe ao menos um dos prazos.')
  await drawer(desk)
    .getByRole('textbox', { name: /^Primeira resposta/ })
    .fill('12')
  await drawer(desk).getByRole('combobox', { name: 'Filas' }).click()
  await desk.getByRole('option', { name: 'Vendas' }).click()
  await desk.keyboard.press('Escape')
  await settled(desk)
  await expectAccessible(desk)
  await desk.keyboard.press('Control+Enter')
  await expect(toast(desk, 'Política salva')).toBeVisible()
  await expect(desk.getByRole('row', { name: /Vendas em doze minutos/ })).toContainText('Ligada')

  const { page, context, complaints } = await sitDown(browser, product, people.ana)
  await page.goto('/atendimento/chats')
  const { row, tab, open, say, conversation } = attendance(page)
  await tab('Pendentes').click()
  await hear('Marlene', 'Bom dia')
  await hear('Osvaldo', 'Boa tarde')
  const due = row('Marlene').getByTitle(/^Prazo de primeira resposta/)
  await expect(due).toHaveAttribute('data-tone', 'pos', { timeout: 15_000 })
  await look(desk, 'away')
  shift += 9.75 * 60_000
  await expect(due).toHaveAttribute('data-tone', 'warn', { timeout: 15_000 })

  // Tickets without owner that are due together cause one notification for leads, which opens their list.
  await expect.poll(() => read(desk, (all) => all.notices.map(({ title }) => title))).toEqual(['2 prazos em risco'])
  await look(desk, 'here')
  await clickNotice(desk)
  await expect(desk.getByText('Abertos e pendentes · sem grupos · por prazo')).toBeVisible()
  for (const name of ['Marlene', 'Osvaldo'])
    await expect(
      attendance(desk)
        .row(name)
        .getByTitle(/^Prazo de primeira resposta/),
    ).toBeVisible()
  await button(desk, 'Limpar').click()
  await expect(attendance(desk).row('Marlene')).toHaveCount(0)
  await page.getByRole('button', { name: 'Mais opções da lista' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Ordenar por prazo' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Filtros/ }).click()
  await page.getByRole('combobox', { name: 'Prazo (SLA)' }).click()
  await page.getByRole('option', { name: 'Estourado' }).click()
  await settled(page)
  await expectAccessible(page, '[role="dialog"]')
  await button(page, 'Ver atendimentos').click()
  await expect(row('Marlene')).toHaveCount(0)
  shift += 2.5 * 60_000
  await expect(due).toHaveAttribute('data-tone', 'neg', { timeout: 15_000 })
  await open('Marlene')
  await expect(conversation.getByTitle(/^Prazo de primeira resposta estourado/)).toBeVisible()
  await settled(page)
  await expectAccessible(page)
  await button(page, 'Atender').first().click()
  await say('Bom dia! Já vejo.')
  await expect(conversation.getByTitle(/^Prazo de/)).toHaveCount(0, { timeout: 15_000 })
  await expect(row('Marlene').getByTitle(/^Prazo de/)).toHaveCount(0)
  expect(complaints).toEqual([])
  await context.close()
  await lead.context.close()
})
