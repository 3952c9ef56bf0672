import { expect } from '@playwright/test'
import { startSmtp } from '#test/peers/smtp.ts'
import { button, confirm, drawer, field, menuOf, row, tab, toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

test('an admin invites a colleague by mail, who sets the password and enters; restricted, deactivated and deleted, the colleague feels it at once', {
  tag: ['@wide', '@mail', '@profile'],
}, async ({ anotherProduct, browser }) => {
  test.slow()
  const product = await anotherProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
  const smtp = await startSmtp()
  const { made, tenantId, admin, ask } = await company(product)
  await product.platform.db.asPlatform((db) =>
    db.updateTable('tenants').set({ max_users: 3 }).where('id', '=', tenantId).execute(),
  )
  await made.queue(tenantId, { queue: 'Vendas' })
  await made.user(tenantId, { name: 'Zeca Pires', profile: 'super' })
  const desk = await sitDown(browser, product, admin)
  const { page } = desk

  await test.step('without a mail server the link is shown once; the form says what is missing at its fields', async () => {
    await page.goto('/usuarios')
    await expect(page.getByText('2 de 3 usuários do plano')).toBeVisible()
    await button(page, 'Novo usuário').click()
    await tab(page, 'Acesso')
    await page.keyboard.press('Control+Enter')
    await expect(field(page, 'Nome')).toHaveAccessibleDescription('Use ao menos 3 caracteres.')
    await expect(field(page, 'E-mail')).toHaveAccessibleDescription(/e-mail válido/)
    await field(page, 'Nome').fill('Bruna Prado')
    await field(page, 'E-mail').fill(admin.email)
    await page.keyboard.press('Control+Enter')
    await expect(field(page, 'E-mail')).toHaveAccessibleDescription('Já existe um usuário com este e-mail.')
    await field(page, 'E-mail').fill('bruna@loja.test')
    await field(page, 'Telefone').fill('19998124407')
    await tab(page, 'Filas e canais')
    await drawer(page).getByRole('combobox', { name: 'Filas' }).click()
    await page.getByRole('option', { name: 'Vendas' }).click()
    await page.keyboard.press('Control+Enter')
    await expect(drawer(page).getByRole('textbox', { name: 'Link para definir a senha' })).toHaveValue(
      /\/login\?tokenSetup=[\w-]{43}$/,
    )
    await button(page, 'Pronto').click()
    await expect(row(page, 'Bruna Prado')).toContainText('Convite pendente')
    await expect(row(page, 'Bruna Prado')).toContainText('Vendas')
    await expect(page.getByText('3 de 3 usuários do plano')).toBeVisible()
    expect(desk.complaints.splice(0)).toEqual([expect.stringContaining('409 POST')])
  })

  await test.step('with one, the invitation arrives by mail', async () => {
    await ask('PUT', '/email', {
      smtp: 'enabled',
      emailHost: '127.0.0.1',
      emailPort: smtp.port,
      emailSecure: 'none',
      emailUser: '',
      emailName: 'Loja Aurora',
      emailFrom: 'sistema@loja.test',
    })
    await menuOf(page, 'Bruna Prado', 'Convidar de novo')
    await expect(toast(page, 'Link enviado para bruna@loja.test')).toBeVisible()
  })
  const mail = await smtp.nextTo('bruna@loja.test')
  expect(mail.read.text).toContain('Ana Souza convidou você')
  const [link = ''] = /\/login\?tokenSetup=[\w-]+/.exec(mail.read.text ?? '') ?? []

  const context = await browser.newContext({ baseURL: product.address })
  const bruna = await context.newPage()
  await test.step('the colleague sets a password and is in', async () => {
    await bruna.goto(link)
    await expect(bruna.getByText('Olá, Bruna Prado! Falta só a sua senha.')).toBeVisible()
    await bruna.getByLabel('Senha', { exact: true }).fill('Girassol!7')
    await bruna.getByLabel('Repita a senha').fill('Girassol!7')
    await button(bruna, 'Salvar e entrar').click()
    await expect(bruna).toHaveURL(/\/atendimento/)
    await expect(row(page, 'Bruna Prado')).not.toContainText('Convite pendente')
    await expect(row(page, 'Bruna Prado').getByRole('img', { name: 'online' })).toBeVisible()
  })

  await test.step('one’s own profile: what counts for messages, and the password', async () => {
    await bruna.goto('/perfil')
    await bruna.getByLabel('Depois do nome na assinatura').fill('Vendas')
    await button(bruna, 'Salvar').click()
    await expect(bruna.getByText('Começam com “Bruna Prado · Vendas”', { exact: false })).toBeVisible()
    await bruna.getByLabel('Senha atual').fill('errada!9')
    await bruna.getByLabel('Nova senha', { exact: true }).fill('Margarida!8')
    await bruna.getByLabel('Repita a nova senha').fill('Margarida!8')
    await button(bruna, 'Mudar a senha').click()
    await expect(bruna.getByLabel('Senha atual')).toHaveAccessibleDescription('Esta não é a sua senha atual.')
    await bruna.getByLabel('Senha atual').fill('Girassol!7')
    await button(bruna, 'Mudar a senha').click()
    await expect(toast(bruna, 'Senha alterada')).toBeVisible()
    const kept = await made.token({ id: (await person(ask)).id, tenantId })
    const reply = await fetch(`${product.address}/api/users/${(await person(ask)).id}`, {
      headers: { authorization: `Bearer ${kept}` },
    })
    expect((await reply.json()).configs.preferences).toEqual({ signature: 'Vendas' })
  })

  await test.step('one’s own switches are saved at once and undone; a refusal turns them back and says why', async () => {
    const enter = bruna.getByRole('switch', { name: 'Enter envia a mensagem' })
    const ofEnter = bruna.getByRole('group').filter({ hasText: /Enter envia a mensagem.*(Salvo|Desfeito|salvo)/ })
    await enter.click({ force: true })
    await expect(ofEnter).toContainText('Salvo: desligado')
    await button(bruna, 'Desfazer').click()
    await expect(ofEnter).toContainText('Desfeito: ligado')
    await bruna.reload()
    await expect(enter).toBeChecked()
    const own = /\/api\/users\/\d+\/configs$/
    await bruna.route(own, (route) => route.abort())
    await enter.click({ force: true })
    await expect(ofEnter).toContainText('“Enter envia a mensagem” não foi salvo')
    await expect(enter).toBeChecked()
    await bruna.unroute(own)
  })

  await test.step('restricted, the contacts are closed at once', async () => {
    await bruna.goto('/contatos')
    await expect(bruna.getByRole('heading', { name: 'Contatos' })).toBeVisible()
    await row(page, 'Bruna Prado')
      .getByRole('button', { name: /Bruna Prado/ })
      .click()
    await tab(page, 'Acesso')
    await drawer(page).getByText('Usuário restrito').click()
    await page.keyboard.press('Escape')
    await button(page, 'Continuar editando').click()
    await expect(button(page, 'Continuar editando')).toHaveCount(0)
    await page.keyboard.press('Control+Enter')
    await expect(row(page, 'Bruna Prado')).toContainText('Restrito')
    await expect(bruna).not.toHaveURL(/contatos/)
  })

  await test.step('inactive, the colleague is out; deleted, gone from the list, which the address narrows', async () => {
    await menuOf(page, 'Bruna Prado', 'Desativar…')
    await confirm(page, 'Desativar')
    await expect(bruna).toHaveURL(/\/login/)
    await page.getByRole('searchbox', { name: /^Nome, e-mail/ }).fill('bruna')
    await expect(page).toHaveURL(/busca=bruna/)
    await expect(page.getByRole('row')).toHaveCount(2)
    await menuOf(page, 'Bruna Prado', 'Excluir…')
    await confirm(page, 'Excluir usuário')
    await expect(page.getByText('Ninguém com este filtro')).toBeVisible()
    await button(page, 'Limpar filtros').click()
    await expect(page.getByText('2 de 3 usuários do plano')).toBeVisible()
    await row(page, 'Ana Souza').getByRole('button', { name: 'Mais ações' }).click()
    await expect(page.getByRole('menuitem', { name: 'Desativar…' })).toHaveCount(0)
    await page.keyboard.press('Escape')
  })

  expect(desk.complaints).toEqual([])
  await smtp.close()
  await context.close()
  await desk.context.close()
})

test('a queue that goes gives its tickets to another, and a team takes people', {
  tag: ['@wide', '@queues', '@teams'],
}, async ({ product, browser }) => {
  const { made, tenantId, admin } = await company(product)
  await made.queue(tenantId, { queue: 'Vendas' })
  await made.user(tenantId, { name: 'Zeca Pires', profile: 'super' })
  const desk = await sitDown(browser, product, admin)
  const { page } = desk
  const from = await made.queue(tenantId, { queue: 'Antiga' })
  await made.ticket(tenantId, { queue_id: from, status: 'pending' })
  await page.goto('/filas')
  await button(page, 'Vendas').click()
  await field(page, 'Nome da Fila').fill('Antiga')
  await drawer(page).getByRole('tab', { name: 'Horário' }).click()
  await page.keyboard.press('Control+Enter')
  await expect(field(page, 'Nome da Fila')).toHaveAccessibleDescription('Já existe uma fila com este nome.')
  expect(desk.complaints.splice(0)).toEqual([expect.stringContaining('409 PUT')])
  await field(page, 'Nome da Fila').fill('Vendas Sul')
  await page.keyboard.press('Control+Enter')
  await expect(page).toHaveURL(/\/filas$/) // the drawer has slid out
  await button(page, 'Vendas Sul').click()
  await expect(field(page, 'Nome da Fila')).toHaveValue('Vendas Sul')
  await drawer(page).getByRole('button', { name: 'Fechar' }).click()
  await menuOf(page, 'Antiga', 'Excluir…')
  await confirm(page, 'Excluir fila')
  await drawer(page).getByRole('combobox', { name: 'Mover para' }).click()
  await page.getByRole('option', { name: 'Vendas Sul' }).click()
  await button(page, 'Mover e excluir').click()
  await expect(toast(page, '1 atendimento em andamento foi para a outra fila.')).toBeVisible()
  await expect(row(page, 'Antiga')).toHaveCount(0)
  expect(desk.complaints.splice(0)).toEqual([expect.stringContaining('409 DELETE')])

  await page.goto('/equipes')
  await button(page, 'Nova equipe').click()
  await field(page, 'Nome da Equipe').fill('Plantão')
  await page.keyboard.press('Control+Enter')
  await drawer(page).getByRole('combobox', { name: 'Incluir alguém' }).fill('zeca')
  await page.getByRole('option', { name: 'Zeca Pires' }).click()
  await expect(drawer(page).getByRole('list', { name: 'Pessoas de Plantão' })).toContainText('Zeca Pires')
  await drawer(page).getByRole('button', { name: 'Fechar' }).click()
  await expect(row(page, 'Plantão')).toContainText('1 pessoa')
  expect(desk.complaints).toEqual([])
  await desk.context.close()
})

const person = async (ask: <T>(method: string, path: string) => Promise<T>): Promise<{ id: number }> =>
  (await ask<{ users: { id: number }[] }>('GET', '/users?searchParam=bruna')).users[0] as { id: number }
