import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { make } from '#test/make.ts'
import { startHub } from '#test/peers/hub.ts'
import { until } from '#test/until.ts'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { button, drawer, field, toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'

for (const width of [1440, 390])
  test(`an account at the hub is picked by its name and attended as what it is, at ${width} px`, {
    tag: ['@connections', '@attendance', '@messages', '@wide'],
  }, async ({ anotherProduct, browser }) => {
    const product = await anotherProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
    Object.assign(product.platform.env, { PUBLIC_URL: product.address })
    const hub = await startHub()
    const instagram = hub.channels[1]!
    const made = make(product.platform)
    const tenantId = await made.tenant()
    const admin = await made.user(tenantId, { profile: 'admin' })
    const { page, complaints } = await sitDown(browser, product, admin, {
      viewport: { width, height: 900 },
      ...(width < 600 ? { colorScheme: 'dark' } : {}),
    })
    await test.step('the token', async () => {
      await page.goto('/configuracoes/hub')
      const url = page.getByRole('textbox', { name: 'URL da API' })
      await expect(url).toHaveValue('https://api.notificame.com.br/v1')
      await url.fill(hub.address)
      const key = page.getByLabel(/^Seu Token Notificame/)
      const says = async (text: string | RegExp) => {
        await button(page, 'Testar').click()
        await expect(page.getByText(text)).toBeVisible()
      }
      await key.fill('outro')
      await says(/não reconheceu o token/)
      await key.fill(hub.key)
      await says('O provedor respondeu e aceitou os dados.')
      await expectAccessible(page, 'main')
      await button(page, 'Salvar').click()
      await expect(toast(page, 'Hub Notificame salvo.')).toBeVisible()
    })
    await test.step('the account', async () => {
      await page.goto('/sessoes')
      await button(page, 'Adicionar canal').first().click()
      await drawer(page).getByRole('button', { name: 'Hub Notificame', exact: true }).click()
      await drawer(page).getByRole('combobox', { name: 'Canal no hub' }).click()
      await page.getByRole('option', { name: 'Instagram (Hub) · @emporio' }).click()
      await expect(field(page, 'Nome do canal')).toHaveValue('Instagram (Hub) · @emporio')
      await expectAccessible(page, '[role=dialog]')
      await field(page, 'Nome do canal').fill('Insta')
      await drawer(page).getByRole('button', { name: 'Salvar' }).click()
      const card = page.getByRole('listitem', { name: 'Insta', exact: true })
      await expect(card.getByText('Instagram (Hub)')).toBeVisible()
      await expect(card.getByText('Conexão estabelecida')).toBeVisible()
    })
    await test.step('the conversation', async () => {
      await hub.tell(instagram.id, {
        ...{ type: 'MESSAGE', id: randomUUID(), direction: 'IN' },
        message: {
          ...{ id: randomUUID(), from: 'ig-77', to: instagram.id, isGroup: 'false', visitor: { name: 'Otávio' } },
          contents: [{ type: 'text', text: 'Tem em azul?' }],
        },
      })
      await page.goto('/atendimento')
      const desk = attendance(page)
      await desk.tab('Pendentes').click()
      await desk.open('Tem em azul?')
      await desk.conversation.getByRole('button', { name: 'Atender' }).last().click()
      await desk.say('Tem, sim')
      await until(() =>
        hub.got.some(({ content, channel }) => channel === 'instagram' && content.text?.endsWith('Tem, sim') === true),
      )
      hub.faults.refusal = { error: { code: 190, message: 'Session has expired' } }
      await desk.say('Chegou?')
      await page.goto('/sessoes')
      await expect(page.getByRole('listitem', { name: 'Insta', exact: true }).getByText(/token/i).first()).toBeVisible()
    })
    expect(complaints).toEqual([])
    await hub.close()
  })
