import { expect } from '@playwright/test'
import { reasons } from '#features/catalog/reasons.ts'
import { expectAccessible } from './pages/accessible.ts'
import { confirm, drawer, field, menuOf, row, tab, toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

const tags = { tag: ['@contacts'] }

test('a field of the company’s own is made, filled, shown, filtered by, and kept as a view', {
  tag: [...tags.tag, '@wide'],
}, async ({ product, browser }) => {
  const { admin, tenantId, made } = await company(product)
  await made.contact(tenantId, { name: 'Ana Prado' })
  await made.contact(tenantId, { name: 'Bia Rocha' })
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto('/campos-de-contatos')
  await page.getByRole('button', { name: 'Criar o primeiro' }).click()
  await field(page, 'Nome do campo').fill('Convênio')
  await drawer(page).getByRole('combobox', { name: 'Tipo' }).click()
  await page.getByRole('option', { name: 'Escolha' }).click()
  await page.keyboard.press('Control+Enter')
  await expect(field(page, 'Opções')).toHaveAccessibleDescription(/uma por linha/)
  complaints.splice(0)
  await field(page, 'Opções').fill('Ouro\nPrata')
  await page.keyboard.press('Control+Enter')
  await expect(row(page, 'Convênio')).toBeVisible()

  await page.goto('/contatos')
  await row(page, 'Ana Prado').getByRole('button', { name: 'Ana Prado' }).click()
  await tab(page, 'Campos')
  await drawer(page).getByRole('combobox', { name: 'Convênio' }).click()
  await page.getByRole('option', { name: 'Ouro' }).click()
  await field(page, 'ID Telegram').fill('tele-77')
  await expectAccessible(page)
  await page.keyboard.press('Control+Enter')
  await expect(drawer(page)).toHaveCount(0)
  await expect(row(page, 'Ana Prado')).toContainText('Ouro')

  await page.getByRole('button', { name: 'Mais filtros' }).click()
  await page.getByRole('button', { name: 'Convênio', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Ouro' }).check()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('button', { name: 'Salvar como visão' }).click()
  await field(page, 'Nome').fill('Do convênio')
  await drawer(page).getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page, 'Visão Do convênio salva')).toBeVisible()
  await page.goto('/contatos')
  await expect(page.getByRole('row')).toHaveCount(3)
  await page.getByRole('button', { name: 'Do convênio', exact: true }).click()
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(page).toHaveURL(/campo\d+=Ouro/)
  expect(complaints).toEqual([])
  await context.close()
})

test('many are changed at once and back, and the page of one says who changed what', {
  tag: [...tags.tag, '@consents', '@wide'],
}, async ({ product, browser }) => {
  const { admin, tenantId, made, ask } = await company(product)
  for (const tag of ['Feira', 'Loja']) await made.tag(tenantId, { tag })
  const ids: number[] = []
  for (const name of ['Ana Prado', 'Bia Rocha', 'Caio Lins']) ids.push(await made.contact(tenantId, { name }))
  await made.ticket(tenantId, { contact_id: ids[0]!, status: 'open' })
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto('/contatos')
  await page.getByRole('checkbox', { name: 'Selecionar todos' }).check()
  const bar = page.getByRole('toolbar', { name: 'Ações para os selecionados' })
  await expect(bar).toContainText('3 selecionados')
  await bar.getByRole('button', { name: 'Etiquetar' }).click()
  await drawer(page).getByRole('combobox', { name: 'Etiquetas' }).fill('Fei')
  await page.getByRole('option', { name: 'Feira' }).click()
  await expect(page.getByRole('option', { name: 'Loja' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Tab')
  await drawer(page).getByRole('button', { name: 'Etiquetar' }).click()
  await expect(toast(page, '3 contatos etiquetados')).toBeVisible()
  await expect(row(page, 'Caio Lins')).toContainText('Feira')
  await page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Desfazer' }).click()
  await expect(row(page, 'Caio Lins')).not.toContainText('Feira')

  await ask('PUT', `/contacts/${ids[0]}`, { name: 'Ana Prado Lima', blocked: true })
  await menuOf(page, 'Ana Prado Lima', 'Tudo sobre o contato')
  await expect(page).toHaveURL(new RegExp(`/contatos/${ids[0]}$`))
  await expect(page.getByRole('heading', { name: 'Ana Prado Lima' })).toBeVisible()
  await expect(page.getByText(/^Atendimento \d+$/)).toBeVisible()
  await page.getByRole('tab', { name: 'Alterações' }).click()
  await expect(page.getByText('Nome: Ana Prado → Ana Prado Lima')).toBeVisible()
  await page.getByRole('tab', { name: 'Consentimentos' }).click()
  await page.getByLabel('Como você soube').fill('pediu por telefone')
  await page.getByRole('button', { name: 'Registrar' }).click()
  await expect(page.getByText('“pediu por telefone”')).toBeVisible()
  for (const name of ['Notas', 'Avaliações', 'Agendamentos']) {
    await page.getByRole('tab', { name }).click()
    await expect(page.getByRole('tabpanel').or(page.getByRole('region', { name: 'História' }))).toContainText(/contato/)
  }
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Mais ações' }).click()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Resolver todos os atendimentos…' }).click()
  await confirm(page, 'Resolver todos')
  await expect(toast(page, '1 atendimento resolvido')).toBeVisible()

  // A contact with an open ticket is forgotten only after it is closed: the dialog offers that.
  await made.ticket(tenantId, { contact_id: ids[0]!, status: 'pending' })
  await page.reload()
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Esquecer pessoa (LGPD)…' }).click()
  await expect(drawer(page)).toContainText('ainda tem 1 atendimento em andamento')
  await confirm(page, 'Resolver todos')
  await expect(toast(page, '1 atendimento resolvido')).toBeVisible()

  // If the company requires a reason, the dialog asks first.
  await made.row(tenantId, reasons, { name: 'Engano' })
  await made.setting(tenantId, 'forceReason')
  await made.ticket(tenantId, { contact_id: ids[0]!, status: 'open' })
  await page.reload()
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Resolver todos os atendimentos…' }).click()
  const reason = drawer(page).getByRole('radio', { name: /Engano/ })
  await expect(reason).toBeFocused()
  await reason.check()
  await drawer(page).getByRole('button', { name: 'Resolver' }).click()
  await expect(toast(page, '1 atendimento resolvido')).toBeVisible()
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Deletar forçadamente…' }).click()
  await expect(drawer(page)).toContainText('3 atendimentos')
  await confirm(page, 'Deletar tudo')
  await expect(page).toHaveURL(/\/contatos$/)
  await expect(row(page, 'Bia Rocha')).toBeVisible()
  await expect(row(page, 'Ana Prado Lima')).toHaveCount(0)
  expect(complaints).toEqual([])
  await context.close()
})

test('Esc closes the options of a field beside the chat alone, and a field of which all are chosen is accessible', {
  tag: [...tags.tag, '@wide'],
}, async ({ product, browser }) => {
  const { admin, tenantId, made } = await company(product)
  const bia = await made.user(tenantId, { profile: 'user', name: 'Bia Reis' })
  const ticket = await made.ticket(tenantId, { status: 'open', user_id: admin.id })
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto(`/atendimento/${ticket}`)
  // A layer below the options, which Esc would close if it went on.
  await page.getByRole('button', { name: 'Buscar na conversa' }).click()
  const search = page.getByRole('textbox', { name: 'Buscar nesta conversa' })
  await expect(search).toBeVisible()
  const wallets = page.getByRole('combobox', { name: 'Quem cuida deste cliente' })
  await wallets.click()
  await expect(page.getByRole('option', { name: bia.name })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('option')).toHaveCount(0)
  await wallets.click()
  await expect(search).toBeVisible()
  for (const name of [bia.name, admin.name]) {
    await page.getByRole('option', { name }).click()
    await expect(page.getByRole('option', { name })).toHaveCount(0)
  }
  await expectAccessible(page)
  expect(complaints).toEqual([])
  await context.close()
})

test(
  'beside the chat wallet, stage, fields, value and blocks are changed in place, and are so after a reload',
  tags,
  async ({ product, browser }) => {
    const { admin, tenantId, made, ask } = await company(product)
    await made.user(tenantId, { profile: 'user', name: 'Bia Reis' })
    await ask('POST', '/kanban', { name: 'Proposta', color: '#3366cc' })
    await ask('POST', '/contact-fields', { name: 'Convênio', type: 'choice', options: 'Ouro\nPrata' })
    await ask('POST', '/contact-fields', { name: 'Tamanho', type: 'number' })
    const ticket = await made.ticket(tenantId, { status: 'open', user_id: admin.id })
    const { page, complaints, context } = await sitDown(browser, product, admin)
    await page.goto(`/atendimento/${ticket}`)
    const saved = (path: string) =>
      page.waitForResponse((reply) => reply.request().method() === 'PUT' && reply.url().includes(path) && reply.ok())
    const pick = async (label: string, name: string, path: string) => {
      await page.getByRole('combobox', { name: label }).click()
      await Promise.all([saved(path), page.getByRole('option', { name }).click()])
    }
    const write = async (label: string, value: string, path: string) => {
      await page.getByRole('textbox', { name: label }).fill(value)
      await Promise.all([saved(path), page.keyboard.press('Enter')])
    }
    await pick('Quem cuida deste cliente', 'Bia Reis', '/contacts/')
    await page.keyboard.press('Escape')
    await pick('Etapa do kanban', 'Proposta', '/tickets/')
    await pick('Convênio', 'Ouro', '/contacts/')
    await write('Tamanho', '42,5', '/contacts/')
    await write('Valor', '1.250,90', '/tickets/')
    for (const name of ['Bloquear contato', 'Bloquear chatbot'])
      await Promise.all([saved('/contacts/'), page.getByText(name).click()])

    await page.reload()
    await expect(page.getByRole('combobox', { name: 'Etapa do kanban' })).toHaveValue('Proposta')
    await expect(page.getByRole('combobox', { name: 'Convênio' })).toHaveValue('Ouro')
    await expect(page.getByRole('textbox', { name: 'Tamanho' })).toHaveValue('42,5')
    await expect(page.getByRole('textbox', { name: 'Valor' })).toHaveValue(/1\.250,90/)
    for (const name of ['Bloquear contato', 'Bloquear chatbot'])
      await expect(page.getByRole('switch', { name })).toBeChecked()
    await expect(page.getByRole('heading', { name: 'Carteira' }).locator('..')).toContainText('Bia Reis')
    expect(complaints).toEqual([])
    await context.close()
  },
)

test('on a phone whom a contact is merged with is found among others, stays in sight, and is compared whole', {
  tag: [...tags.tag, '@wide'],
}, async ({ product, browser }) => {
  const { admin, tenantId, made, ask } = await company(product)
  const ana = await made.contact(tenantId, { name: 'Ana Beatriz de Albuquerque Prado', number: '5511987650001' })
  await made.contact(tenantId, { name: 'Beatriz Albuquerque Prado da Silva', number: '5511987650002', blocked: true })
  await made.contact(tenantId, { name: 'Caio Lins' })
  const { page, complaints, context } = await sitDown(browser, product, admin, {
    viewport: { width: 390, height: 844 },
  })
  await page.goto(`/contatos/${ana}`)
  await expect(page.getByText('Nenhum atendimento que você possa ver.')).toBeVisible()
  const tops = await page.getByRole('tab').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
  expect([tops.length, new Set(tops).size]).toEqual([6, 1])
  // A name without a gap breaks; whatever can be done stays beside or below it.
  const edges = () =>
    page
      .locator('main')
      .locator('h1, header button, [role=tablist]')
      .evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().right)))
  await ask('PUT', `/contacts/${ana}`, { name: `مرحبا 🎉 ${'W'.repeat(100)}` })
  await expect(page.getByRole('heading', { name: /WWW/ })).toBeVisible()
  expect(await edges()).toBeLessThanOrEqual(390)
  await ask('PUT', `/contacts/${ana}`, { name: 'Ana Beatriz de Albuquerque Prado' })
  await expect(page.getByRole('heading', { name: 'Ana Beatriz' })).toBeVisible()
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Mesclar…' }).click()
  const people = drawer(page).getByRole('radiogroup', { name: 'Contato' })
  await expect(people.getByRole('radio')).toHaveCount(2)
  const other = people.getByRole('radio', { name: /Beatriz/ })
  await other.check({ force: true })
  await field(page, 'Buscar contato').fill('Caio')
  await expect(people.getByRole('radio')).toHaveCount(2)
  await expect(other).toBeChecked()
  await drawer(page).getByRole('button', { name: 'Ver o que muda' }).click()
  for (const name of ['Nome', 'Número']) await expect(drawer(page).getByRole('radiogroup', { name })).toBeVisible()
  const cut = () =>
    drawer(page)
      .locator('.g-cut')
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent))
  await expect.poll(cut).toEqual([])
  await expectAccessible(page, '[role=dialog]')
  expect(complaints).toEqual([])
  await context.close()
})
