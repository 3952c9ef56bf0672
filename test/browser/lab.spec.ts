import AxeBuilder from '@axe-core/playwright'
import { type Browser, expect, type Page } from '@playwright/test'
import type { Product } from '#test/product.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

/** The lab, opened by a company's administrator, with one phone made through its form. */
async function open(product: Product, browser: Browser) {
  const { tenantId, admin, accept, say } = await company(product)
  const { page, complaints } = await sitDown(browser, product, admin)
  await page.goto('/laboratorio')
  await page.getByRole('button', { name: 'Novo telefone' }).click()
  await page.getByRole('button', { name: /Criar telefone/ }).click()
  const phone = page.getByRole('region', { name: /^Telefone de/ })
  await expect(phone).toBeVisible()
  const stored = () =>
    product.platform.db.read(tenantId, (tenant) =>
      tenant.selectFrom('messages').select(['body', 'status', 'media_type']).orderBy('timestamp').execute(),
    )
  return { page, phone, complaints, accept, say, stored }
}

const write = async (page: Page, text: string) => {
  await page.getByRole('textbox', { name: /^Mensagem de/ }).fill(text)
  await page.keyboard.press('Enter')
}

test('a customer on the phone and the team talk, and every step is told with its time', {
  tag: '@connections',
}, async ({ product, browser }) => {
  const { page, phone, complaints, accept, say, stored } = await open(product, browser)
  await write(page, 'Boa tarde!')
  await expect(phone.getByRole('img', { name: 'Entregue' })).toBeVisible()
  const log = page.locator('main ol').last()
  await expect(log).toContainText('gravado no registro')
  await expect(log).toContainText(/Atendimento \d{9,}/)
  await expect(log).toContainText('A mensagem chegou à tela')
  await expect(page.getByText(/^\d+ ms do telefone à tela$/)).toBeVisible()

  const ticketId = await accept()
  await say(ticketId, 'Boa tarde, em que posso ajudar?')
  await expect(phone.getByText('Boa tarde, em que posso ajudar?')).toHaveCount(1)
  await expect.poll(async () => (await stored()).at(-1)?.status).toBe('read')

  await phone.getByRole('button', { name: 'Anexar' }).click()
  await page.getByRole('menuitem', { name: 'Voz de exemplo' }).click()
  await expect.poll(async () => (await stored()).at(-1)?.media_type).toBe('audio')
  await expect(phone.getByRole('button', { name: 'Ouvir áudio' })).toBeVisible()
  expect(complaints).toEqual([])
  await page.context().close()
})

test('an armed fault is used up by one message, which still arrives once', { tag: '@wide' }, async ({
  product,
  browser,
}) => {
  const { page, phone, stored } = await open(product, browser)
  const reorder = page.getByRole('button', { name: 'Inverter ordem' })
  await reorder.click()
  await expect(reorder).toHaveAttribute('aria-pressed', 'true')
  await write(page, 'primeira')
  await expect(phone.getByRole('img', { name: 'Aguardando' })).toBeVisible()
  await expect(reorder).toHaveAttribute('aria-pressed', 'false')
  await write(page, 'segunda')
  await expect(phone.getByRole('img', { name: 'Entregue' })).toHaveCount(2)
  await expect.poll(async () => (await stored()).map(({ body }) => body)).toEqual(['primeira', 'segunda'])
  await expect(page.getByText('2 mensagens, nenhuma perdida, nenhuma repetida')).toBeVisible()
  await page.context().close()
})

test('the lab is accessible in both modes, wide and on a phone', { tag: '@wide' }, async ({ product, browser }) => {
  const { page } = await open(product, browser)
  await write(page, 'Oi')
  for (const scheme of ['light', 'dark'] as const) {
    for (const width of [1440, 390]) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width, height: 844 })
      await expect(page.getByRole('region', { name: /^Telefone de/ })).toBeVisible()
      const { violations } = await new AxeBuilder({ page }).include('main').exclude('iframe').analyze()
      expect(violations.map(({ id, nodes }) => [scheme, width, id, nodes[0]?.html])).toEqual([])
    }
  }
  await page.context().close()
})

test('a phone keeps an older conversation until it is imported, and passes messages on', { tag: '@wide' }, async ({
  product,
  browser,
}) => {
  const { page, phone, complaints, stored } = await open(product, browser)
  await write(page, 'Segue o comprovante')
  await expect(phone.getByRole('img', { name: 'Entregue' })).toBeVisible()
  const menu = async (command: string) => {
    await phone.getByRole('button', { name: /^Ações do telefone/ }).click()
    await page.getByRole('menuitem', { name: command }).click()
  }
  await menu('Guardar uma conversa antiga')
  await expect(phone.getByText('Fazemos sim, até as 13h.')).toBeVisible()
  expect(await stored()).toHaveLength(1)
  await page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Importar' }).click()
  const dialog = page.getByRole('dialog', { name: /^Importar conversas/ })
  await dialog.getByRole('button', { name: 'Importar' }).click()
  await expect(dialog).toContainText('Concluída')
  expect((await stored()).map(({ body }) => body)).toEqual([
    'Oi! Vocês ainda fazem entrega aos sábados?',
    'Fazemos sim, até as 13h.',
    'Ótimo. Deixo combinado para este sábado então',
    'Combinado! Qualquer mudança, avise por aqui.',
    'Obrigado, chegou tudo certo 👍',
    'Segue o comprovante',
  ])
  await page.keyboard.press('Escape')

  const said = phone.getByRole('listitem').filter({ hasText: 'Segue o comprovante' })
  await said.hover()
  await said.getByRole('button', { name: 'Ações da mensagem' }).click()
  await page.getByRole('menuitem', { name: 'Encaminhar à equipe' }).click()
  await expect(phone.getByText('Encaminhada')).toBeVisible()
  await expect.poll(async () => (await stored()).length).toBe(7)
  expect(complaints).toEqual([])
  await page.context().close()
})

test('a phone has what its channel has: text messages are counted, and a gateway’s connection stops and is started', {
  tag: ['@connections', '@wide'],
}, async ({ product, browser }) => {
  const { page, complaints, stored } = await open(product, browser)
  const add = async (channel: string, name: string) => {
    await page.getByRole('button', { name: 'Novo telefone' }).click()
    await page.getByRole('combobox', { name: 'Canal' }).click()
    await page.getByRole('option', { name: channel, exact: true }).click()
    await page.getByRole('textbox', { name: 'De quem é' }).fill(name)
    await page.getByRole('button', { name: /Criar telefone/ }).click()
    return page.getByRole('region', { name: `Telefone de ${name}` })
  }
  const text = await add('SMS', 'Sônia')
  await text.getByRole('textbox').fill('a'.repeat(161))
  await expect(text.getByText('2 SMS · 145')).toBeVisible()
  await expect(text.getByRole('button', { name: 'Anexar' })).toHaveCount(0)
  await text.getByRole('button', { name: 'Enviar' }).click()
  await expect(text.getByText(/^2 SMS · \d\d:\d\d$/)).toBeVisible()
  await text.getByRole('button', { name: /^Ações do telefone/ }).click()
  await page.getByRole('menuitem', { name: 'Pedir para não receber mais (SAIR)' }).click()
  await expect.poll(async () => (await stored()).some(({ body }) => body === 'SAIR')).toBe(true)
  await add('WhatsApp Evolution (QR Code)', 'Nádia')
  await page.getByRole('button', { name: 'Instância apagada' }).click()
  const stopped = page.getByRole('list', { name: 'Aparelhos' }).getByRole('listitem')
  await stopped.getByRole('button', { name: 'Conectar' }).click()
  await expect(stopped).toHaveCount(0)
  expect(complaints).toEqual([])
  await page.context().close()
})
