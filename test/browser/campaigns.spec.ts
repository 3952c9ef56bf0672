import { readFileSync } from 'node:fs'
import { expect, type Locator, type Page } from '@playwright/test'
import type { LabPhone } from '#features/lab/contract.ts'
import { expectAccessible } from './pages/accessible.ts'
import { button, row } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

const people = ['Marlene Figueiredo', 'Iracema Lopes', 'Edson Kobayashi', 'Nádia Ferraz'] as const
const numberOf = (n: number) => `(19) 99812-44${String(n).padStart(2, '0')}`

/** Imports contacts from a file, with a tag and their consent. */
async function bringIn(page: Page): Promise<void> {
  const lines = people.map((name, n) => `${name};${numberOf(n)};Mesas`)
  await page.goto('/contatos/importar')
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Escolher arquivo').click()])
  const buffer = Buffer.from(['nome;número;etiquetas', ...lines].join('\n'))
  await chooser.setFiles({ name: 'lista.csv', mimeType: 'text/csv', buffer })
  await button(page, 'Importar 4 contatos').click()
  await page.getByText('Sim, aceitaram').click()
  await page.getByLabel('Origem da lista').fill('Ficha da loja, março de 2026')
  await button(page, 'Confirmar importação').click()
  await expect(page.getByText('Importada', { exact: true })).toBeVisible()
}

/** Two texts to be compared, always, four seconds apart. */
async function fillIn(page: Page, form: Locator, by: string): Promise<void> {
  await form.getByLabel('Nome').fill('Volta do estoque')
  await form.getByRole('combobox', { name: 'Enviar por' }).click()
  await page.getByRole('option', { name: by }).click()
  const now = new Date().toLocaleString('sv-SE', { timeZone: 'America/Sao_Paulo' })
  await form.getByLabel('Início').fill(now.slice(0, 16).replace(' ', 'T'))
  await form.getByLabel('Mensagem 1').fill('Oi, {{firstName}}: a mesa voltou.')
  await form.getByLabel('Mensagem 2').fill('{{firstName}}, lembra da mesa? Voltou.')
  await form.getByLabel('Intervalo (segundos)').fill('4')
  await form.getByLabel('Das').fill('00:00')
  await form.getByLabel('Até').fill('24:00')
  await form.getByRole('button', { name: 'Dom', exact: true }).click()
  await expectAccessible(page)
  await form.getByRole('button', { name: /^Salvar/ }).click()
}

test('a list is imported, filtered, written to in two ways after a refused plan, paused and read', {
  tag: ['@campaigns', '@wide'],
}, async ({ product, browser }) => {
  test.slow()
  const { admin, ask, tenantId } = await company(product)
  const phones: LabPhone[] = []
  for (const [n, name] of people.entries())
    phones.push(await ask<LabPhone>('POST', '/lab/phones', { name, number: numberOf(n) }))
  const [connection] = await product.platform.db.read(tenantId, (db) =>
    db.selectFrom('connections').select('name').execute(),
  )
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await bringIn(page)
  await page.goto('/campanhas')
  await button(page, 'Criar a primeira').click()
  await fillIn(page, page.getByRole('dialog', { name: 'Nova campanha' }), connection!.name)
  await row(page, 'Volta do estoque').getByText('Volta do estoque').click()
  await expect(page).toHaveURL(/\/campanhas\/\d+/)
  const address = page.url()
  await button(page, 'Incluir contatos').first().click()
  await button(page, 'Etiqueta').click()
  await page.getByRole('checkbox', { name: 'Mesas' }).check()
  await page.keyboard.press('Escape')
  await button(page, 'Incluir 4').click()
  await expect(row(page, people[0])).toBeVisible()
  await expectAccessible(page)

  // The number is restricted: the plan is refused, until it no longer is.
  const restrict = async (isOn: boolean) => {
    await page.goto('/laboratorio')
    const fault = page.getByRole('button', { name: 'Restringir número' })
    await fault.click()
    await expect(fault).toHaveAttribute('aria-pressed', String(isOn))
    await page.goto(address)
  }
  await restrict(true)
  await button(page, 'Programar envio').click()
  const plan = page.getByRole('dialog', { name: 'Programar o envio?' })
  await expect(plan.getByText(/O provedor restringiu o número/)).toBeVisible()
  await expect(plan.getByRole('button', { name: 'Enviar a 4 contatos' })).toBeDisabled()
  await expectAccessible(page)
  await plan.getByRole('button', { name: 'Cancelar' }).click()
  await restrict(false)
  await button(page, 'Programar envio').click()
  await plan.getByRole('button', { name: 'Enviar a 4 contatos' }).click()

  // One is out: then it is paused, and the browser closed.
  const done = (of: Page) =>
    of
      .getByText(/^de 4 mensagens processadas$/)
      .locator('..')
      .locator('b')
  await expect(done(page)).toHaveText('1')
  await button(page, 'Pausar envio').click()
  await expect(page.getByText('Pausada', { exact: true })).toBeVisible()
  expect(complaints).toEqual([])
  await context.close()

  const later = await sitDown(browser, product, admin)
  const again = later.page
  await again.goto(address)
  await button(again, 'Continuar envio').click()
  await expect(again.getByText('Finalizada', { exact: true })).toBeVisible({ timeout: 60_000 })
  await expect(done(again)).toHaveText('4')
  const received = await Promise.all(
    phones.map(({ id }) =>
      ask<{ messages: { body: string; fromPhone: boolean }[] }>('GET', `/lab/phones/${id}/messages`),
    ),
  )
  expect(received.map(({ messages }) => messages.length)).toEqual([1, 1, 1, 1])

  // “SAIR” is law.
  await ask('POST', `/lab/phones/${phones[0]!.id}/messages`, { id: crypto.randomUUID(), body: 'SAIR' })
  await button(again, 'Pediram para sair').click()
  await expect(row(again, people[0])).toContainText('Respondeu')
  await expect(row(again, people[1])).toHaveCount(0)
  await again
    .getByRole('button', { name: 'Baixar relatório' })
    .or(again.getByRole('button', { name: 'Baixar', exact: true }))
    .first()
    .click()
  const [file] = await Promise.all([
    again.waitForEvent('download'),
    again.getByRole('menuitem', { name: 'Planilha (CSV)' }).click(),
  ])
  const report = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(report).toHaveLength(5)
  for (const name of people) expect(report.join('\n')).toContain(name)
  await expectAccessible(again)
  expect(later.complaints).toEqual([])
  await later.context.close()
})
