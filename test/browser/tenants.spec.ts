import { expect, type Page } from '@playwright/test'
import { formatDate } from '#web/format.ts'
import { button, confirm, drawer, field, menuOf, row, tab, toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

const soon = { timeout: 5000 }
const menu = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name, exact: true })
const settingsEntry = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Configurações' }).getByRole('link', { name, exact: true })

async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+Enter')
  await expect(drawer(page)).toHaveCount(0)
}

test('the superadmin makes a company and its first user, who feels at once what is hidden, left out of the plan, and shut', {
  tag: '@wide',
}, async ({ product, browser }) => {
  test.slow()
  const { made, tenantId } = await company(product)
  const root = await made.user(tenantId, { profile: 'superadmin', name: 'Sônia Reis' })
  const { page, complaints, context } = await sitDown(browser, product, root)
  const name = `Padaria Pão Quente ${tenantId}`
  const domain = `pao${tenantId}.test`
  const email = `vera@${domain}`

  await test.step('what is wrong is said at its field, and nothing is lost', async () => {
    await page.goto('/')
    await page.mouse.move(20, 450)
    await menu(page, 'Instalação').click()
    await expect(page.getByRole('heading', { name: 'Empresas' })).toBeVisible()
    await button(page, 'Adicionar empresa').click()
    await field(page, 'Identidade').fill('529.982.247-26')
    await tab(page, 'Menu')
    await page.keyboard.press('Control+Enter')
    await expect(field(page, 'Nome')).toHaveAccessibleDescription('Use ao menos 3 caracteres.')
    await expect(field(page, 'Identidade')).toHaveAccessibleDescription(/Este CPF ou CNPJ não confere\./)
    await field(page, 'Nome').fill(name)
    await field(page, 'Identidade').fill('529.982.247-25')
    await field(page, 'Domínios').fill('localhost.')
    await drawer(page).getByRole('button', { name: 'Fechar', exact: true }).click()
    await expect(page.getByText('Descartar as alterações?')).toBeVisible()
    await button(page, 'Continuar editando').click()
    await expect(page.getByText('Descartar as alterações?')).toHaveCount(0)
    await expect(field(page, 'Nome')).toHaveValue(name)
    await expect(drawer(page).getByText(/alterações não salvas/)).toBeVisible()
  })

  await test.step('a plan fills the limits, a trial shows its end', async () => {
    await tab(page, 'Plano e limites')
    await drawer(page).getByRole('combobox', { name: 'Plano' }).click()
    await page.getByRole('option', { name: /^Padrão/ }).click()
    await expect(field(page, 'Limite de usuários')).toHaveValue('10')
    await field(page, 'Limite de usuários').fill('3')
    await drawer(page).getByText('Período de teste').click()
    await field(page, 'Dias de teste').fill('10')
    const end = formatDate(Date.now() + 10 * 86_400_000)
    await expect(drawer(page).getByText(`Termina em ${end}`, { exact: false })).toBeVisible()
    await page.keyboard.press('Control+Enter')
    await expect(field(page, 'Domínios')).toHaveAccessibleDescription(/Informe só o endereço/)
    await field(page, 'Domínios').fill(domain)
    await save(page)
    await page.getByRole('searchbox', { name: /^Nome, e-mail/ }).fill(domain)
    await expect(row(page, name)).toContainText('0 de 3')
    await expect(row(page, name)).toContainText('termina em 10 dias')
    await expect(row(page, name)).toContainText('Padrão')
    expect(complaints.splice(0)).toEqual([])
  })

  await test.step('a domain is nobody else’s; a paid company has no end', async () => {
    await button(page, 'Adicionar empresa').click()
    await field(page, 'Nome').fill('Outra padaria')
    await field(page, 'Domínios').fill(domain)
    await page.keyboard.press('Control+Enter')
    await expect(field(page, 'Domínios')).toHaveAccessibleDescription(new RegExp(`${domain} já é de outra empresa`))
    await button(page, 'Cancelar').click()
    await confirm(page, 'Descartar')
    await expect(drawer(page)).toHaveCount(0)
    expect(complaints.splice(0)).toEqual([expect.stringContaining('409 POST')])
    await menuOf(page, name, 'Editar')
    await tab(page, 'Plano e limites')
    await expect(field(page, 'Dias de teste')).toHaveValue('10')
    await drawer(page).getByText('Período de teste').click()
    await save(page)
    await expect(row(page, name)).not.toContainText('termina em')
  })

  await test.step('the first user is added on the users of all companies', async () => {
    await menuOf(page, name, 'Usuários')
    await expect(page).toHaveURL(/\/usuariotenants\?empresa=\d+/)
    await button(page, 'Novo usuário').click()
    await drawer(page).getByRole('combobox', { name: 'Empresa' }).click()
    await page.getByRole('option', { name: new RegExp(name) }).click()
    await field(page, 'Nome').fill('Vera Lima')
    await field(page, 'E-mail').fill(email)
    await drawer(page).getByLabel('Senha', { exact: true }).fill('Girassol!7')
    await drawer(page).getByRole('combobox', { name: 'Perfil' }).click()
    await page.getByRole('option', { name: 'Administrador', exact: true }).click()
    await save(page)
    await page.goto(`/tenants?busca=${domain}`)
    await expect(row(page, name)).toContainText('1 de 3')
    await expect(row(page, name)).toContainText(email)
  })

  const vera = await sitDown(browser, product, { email, password: 'Girassol!7' })
  await vera.page.goto('/usuarios/acessos')
  await expect(settingsEntry(vera.page, 'Etiquetas')).toHaveCount(1)
  await expect(settingsEntry(vera.page, 'WebChat')).toHaveCount(1)
  const permission = vera.page.getByRole('listitem').filter({ hasText: 'Configurar o WebChat' })
  await vera.page.getByRole('combobox', { name: 'Usuário' }).fill('Vera')
  await vera.page.getByRole('option', { name: 'Vera Lima' }).click()
  await expect(permission).toContainText('Pode')

  await test.step('what is hidden leaves the other window’s menu within a second, and comes back', async () => {
    await menuOf(page, name, 'Editar')
    await tab(page, 'Menu')
    await drawer(page).getByText('Etiquetas', { exact: true }).click()
    await save(page)
    await expect(settingsEntry(vera.page, 'Etiquetas')).toHaveCount(0, soon)
  })

  await test.step('a channel that is left out is the plan’s reason', async () => {
    await menuOf(page, name, 'Editar')
    await tab(page, 'Plano e limites')
    await drawer(page).getByRole('checkbox', { name: 'WebChat' }).uncheck()
    await save(page)
    await expect(settingsEntry(vera.page, 'WebChat')).toHaveCount(0, soon)
    await expect(permission).toContainText('O plano da empresa não inclui')
  })

  await test.step('the numbers of a company', async () => {
    await menuOf(page, name, 'Métricas')
    await expect(drawer(page).getByText('Com mensagem agendada')).toBeVisible()
    await expect(drawer(page).getByRole('tab', { name: 'Métricas' })).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Escape')
  })

  await test.step('shut, everybody is put out with the reason', async () => {
    await menuOf(page, name, 'Desativar…')
    await confirm(page, 'Desativar empresa')
    await expect(row(page, name)).toContainText('Inativa')
    await expect(vera.page).toHaveURL(/\/login/)
    await expect(vera.page.getByText('O acesso da empresa está inativo.')).toBeVisible()
    await menuOf(page, name, 'Ativar')
    await expect(toast(page, 'Empresa ativada')).toBeVisible()
    await expect(row(page, name)).toContainText('Ativa')
  })
  expect(complaints).toEqual([])
  for (const one of [context, vera.context]) await one.close()
})
