import AxeBuilder from '@axe-core/playwright'
import { expect } from '@playwright/test'
import type { WebchatChannel } from '#features/webchat/contract.ts'
import { mailJob } from '#features/webchat/server/continue-by-mail.ts'
import { connectedMailbox, letter, startMail } from '#test/channels/mail-end.ts'
import { openForeignSite } from './pages/foreign-site.ts'
import { sitDown } from './pages/person.ts'
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
type Rated = { ticketEvaluations: { ticketId: number; evaluation: number | null }[] }

for (const width of [1440, 390])
  test(`a visitor says who they are, talks, ends, rates, takes the conversation along, and is answered by mail, at ${width} px`, {
    tag: [...['@webchat', '@ratings', '@attendance', '@connections', '@wide'], ...(width === 390 ? ['@wide'] : [])],
  }, async ({ anotherProduct, browser }) => {
    test.setTimeout(90_000)
    const product = await anotherProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
    const { tenantId, admin, token, ask, accept, say } = await company(product)
    const servers = await startMail(product)
    await connectedMailbox(product, token, servers)
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
    // On a phone it does not open by itself.
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
    const second = await accept()
    await chat.getByRole('button', { name: 'Mais opções' }).click()
    await chat.getByRole('button', { name: 'Encerrar atendimento' }).click()
    await expect(log.getByText('Atendimento encerrado. Escreva para começar outro.')).toBeVisible()
    await chat.getByRole('group', { name: 'Sua nota' }).getByRole('button', { name: 'Incrível' }).click()
    await expect(chat.getByRole('group', { name: 'Sua nota' })).toHaveCount(0)
    const rated = async () => (await ask<Rated>('GET', '/ticketEvaluations')).ticketEvaluations
    await expect.poll(rated).toMatchObject([{ ticketId: second, evaluation: 5 }, { evaluation: 4 }])

    await write('Mandem por e-mail')
    await expect(log.getByText('Mandem por e-mail')).toBeVisible()
    const last = await accept()
    await page.close()
    await say(last, 'Segue a tabela.')
    const { page: team, complaints } = await sitDown(browser, product, admin, { viewport: { width, height: 900 } })
    await team.goto(`/atendimento/${last}`)
    const bubble = team.getByRole('article').filter({ hasText: 'Segue a tabela.' })
    await expect(bubble).toBeVisible()
    await expect(bubble.getByText('por e-mail')).toHaveCount(0)
    await mailJob.run(product.platform, { tenantId, ticketId: last }, { requireOwnership() {} })
    const { read } = await servers.smtp.nextTo('ana@lima.dev')
    expect(read.text).toContain('Segue a tabela.')
    await expect(bubble.getByText('por e-mail')).toBeVisible()
    await expect(bubble.getByRole('img', { name: 'Enviada' })).toBeVisible()
    const about = { from: 'ana@lima.dev', subject: `Re: ${read.subject}`, answers: read.messageId! }
    servers.imap.deliver(letter('Fechado, obrigada!', about))
    const reply = team.getByRole('article').filter({ hasText: 'Fechado, obrigada!' })
    await expect(reply.getByText('De: ana@lima.dev')).toBeVisible()
    expect(complaints).toEqual([])
    const back = await context.newPage()
    await back.goto(site.origin)
    const { launcher: reopen, log: again } = widget(back)
    await reopen.click()
    await expect(again.getByText('Segue a tabela.')).toBeVisible()
    await expect(again.getByText('Fechado, obrigada!')).toBeVisible()
    await servers.close()
    await site.close()
    await context.close()
  })
