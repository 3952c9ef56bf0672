import { expect } from '@playwright/test'
import { ownerSetupLink } from '#features/auth/server/index.ts'
import { make, PASSWORD } from '#test/make.ts'
import { startSmtp } from '#test/peers/smtp.ts'
import { button, toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

test('the mail server is set up and tried, a password forgotten, and a new one made by the link in the mail', async ({
  anotherProduct,
  browser,
}) => {
  test.slow()
  const product = await anotherProduct()
  const { address, platform } = product
  const smtp = await startSmtp({ login: { user: 'loja', password: 'correio' } })
  const { made, tenantId, admin } = await company(product)
  const owner = await made.user(tenantId, { profile: 'superadmin' })
  const desk = await sitDown(browser, product, owner)
  const { page } = desk

  await page.goto('/configuracoesTenant')
  await expect(page).toHaveURL(/\/configuracoesTenant\/smtp-tenant$/)
  await page.getByText('Enviar por este servidor').click()
  await button(page, 'Salvar').click()
  await expect(page.getByLabel('Servidor SMTP')).toHaveAccessibleDescription('Informe o servidor.')
  await page.getByLabel('Servidor SMTP').fill('127.0.0.1')
  await page.getByLabel('Porta').fill(String(smtp.port))
  await page.getByText('Sem proteção').click()
  await page.getByLabel('Usuário', { exact: true }).fill('loja')
  await page.getByLabel('Senha', { exact: true }).fill('errada')
  await page.getByLabel('Nome', { exact: true }).fill('Loja Aurora')
  await page.getByLabel('E-mail', { exact: true }).fill('sistema@guiche.test')
  await button(page, 'Salvar').click()
  await expect(toast(page, 'E-mail salvo.')).toBeVisible()
  await page.getByLabel('Enviar para').fill('dona@fora.test')
  await button(page, 'Enviar e-mail de teste').click()
  await expect(page.getByRole('alert')).toHaveText('O servidor recusou o usuário ou a senha (resposta 535).')
  await page.getByLabel('Senha', { exact: true }).fill('correio')
  await button(page, 'Salvar').click()
  await expect(page.getByText('Guardada e cifrada. Vazia, fica como está.')).toBeVisible()
  await button(page, 'Enviar e-mail de teste').click()
  await expect(page.getByText('O servidor aceitou o e-mail.')).toBeVisible()
  expect((await smtp.nextTo('dona@fora.test')).read.from?.name).toBe('Loja Aurora')
  await page.goto('/configuracoes/smtp')
  await expect(page.getByText('Pelo servidor da instalação', { exact: true })).toBeVisible()
  expect(desk.complaints.filter((line) => !line.startsWith('422 '))).toEqual([])
  await desk.context.close()

  const context = await browser.newContext({ baseURL: address })
  const visitor = await context.newPage()
  const asked: string[] = []
  visitor.on('request', (request) => asked.push(`${request.url()} ${request.headers().referer ?? ''}`))
  await visitor.goto('/login')
  await visitor.getByLabel('E-mail ou usuário').fill(admin.email)
  await button(visitor, 'Esqueci minha senha').click()
  await expect(visitor.getByLabel('E-mail')).toHaveValue(admin.email)
  await button(visitor, 'Enviar o link').click()
  await expect(toast(visitor, 'E-mail de recuperação de senha enviado.')).toBeVisible()
  const { read } = await smtp.nextTo(admin.email)
  const link = read.text?.match(/\/reset\/([\w-]+)/) as RegExpMatchArray

  asked.length = 0
  await visitor.goto(link[0])
  await expect(visitor.getByRole('heading', { name: 'Crie uma nova senha' })).toBeVisible()
  expect(new URL(visitor.url()).pathname).toBe('/reset')
  await visitor.getByLabel('Nova senha', { exact: true }).fill('curta')
  await button(visitor, 'Salvar a nova senha').click()
  await expect(visitor.getByLabel('Nova senha', { exact: true })).toHaveAccessibleDescription(/ao menos 7 caracteres/)
  await visitor.getByLabel('Nova senha', { exact: true }).fill('Nova!senha7')
  await visitor.getByLabel('Repita a nova senha').fill('Outra!senha7')
  await button(visitor, 'Salvar a nova senha').click()
  await expect(visitor.getByLabel('Repita a nova senha')).toHaveAccessibleDescription('As senhas não são iguais.')
  await visitor.getByLabel('Repita a nova senha').fill('Nova!senha7')
  await button(visitor, 'Salvar a nova senha').click()
  await expect(toast(visitor, 'Senha redefinida com sucesso!')).toBeVisible()
  await expect(visitor).toHaveURL('/login')
  // The code went to the server once, in the address that was opened, and stood in nobody's Referer.
  expect(asked.filter((line) => line.includes(link[1] as string))).toEqual([`${address}${link[0]} `])

  await visitor.goto(link[0])
  await visitor.getByLabel('Nova senha', { exact: true }).fill('Nova!senha8')
  await visitor.getByLabel('Repita a nova senha').fill('Nova!senha8')
  await button(visitor, 'Salvar a nova senha').click()
  await expect(toast(visitor, 'Erro ao redefinir a senha.')).toBeVisible()
  await expect(visitor.getByRole('heading', { name: 'Este link não vale mais' })).toBeVisible()
  await visitor.reload()
  await button(visitor, 'Pedir outro link').click()
  await platform.db.asPlatform((db) => db.updateTable('installation').set({ data: '{}' }).execute())
  platform.bus.stale('installation all')
  await visitor.getByLabel('E-mail').fill(admin.email)
  await button(visitor, 'Enviar o link').click()
  await expect(toast(visitor, 'Erro ao solicitar redefinição de senha.')).toBeVisible()
  await button(visitor, 'Voltar para a entrada').click()
  await visitor.getByLabel('E-mail ou usuário').fill(admin.email)
  await visitor.getByLabel('Senha', { exact: true }).fill('Nova!senha7')
  await visitor.keyboard.press('Enter')
  await expect(visitor).toHaveURL('/home')
  await context.close()
  await smtp.close()
})

test('the installation opens for new companies, one signs up with an alphanumeric CNPJ, and support looks in', {
  tag: '@wide',
}, async ({ anotherProduct, browser }) => {
  test.slow()
  const product = await anotherProduct()
  const { made, tenantId } = await company(product)
  const owner = await made.user(tenantId, { profile: 'superadmin' })
  const context = await browser.newContext({ baseURL: product.address })
  const visitor = await context.newPage()
  await visitor.goto('/login')
  await expect(visitor.getByRole('link', { name: 'Criar uma conta' })).toHaveCount(0)
  await visitor.goto('/signup')
  await expect(visitor.getByRole('heading', { name: 'O cadastro está fechado' })).toBeVisible()

  const { page, complaints, context: desk } = await sitDown(browser, product, owner)
  await page.goto('/planos')
  await page.getByText('Aceitar cadastros em /signup').click()
  await button(page, 'Adicionar plano').click()
  await page.getByLabel('Nome').fill('Crescer')
  await page.getByLabel('Valor por mês').fill('149,9')
  await page.getByLabel('Usuários').fill('2')
  await page.getByText('Período de teste').click()
  await page.getByLabel('Dias de teste').fill('14')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Salvar/ })
    .click()
  const row = page.getByRole('row', { name: /Crescer/ })
  await expect(row).toContainText('R$ 149,90')
  await expect(row).toContainText('14 dias')

  await visitor.goto('/login')
  await visitor.getByRole('link', { name: 'Criar uma conta' }).click()
  await button(visitor, 'Criar conta').click()
  await expect(visitor.getByLabel('Nome da empresa')).toBeFocused()
  await visitor.getByLabel('Nome da empresa').fill('Padaria Pão Quente')
  await visitor.getByLabel('Seu nome').fill('Dora Lima')
  await visitor.getByLabel('CPF ou CNPJ').pressSequentially('12abc34501de36')
  await visitor.getByLabel('E-mail').fill('dora@pao.test')
  await visitor.getByLabel('Celular').pressSequentially('11987654321')
  await visitor.getByLabel('Senha', { exact: true }).fill(PASSWORD)
  await visitor.getByRole('radio', { name: /Crescer.*R\$ 149,90/ }).check()
  await button(visitor, 'Criar conta').click()
  await expect(visitor.getByLabel('CPF ou CNPJ')).toHaveAccessibleDescription('Informe um CPF ou CNPJ válido.')
  await visitor.getByLabel('CPF ou CNPJ').fill('12.ABC.345/01DE-35')
  await button(visitor, 'Criar conta').click()
  await expect(toast(visitor, 'Cliente criado com sucesso.')).toBeVisible()
  await expect(visitor).toHaveURL('/login')
  await visitor.getByLabel('E-mail ou usuário').fill('dora@pao.test')
  await visitor.getByLabel('Senha', { exact: true }).fill(PASSWORD)
  await visitor.keyboard.press('Enter')
  await expect(visitor).toHaveURL('/home')

  await page.goto('/assinatura')
  await button(page, 'Gerar chave mestra').click()
  const key = (await page.locator('code').textContent()) as string
  await page.reload()
  await expect(button(page, 'Desligar')).toBeVisible()
  await expect(page.locator('code')).toHaveCount(0)
  expect(complaints).toEqual([])
  await desk.close()

  const elsewhere = await browser.newContext({ baseURL: product.address })
  const support = await elsewhere.newPage()
  await support.goto('/masterkey')
  await support.getByLabel('E-mail ou usuário da conta').fill('dora@pao.test')
  await support.getByLabel('Chave mestra', { exact: true }).fill(PASSWORD)
  await button(support, 'Abrir a conta').click()
  await expect(support.getByLabel('Chave mestra', { exact: true })).toHaveAccessibleDescription(
    'A conta ou a chave não confere.',
  )
  await support.getByLabel('Chave mestra', { exact: true }).fill(key)
  await button(support, 'Abrir a conta').click()
  await expect(support.getByText('Você está em acesso de suporte')).toBeVisible()
  // The company sees it at once, without reloading, and sends it away.
  await expect(visitor.getByText('Acesso de suporte em andamento')).toBeVisible()
  await button(visitor, 'Encerrar').click()
  await visitor.getByRole('dialog').getByRole('button', { name: 'Encerrar acesso' }).click()
  await expect(visitor.getByText('Acesso de suporte em andamento')).toHaveCount(0)
  await expect(support).toHaveURL('/login')
  await elsewhere.close()
  await context.close()
})

test('without a session any unknown address leads to the login, unless it carries a one-time code', async ({
  anotherProduct,
  browser,
  page,
}) => {
  const product = await anotherProduct()
  const { address, platform } = product
  const setup = new URL((await ownerSetupLink(platform, address)) as string)
  await page.route('**/api/auth/setup/check', (route) => route.abort(), { times: 1 })
  await page.goto(`${address}/qualquer/lugar${setup.search}`)
  await expect(page.getByRole('heading', { name: 'Não foi possível conferir o link' })).toBeVisible()
  await page.getByRole('button', { name: 'Tentar de novo' }).click()
  await expect(page.getByRole('heading', { name: 'Defina sua senha' })).toBeVisible()
  expect(page.url()).toBe(`${address}/qualquer/lugar`)
  await page.goto(`${address}/qualquer/lugar`)
  await expect(toast(page, 'Necessário realizar login')).toBeVisible()
  await expect(page).toHaveURL(`${address}/login`)
  const user = await make(platform).user(await make(platform).tenant())
  const desk = await sitDown(browser, product, user)
  await desk.page.goto('/qualquer/lugar')
  await expect(desk.page.getByRole('heading', { name: 'Esta página não existe' })).toBeVisible()
  await desk.context.close()
})
