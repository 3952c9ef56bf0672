import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
// The same two lines on the server’s side.
import '#test/channels/register.ts'
import { buildWithChannel } from '#test/setup/with-channel.ts'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { button, drawer, field, toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

let folder: string
let web: string
test.beforeAll(async () => {
  test.setTimeout(240_000)
  folder = mkdtempSync(join(tmpdir(), 'guiche-more-'))
  web = await buildWithChannel('echo', join(folder, 'copy'))
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a channel that is a folder and two lines has its form, its screen, and a phone in the laboratory', {
  tag: '@wide',
}, async ({ anotherProduct, browser }) => {
  test.setTimeout(90_000)
  const product = await anotherProduct({ env: { WEB_DIST: web } })
  const { admin } = await company(product)
  const { page, complaints } = await sitDown(browser, product, admin, { viewport: { width: 1440, height: 900 } })
  await test.step('its screen', async () => {
    await page.goto('/configuracoes/echo')
    await expect(page.getByRole('heading', { name: 'Montanha do eco' })).toBeVisible()
    await page.getByRole('textbox', { name: 'URL da montanha' }).fill('https://montanha.example')
    await button(page, 'Salvar').click()
    await expect(toast(page, 'Montanha do eco')).toBeVisible()
    await expectAccessible(page, 'main')
  })
  await test.step('its form', async () => {
    await page.goto('/sessoes')
    await button(page, 'Adicionar canal').first().click()
    await drawer(page).getByRole('button', { name: 'Eco', exact: true }).click()
    await field(page, 'Nome do canal').fill('Serra')
    await drawer(page).getByRole('button', { name: 'Salvar' }).click()
    await expect(drawer(page).getByText('Preencha este campo.').first()).toBeVisible()
    await field(page, 'Vale').fill('Norte')
    await field(page, 'Senha do vale').fill('uma senha')
    await expectAccessible(page, '[role=dialog]')
    await drawer(page).getByRole('button', { name: 'Salvar' }).click()
    await expect(page.getByRole('listitem', { name: 'Serra', exact: true })).toBeVisible()
  })
  await test.step('its phone', async () => {
    await page.goto('/laboratorio')
    await button(page, 'Novo telefone').first().click()
    await page.getByRole('combobox', { name: 'Canal' }).click()
    await page.getByRole('option', { name: 'Eco', exact: true }).click()
    await page.getByRole('button', { name: /^Criar telefone/ }).click()
    const phone = page.getByRole('region', { name: /^Telefone de / })
    await phone.getByRole('textbox').fill('Olá, montanha')
    await phone.getByRole('button', { name: 'Enviar' }).click()
    await expect(phone.getByText('Olá, montanha')).toBeVisible()
    await page.getByRole('button', { name: 'Avalanche' }).click()
    await expect(page.getByRole('button', { name: 'Avalanche' })).toHaveAttribute('aria-pressed', 'true')
    await page.goto('/atendimento')
    const desk = attendance(page)
    await desk.tab('Pendentes').click()
    await desk.open('Olá, montanha')
    await desk.conversation.getByRole('button', { name: 'Atender' }).last().click()
    await desk.say('Cai')
    await expect(desk.conversation.getByRole('button', { name: 'Reenviar' })).toBeVisible()
  })
  // It was started on creation, and has no real provider.
  expect(complaints.filter((one) => !/^422 POST .*whatsappsession/.test(one))).toEqual([])
})
