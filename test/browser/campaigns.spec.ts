import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { button, row } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { asking, company, test } from './pages/product.ts'

const PEOPLE = ['Marlene', 'Iracema', 'Edson'].map((name, n) => ({ name, number: `551999812440${n}` }))

/** Brings a list in from a file, as people who agreed to get marketing. */
async function importList(page: Page) {
  await page.goto('/contatos/importar')
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Escolher arquivo').click()])
  const lines = PEOPLE.map(({ name, number }) => `${name} da Silva;${number};Feira`)
  const buffer = Buffer.from(['nome;numero;etiquetas', ...lines].join('\n'))
  await chooser.setFiles({ name: 'feira.csv', mimeType: 'text/csv', buffer })
  await button(page, 'Importar 3 contatos').click()
  await page.getByText('Sim, aceitaram').click()
  await page.getByLabel('Origem da lista').fill('Ficha da loja')
  await button(page, 'Confirmar importação').click()
  await expect(page.getByText('Importada', { exact: true })).toBeVisible()
}

/** Writes a campaign of two messages, with twelve seconds between two people at all hours. */
async function writeCampaign(page: Page) {
  await page.goto('/campanhas')
  await button(page, 'Criar a primeira').click()
  const form = page.getByRole('dialog', { name: 'Nova campanha' })
  await form.getByLabel('Nome').fill('Volta do estoque')
  await form.getByRole('combobox', { name: 'Enviar por' }).click()
  await page.getByRole('option').first().click()
  await form.getByLabel('Mensagem 1').fill('Oi, {{firstName}}: a mesa voltou.')
  await form.getByLabel('Mensagem 2').fill('{{firstName}}, a mesa chegou de novo!')
  await expect(form.getByLabel('Parte da mensagem 2')).toHaveValue('1')
  await form.getByLabel('Intervalo (segundos)').fill('12')
  await form.getByLabel('Das').fill('00:00')
  await form.getByLabel('Até').fill('24:00')
  await form.getByRole('button', { name: 'Dom', exact: true }).click()
  await expectAccessible(page)
  await form.getByRole('button', { name: /^Salvar/ }).click()
  await row(page, 'Volta do estoque').getByText('Volta do estoque').click()
}

test('an imported list gets a campaign that outlives the browser and the server, obeys SAIR and is reported', {
  tag: ['@campaigns', '@wide'],
}, async ({ anotherProduct, browser }) => {
  const first = await anotherProduct()
  const { admin, token, ask } = await company(first)
  const phones: { id: number }[] = []
  for (const one of PEOPLE) phones.push(await ask('POST', '/lab/phones', one))
  const { page, complaints, context } = await sitDown(browser, first, admin)
  await importList(page)
  await writeCampaign(page)

  await button(page, 'Incluir contatos').first().click()
  const audience = page.getByRole('dialog', { name: 'Incluir contatos' })
  await audience.getByRole('button', { name: 'Etiquetas' }).click()
  await page.getByRole('option', { name: 'Feira' }).click()
  await page.keyboard.press('Escape')
  await button(page, 'Incluir 3').click()
  await expect(row(page, 'Marlene')).toBeVisible()
  await expectAccessible(page)

  const restrict = (restricted: boolean) => ask('PUT', `/lab/phones/${phones[0]!.id}/faults`, { restricted })
  await restrict(true)
  await button(page, 'Programar envio').click()
  await expect(page.getByText('O provedor restringiu o número.')).toBeVisible()
  await expect(button(page, 'Enviar a 3 contatos')).toBeDisabled()
  await button(page, 'Cancelar').click()
  await restrict(false)
  await button(page, 'Programar envio').click()
  await button(page, 'Enviar a 3 contatos').click()
  await expect(page.getByText('Processando')).toBeVisible()
  await button(page, 'Pausar envio').click()
  await expect(button(page, 'Continuar envio')).toBeVisible()
  const address = new URL(page.url()).pathname
  expect(complaints).toEqual([])
  await context.close()

  const second = await anotherProduct({}, first)
  const again = asking(second.address, token)
  const { page: after, complaints: others, context: later } = await sitDown(browser, second, admin)
  await after.goto(address)
  await expect(after.getByText('Pausada')).toBeVisible()
  await button(after, 'Continuar envio').click()
  await expect(after.getByText('Finalizada')).toBeVisible({ timeout: 60_000 })
  await again('POST', `/lab/phones/${phones[1]!.id}/messages`, { id: randomUUID(), body: 'sair' })
  await button(after, 'Pediram para sair').first().click()
  await expect(row(after, 'Iracema')).toBeVisible()
  await expect(row(after, 'Marlene')).toHaveCount(0)
  await expect(after.getByText('Sem vencedor ainda')).toBeVisible()
  await expectAccessible(after)
  await button(after, 'Baixar').click()
  const [file] = await Promise.all([
    after.waitForEvent('download'),
    after.getByRole('menuitem', { name: 'Planilha (CSV)' }).click(),
  ])
  expect(
    readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n'),
  ).toHaveLength(1 + PEOPLE.length)
  for (const { id } of phones) {
    const { messages } = await again<{ messages: { fromPhone: boolean; body: string }[] }>(
      'GET',
      `/lab/phones/${id}/messages`,
    )
    expect(messages.filter(({ fromPhone, body }) => !fromPhone && body.includes('mesa'))).toHaveLength(1)
  }
  expect(others).toEqual([])
  await later.close()
})
