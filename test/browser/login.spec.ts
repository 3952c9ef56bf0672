import { expect, type Page } from '@playwright/test'
import { landing } from '#domain/access/menu.ts'
import { PROFILES } from '#domain/access/profiles.ts'
import { ownerSetupLink } from '#server/features.ts'
import { PASSWORD } from '#test/make.ts'
import { toast } from './pages/parts.ts'
import { logIn, sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

test.use({ baseURL: async ({ product }, use) => use(product.address) })

const password = (page: Page) => page.getByLabel('Senha', { exact: true })

test('a wrong password is told at its field, and the same form lets the right one in', { tag: '@auth' }, async ({
  product,
  page,
}) => {
  const { admin } = await company(product)
  const packed = new Set<string | undefined>()
  page.on('response', (reply) => {
    if (reply.url().includes('/assets/') && /\.(js|css)$/.test(reply.url()))
      packed.add(reply.headers()['content-encoding'])
  })
  await logIn(page, { email: admin.email, password: 'errada' })
  await expect(password(page)).toHaveAccessibleDescription('Usuário ou senha não conferem. Tente de novo.')
  await password(page).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Login sucess!')).toBeVisible()
  await expect(toast(page, `Você entrou como ${admin.name}.`)).toBeVisible()
  await expect(page).toHaveURL('/home')
  expect([...packed]).toEqual(['br'])
})

test('the sixth attempt within a minute is refused, also with the right password', { tag: ['@auth', '@wide'] }, async ({
  anotherProduct,
  page,
}) => {
  const product = await anotherProduct({ env: { RATE_LIMITS: true } })
  const { admin } = await company(product)
  const wrong = { data: { email: admin.email, password: 'errada' } }
  for (let attempt = 0; attempt < 5; attempt++) {
    expect((await page.request.post(`${product.address}/api/auth/login/`, wrong)).status()).toBe(401)
  }
  await page.goto(`${product.address}/login`)
  await page.getByLabel('E-mail ou usuário').fill(admin.email)
  await password(page).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Limit error')).toBeVisible()
  await expect(toast(page, 'Muitas tentativas. Tente de novo em 1 minuto.')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
})

test('each profile lands where the role works', { tag: '@auth' }, async ({ product, browser }) => {
  const { made, tenantId } = await company(product)
  for (const profile of PROFILES) {
    const context = await browser.newContext({ baseURL: product.address })
    const page = await context.newPage()
    await logIn(page, await made.user(tenantId, { profile }))
    await expect(toast(page, 'Login sucess!')).toBeVisible()
    await expect(page).toHaveURL(landing(profile))
    await context.close()
  }
})

test('the greeting goes by the clock', { tag: ['@auth', '@wide'] }, async ({ page }) => {
  await page.clock.install()
  for (const [time, words] of [
    ['05:00', 'Bom dia!'],
    ['12:00', 'Boa tarde!'],
    ['18:00', 'Boa noite!'],
    ['04:59', 'Boa noite!'],
  ]) {
    await page.clock.setFixedTime(`2026-03-10T${time}:00-03:00`)
    await page.goto('/login')
    await expect(page.getByRole('heading', { level: 1 })).toContainText(words as string)
  }
})

test('without a session a page asks for one and opens after it', { tag: ['@auth', '@wide'] }, async ({
  product,
  page,
}) => {
  const { admin } = await company(product)
  await page.goto('/laboratorio?de=fora')
  await expect(toast(page, 'Necessário realizar login')).toBeVisible()
  await expect(page).toHaveURL('/login')
  await page.getByLabel('E-mail ou usuário').fill(admin.email)
  await password(page).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/laboratorio?de=fora')
})

test('the first start’s link makes the owner, once, who answers a first conversation in at most 15 clicks and 3 minutes', {
  tag: ['@auth', '@tenants', '@guide'],
}, async ({ anotherProduct, page }) => {
  const { platform, address } = await anotherProduct()
  let clicks = 0
  let keys = 0
  await page.exposeFunction('countClick', () => {
    clicks += 1
  })
  // A person fills in the form letter by letter.
  await page.exposeFunction('countKeys', (count: number) => {
    keys += count
  })
  await page.addInitScript(() => {
    addEventListener(
      'click',
      ({ isTrusted, detail }) => isTrusted && detail > 0 && (window as unknown as { countClick(): void }).countClick(),
      true,
    )
    addEventListener(
      'input',
      ({ target }) =>
        (window as unknown as { countKeys(count: number): void }).countKeys((target as HTMLInputElement).value.length),
      true,
    )
  })
  await page.goto(`${address}/login`)
  await page.getByLabel('E-mail ou usuário').fill('dona@loja.com.br')
  await password(page).fill('qualquer')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Instalação não AUTORIZADA')).toBeVisible()

  const link = (await ownerSetupLink(platform, address)) as string
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Defina sua senha' })).toBeVisible()
  expect(page.url()).toBe(`${address}/login`)
  clicks = 0
  keys = 0
  const begun = Date.now()
  await page.getByLabel('Seu nome').fill('Dora Lima')
  await page.getByLabel('E-mail').fill('dona@loja.com.br')
  await page.getByLabel('Nome da empresa').fill('Loja da Dora')
  await password(page).fill('curta')
  await page.getByRole('button', { name: 'Salvar e entrar' }).click()
  await expect(password(page)).toHaveAccessibleDescription(/A senha precisa de ao menos 7 caracteres/)
  await password(page).fill('Bem-comprida-7')
  await page.getByLabel('Repita a senha').fill('Bem-comprida-7')
  await page.getByRole('button', { name: 'Salvar e entrar' }).click()
  await expect(page).toHaveURL(`${address}/assinatura`)

  const steps = page.getByRole('region', { name: 'Primeiros passos' })
  await expect(steps.getByRole('listitem')).toHaveCount(5)
  await steps.getByRole('link', { name: 'Adicionar canal' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Laboratório', exact: true }).click()
  await expect(page).toHaveURL(`${address}/laboratorio`)
  await page.getByRole('button', { name: 'Novo telefone' }).click()
  await page.getByRole('button', { name: /Criar telefone/ }).click()
  await page.getByRole('textbox', { name: /^Mensagem de/ }).fill('Boa tarde! Vocês abrem amanhã?')
  await page.keyboard.press('Enter')
  await page
    .getByRole('button', { name: /^Atendimento \d+/ })
    .first()
    .click()
  const desk = page.frameLocator('iframe').getByRole('region', { name: /^Conversa com/ })
  await desk.getByRole('button', { name: 'Atender' }).last().click()
  await desk.getByLabel('Mensagem', { exact: true }).fill('Abrimos às 9h.')
  await desk.getByLabel('Mensagem', { exact: true }).press('Enter')
  await expect(page.getByRole('region', { name: /^Telefone de/ }).getByText('Abrimos às 9h.')).toBeVisible()
  expect(clicks).toBeGreaterThan(5)
  expect(clicks).toBeLessThanOrEqual(15)
  // A person's time: the product's own, and theirs by the keystroke-level model (a click with thinking 2.6 s, a key 0.28 s).
  const seconds = (Date.now() - begun) / 1000 + clicks * 2.6 + keys * 0.28
  expect(seconds).toBeLessThanOrEqual(180)
  test.info().annotations.push({ type: 'newcomer', description: `${clicks} clicks, ${keys} keys, ${seconds} s` })
  await page.goto(`${address}/assinatura`)
  await expect(steps.getByRole('listitem').filter({ hasText: 'feito' })).toHaveCount(2)

  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Este link não vale mais' })).toBeVisible()
})

test('leaving ends the session in every tab, and on the server', { tag: '@auth' }, async ({ product, browser }) => {
  const { admin } = await company(product)
  const { context, page } = await sitDown(browser, product, admin)
  const other = await context.newPage()
  for (const tab of [page, other]) await tab.goto('/laboratorio')
  const token = await page.evaluate(() => localStorage.getItem('token'))
  await page.getByRole('button', { name: /conta e aparência/ }).click()
  await page.getByRole('menuitem', { name: 'Sair' }).click()
  for (const tab of [page, other]) await expect(tab).toHaveURL('/login')
  expect(await other.evaluate(() => localStorage.getItem('token'))).toBeNull()
  const headers = { authorization: `Bearer ${token}` }
  expect((await context.request.get('/api/tickets', { headers })).status()).toBe(401)
  expect((await context.request.post('/api/auth/refresh_token')).status()).toBe(401)
  await context.close()
})
