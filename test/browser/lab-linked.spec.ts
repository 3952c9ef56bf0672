import { expect } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

test('a number is linked in the laboratory, both talk, and each button shows what the product makes of it', {
  tag: ['@lab', '@connections', '@wide'],
}, async ({ product, browser }) => {
  test.slow()
  const { admin, accept, ask, say } = await company(product)
  const { page, complaints } = await sitDown(browser, product, admin)
  await page.goto('/laboratorio')
  await page.getByRole('button', { name: 'Novo telefone' }).click()
  await page.getByRole('combobox', { name: 'Canal' }).click()
  await page.getByRole('option', { name: 'WhatsApp (QR Code)' }).click()
  await page.getByRole('button', { name: /Criar telefone/ }).click()
  const phone = page.getByRole('region', { name: /^Telefone de/ })
  const device = page.getByRole('list', { name: 'Aparelhos' })
  const is = (text: string) => expect(device.getByText(text)).toBeVisible({ timeout: 20_000 })
  const choose = async (command: string) => {
    await device.getByRole('button', { name: /^Aparelho de/ }).click()
    await page.getByRole('menuitem', { name: command }).click()
  }
  await is('Esperando leitura do QR Code')
  await device.getByRole('button', { name: 'Ler o código' }).click()
  await is('Conexão estabelecida')
  await page.getByRole('textbox', { name: /^Mensagem de/ }).fill('Vocês entregam?')
  await page.keyboard.press('Enter')
  await expect(phone.getByRole('img', { name: 'Entregue' })).toBeVisible()
  const ticketId = await accept()
  await say(ticketId, 'Entregamos até as dez.')
  await expect(phone.getByText('Entregamos até as dez.')).toBeVisible()
  const fault = page.getByRole('button', { name: 'Decifrar depois' })
  await fault.click()
  await expect(fault).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(page, 'main')

  // A poll of the team is voted in.
  const poll = { ticketId, body: 'Qual dia?', options: ['Sábado', 'Domingo'] }
  await ask('POST', '/sendPoll', poll)
  const vote = phone.getByRole('group', { name: 'Enquete: Qual dia?' }).getByRole('button', { name: 'Domingo' })
  await vote.click()
  await expect(vote).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(page, 'main')

  await choose('Ficar fora por 10 min')
  await is('O canal deixou de responder')
  await choose('Voltar agora')
  await is('Conexão estabelecida')
  await choose('Desligar o aparelho no telefone')
  await is('O telefone desligou este aparelho')
  await device.getByRole('button', { name: 'Conectar' }).click()
  await is('Esperando leitura do QR Code')

  // Its card says how the last hours were, and when it was away and why.
  await page.goto('/sessoes')
  await page.getByRole('button', { name: /^Ver quedas de WhatsApp \(laboratório\):.*2 quedas/ }).click()
  await expect(page.getByRole('dialog').getByText('O telefone desligou este aparelho')).toBeVisible()
  await expectAccessible(page, '[role=dialog]')
  expect(complaints).toEqual([])
  await page.context().close()
})
