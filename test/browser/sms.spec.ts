import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { type ConnectionDetail, connections } from '#features/connections/contract.ts'
import { make } from '#test/make.ts'
import { startSms } from '#test/peers/sms.ts'
import { call } from '#test/server.ts'
import { until } from '#test/until.ts'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { button, drawer, field, toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'

const CUSTOMER = '+5519998124407'

for (const width of [1440, 390])
  test(`SMS is filled in and tried, counted while one writes, and ended by the customer, at ${width} px`, {
    tag: ['@connections', '@attendance', '@messages', '@wide'],
  }, async ({ anotherProduct, browser }) => {
    const product = await anotherProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
    Object.assign(product.platform.env, { PUBLIC_URL: product.address })
    const sms = await startSms('twilio')
    const made = make(product.platform)
    const tenantId = await made.tenant()
    const admin = await made.user(tenantId, { profile: 'admin' })
    const token = await made.token(admin)
    const { page, complaints } = await sitDown(browser, product, admin, {
      viewport: { width, height: 900 },
      ...(width < 600 ? { colorScheme: 'dark' } : {}),
    })
    await test.step('the provider', async () => {
      await page.goto('/configuracoes/sms')
      const url = page.getByRole('textbox', { name: 'URL da API' })
      await expect(url).toHaveValue('https://sms.comtele.com.br')
      await expect(page.getByLabel('Account SID')).toHaveCount(0)
      await page
        .getByLabel(/^Provedor/)
        .first()
        .click()
      await page.getByRole('option', { name: 'Outro, por HTTP (Conecta, BHI…)' }).click()
      await expect(page.getByLabel('Onde fica o id na resposta')).toBeVisible()
      await expectAccessible(page, 'main')
      await page
        .getByLabel(/^Provedor/)
        .first()
        .click()
      await page.getByRole('option', { name: 'Twilio' }).click()
      await expect(url).toHaveValue('https://api.twilio.com')
      const says = async (text: string | RegExp) => {
        await button(page, 'Testar').click()
        await expect(page.getByText(text)).toBeVisible()
      }
      await url.fill(sms.address)
      const key = page.getByLabel(/^Chave/)
      await key.fill('outra')
      await says('Preencha o Account SID.')
      await page.getByLabel('Account SID').fill(sms.account)
      await says('A Twilio não aceitou a chave. Confira-a.')
      await key.fill(sms.key)
      await says('O provedor respondeu e aceitou os dados.')
      await button(page, 'Salvar').click()
      await expect(toast(page, 'SMS salvo.')).toBeVisible()
    })
    await test.step('the line', async () => {
      await page.goto('/sessoes')
      await button(page, 'Adicionar canal').first().click()
      await drawer(page).getByRole('button', { name: 'SMS', exact: true }).click()
      await field(page, 'Nome do canal').fill('Avisos')
      await field(page, 'Remetente').fill('+5519999990000')
      await drawer(page).getByRole('button', { name: 'Salvar' }).click()
      const card = page.getByRole('listitem', { name: 'Avisos', exact: true })
      await expect(card.getByText('Conexão estabelecida')).toBeVisible()
    })
    const rows = (await call(product, connections.list, token, { query: {} })).body as { connections: { id: number }[] }
    const { id } = rows.connections[0]!
    const door = ((await call(product, connections.get, token, { params: { id } })).body as ConnectionDetail)
      .webhookUrl!
    const say = async (Body: string) => {
      const name = `SM${randomUUID()}`
      expect(await sms.tell(door, { MessageSid: name, From: CUSTOMER, To: '+5519999990000', Body })).toBe(200)
    }
    await test.step('the conversation', async () => {
      await say('Meu pedido saiu?')
      await page.goto('/atendimento')
      const desk = attendance(page)
      await desk.tab('Pendentes').click()
      await desk.open('Meu pedido saiu?')
      await desk.conversation.getByRole('button', { name: 'Atender' }).last().click()
      await desk.field.fill('Saiu às 9h: não há atraso')
      await expect(desk.conversation.getByText('1 SMS · cabem mais 45 · sem acentos')).toHaveCount(0)
      await expect(desk.conversation.getByText('1 SMS · cabem mais 45')).toBeVisible()
      await desk.field.fill(`Não ${'a'.repeat(80)}`)
      await expect(desk.conversation.getByText(/^2 SMS · cabem mais 50 · sem acentos, 1 SMS$/)).toBeVisible()
      await expectAccessible(page, 'main')
      await desk.say('Saiu às 9h')
      await until(() => sms.got.some(({ text }) => text.endsWith('Saiu às 9h')))
      await say('SAIR')
      await expect(desk.bubble('Pronto: você não receberá mais mensagens automáticas deste número.')).toBeVisible()
      await desk.say('Combinado, sem mais avisos')
      await until(() => sms.got.some(({ text }) => text.endsWith('Combinado, sem mais avisos')))
    })
    expect(complaints).toEqual([])
    await sms.close()
  })
