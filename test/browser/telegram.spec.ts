import { expect } from '@playwright/test'
import { make } from '#test/make.ts'
import { startTelegram } from '#test/peers/telegram/bot-api.ts'
import { expectAccessible } from './pages/accessible.ts'
import { button, drawer, field } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'

for (const width of [1440, 390])
  test(`a bot of Telegram is filled in, tried, and connected, at ${width} px`, {
    tag: ['@connections', '@wide'],
  }, async ({ anotherProduct, browser }) => {
    const product = await anotherProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
    const telegram = await startTelegram()
    Object.assign(product.platform.env, { TELEGRAM_API_URL: telegram.address })
    const made = make(product.platform)
    const admin = await made.user(await made.tenant(), { profile: 'admin' })
    const { page, complaints } = await sitDown(browser, product, admin, {
      viewport: { width, height: 900 },
      ...(width < 600 ? { colorScheme: 'dark' } : {}),
    })

    await page.goto('/sessoes')
    await button(page, 'Adicionar canal').first().click()
    await drawer(page).getByRole('button', { name: 'Telegram' }).click()
    await field(page, 'Nome do canal').fill('Bot da loja')
    await drawer(page).getByRole('button', { name: 'Salvar' }).click()
    await expect(drawer(page).getByText('Preencha este campo.')).toBeVisible()
    await drawer(page).getByLabel('Token do bot').fill('7000000001:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
    await expectAccessible(page, '[role=dialog]')
    await drawer(page).getByRole('button', { name: 'Salvar' }).click()
    const card = page.getByRole('listitem', { name: 'Bot da loja', exact: true })
    const connect = card.getByRole('button', { name: 'Conectar' })
    await expect(page.getByText('O Telegram não conhece este token. Confira-o com o @BotFather.')).toBeVisible()
    // That refusal, and nothing else.
    expect(complaints.splice(0)).toEqual([expect.stringContaining('/api/whatsappsession/')])

    await button(page, 'Ações de Bot da loja').click()
    await page.getByRole('menuitem', { name: 'Editar' }).click()
    await drawer(page).getByLabel('Token do bot').fill(telegram.state.token)
    await drawer(page).getByRole('button', { name: 'Salvar' }).click()
    await expect(drawer(page)).toBeHidden()
    await connect.click()
    await expect(card.getByText('Conexão estabelecida')).toBeVisible()
    await expect(card.getByText(`@${telegram.bot.username}`)).toBeVisible()
    expect(complaints).toEqual([])
    await telegram.close()
  })
