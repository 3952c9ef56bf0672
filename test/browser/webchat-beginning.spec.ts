import AxeBuilder from '@axe-core/playwright'
import { expect } from '@playwright/test'
import type { WebchatChannel } from '#features/webchat/contract.ts'
import { openForeignSite } from './pages/foreign-site.ts'
import { company, test } from './pages/product.ts'
import { widget } from './pages/widget.ts'

const look = {
  title: 'Loja Cambuí',
  welcome: 'Oi!',
  away: 'Já voltamos',
  color: null,
  position: 'right',
  theme: 'auto',
} as const
const form = {
  isOn: true,
  name: 'required',
  email: 'required',
  phone: 'optional',
  cpf: 'no',
  consent: 'Concordo com o uso dos meus dados.',
}
const SECONDS = 1

for (const width of [1440, 390])
  test(`a visitor says who they are, talks, ends, rates and takes the conversation along, at ${width} px`, {
    tag: width === 390 ? ['@webchat', '@ratings', '@wide'] : ['@webchat', '@ratings'],
  }, async ({ product, browser }) => {
    const { admin, ask, accept, say } = await company(product)
    const body = {
      name: 'Site',
      queueId: null,
      look,
      domains: [],
      requiresProof: false,
      form,
      openings: [{ path: '*', seconds: SECONDS }],
    }
    const channel = await ask<WebchatChannel>('POST', '/webchat/channels', body)
    const site = await openForeignSite(
      product.address,
      channel.token,
      "guiche.push(['on', 'rating', (about) => { window.rated = about }])",
    )
    const context = await browser.newContext({
      ...{ viewport: { width, height: 800 }, locale: 'pt-BR' },
      ...(width < 600 ? { hasTouch: true, colorScheme: 'dark' as const } : {}),
    })
    const page = await context.newPage()
    await page.goto(site.origin)
    const { launcher, chat, log, say: write } = widget(page)
    // On a phone it opens over nobody's reading.
    if (width < 600) await launcher.click()
    const start = chat.getByRole('button', { name: 'Começar' })
    await expect(start).toBeVisible()
    await start.click()
    await expect(chat.getByText('Preencha este campo.')).toHaveCount(2)
    await expect(chat.getByLabel('Nome', { exact: true })).toBeFocused()
    await chat.getByLabel('Nome', { exact: true }).fill('Ana Lima')
    await chat.getByLabel('E-mail').fill('ana')
    await chat.getByLabel('Telefone (opcional)').pressSequentially('19998124407')
    await expect(chat.getByLabel('Telefone (opcional)')).toHaveValue('(19) 99812-4407')
    await chat.getByLabel('Concordo com o uso dos meus dados.').check()
    await start.click()
    await expect(chat.getByText('Informe um e-mail válido.')).toBeVisible()
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
      .analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    await chat.getByLabel('E-mail').fill('ana@lima.dev')
    await start.click()
    await write('Tem em azul?')
    await expect(log.getByText('Tem em azul?')).toBeVisible()
    const ticketId = await accept()
    await say(ticketId, 'Tem, sim.')
    await expect(log.getByText('Tem, sim.')).toBeVisible()
    await chat.getByRole('button', { name: 'Mais opções' }).click()
    const saving = page.waitForEvent('download')
    await chat.getByRole('button', { name: 'Baixar a conversa' }).click()
    expect((await saving).suggestedFilename()).toMatch(/^conversa-.*\.txt$/)
    await ask('PUT', '/settings/ratingStoreUse/', { key: 'ratingStoreUse', value: 'enabled' })
    await ask('PUT', `/tickets/${ticketId}`, { status: 'closed', userId: admin.id })
    await chat.getByRole('group', { name: 'Sua nota' }).getByRole('button', { name: 'Excelente' }).click()
    await expect(chat.getByRole('group', { name: 'Sua nota' })).toHaveCount(0)
    expect(await page.evaluate(() => (window as { rated?: unknown }).rated)).toEqual({ rating: 4 })
    await write('Mais uma coisa')
    await expect(log.getByText('Mais uma coisa')).toBeVisible()
    await chat.getByRole('button', { name: 'Mais opções' }).click()
    await chat.getByRole('button', { name: 'Encerrar atendimento' }).click()
    await expect(log.getByText('Atendimento encerrado. Escreva para começar outro.')).toBeVisible()
    await site.close()
    await context.close()
  })
