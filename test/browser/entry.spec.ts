import { expect, type Page } from '@playwright/test'
import { generateSync } from 'otplib'
import pg from 'pg'
import { addToDirectory } from '#server/db/directory.ts'
import { PASSWORD } from '#test/make.ts'
import { CLIENT, startOidc } from '#test/peers/oidc.ts'
import { confirm, toast } from './pages/parts.ts'
import { sitDown, watch } from './pages/person.ts'
import { company, test } from './pages/product.ts'

test.use({ baseURL: async ({ product }, use) => use(product.address) })

const recoveryCodes = (page: Page) => page.getByRole('list', { name: 'Códigos de recuperação' }).getByRole('listitem')
const code = (page: Page) => page.getByLabel('Código do aplicativo')

test('a required second factor, from zero to the recovery code', { tag: ['@second-factor', '@wide'] }, async ({
  anotherProduct,
  page,
  browser,
}) => {
  let ahead = 0
  const product = await anotherProduct({ now: () => new Date(Date.now() + ahead) })
  const { ask, admin, made, tenantId } = await company(product)
  const helper = await sitDown(browser, product, admin)
  await ask('PUT', '/settings/requireSecondFactor', { value: 'enabled' })
  const person = await made.user(tenantId, { name: 'Bruno Reis' })
  const complaints = watch(page)
  const codeNow = (secret: string) =>
    generateSync({ secret, epoch: Math.floor((Date.now() + ahead) / 1000) }).replace(/^.../, '$& ')
  const start = () => page.goto(`${product.address}/login`)

  // Nothing is open before the app has loaded.
  await start()
  await enterPassword(page, person.email)
  await expect(page.getByRole('heading', { name: 'Falta o segundo fator' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await expect(page.getByRole('img', { name: 'Código QR para o aplicativo autenticador' })).toBeVisible()
  await page.getByText('Não consegue ler? Digite a chave').click()
  const secret = (await page.locator('details code').innerText()).replaceAll(' ', '')
  await code(page).fill('000000')
  await page.getByRole('button', { name: 'Ligar segundo fator' }).click()
  await expect(code(page)).toHaveAccessibleDescription('O código não confere. Confira e tente de novo.')
  await code(page).fill(codeNow(secret))
  await page.getByRole('button', { name: 'Ligar segundo fator' }).click()
  await expect(recoveryCodes(page)).toHaveCount(10)
  const [first = ''] = await recoveryCodes(page).allInnerTexts()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Baixar' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('guiche-codigos-de-recuperacao.txt')
  await page.getByRole('button', { name: 'Já guardei os códigos' }).click()
  await expect(toast(page, 'Login sucess!')).toBeVisible()
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(first)

  // The next time the app's code is asked for, and taken as it is pasted.
  ahead += 30_000
  await leave(page)
  await start()
  await enterPassword(page, person.email)
  await expect(page.getByRole('heading', { name: 'Confirme que é você' })).toBeVisible()
  await expect(code(page)).toBeFocused()
  await expect(code(page)).toHaveAttribute('autocomplete', 'one-time-code')
  await code(page).fill(codeNow(secret))
  await expect(page).toHaveURL(`${product.address}/atendimento`)

  // Without the phone a recovery code opens the account, once.
  for (const isFirst of [true, false]) {
    await leave(page)
    await start()
    await enterPassword(page, person.email)
    await page.getByRole('button', { name: 'Usar um código de recuperação' }).click()
    await page.getByLabel('Código de recuperação').fill(first.toUpperCase())
    await page.keyboard.press('Enter')
    if (isFirst) {
      await expect(page).toHaveURL(`${product.address}/atendimento`)
      await page.goto(`${product.address}/perfil`)
      await expect(page.getByText('Restam 9 códigos de recuperação.')).toBeVisible()
    } else await expect(page.getByLabel('Código de recuperação')).toHaveAccessibleDescription(/O código não confere/)
  }

  // A person who has lost all factors asks an administrator, and begins again.
  await helper.page.goto('/usuarios')
  await helper.page
    .getByRole('row', { name: /Bruno Reis/ })
    .getByRole('button', { name: 'Mais ações' })
    .click()
  await helper.page.getByRole('menuitem', { name: 'Tirar segundo fator…' }).click()
  await confirm(helper.page, 'Tirar segundo fator')
  await expect(toast(helper.page, 'Segundo fator tirado')).toBeVisible()
  await helper.context.close()
  await page.getByRole('button', { name: 'Voltar' }).click()
  await enterPassword(page, person.email)
  await expect(page.getByRole('heading', { name: 'Falta o segundo fator' })).toBeVisible()
  expect(complaints.filter((line) => !line.startsWith('400 POST'))).toEqual([])
})

test('a login at the external provider, and what comes back from it', { tag: ['@wide', '@identity-provider'] }, async ({
  anotherProduct,
  page,
}) => {
  const product = await anotherProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.0/8'] } })
  const { made, tenantId } = await company(product)
  const boss = await made.user(tenantId, { profile: 'superadmin' })
  const ana = await made.user(tenantId, { email: 'ana@loja.test', isProven: true })
  const peer = await startOidc({
    redirectUris: [`${product.address}/auth/google/callback`],
    accounts: [
      { sub: 'g-1', email: 'ana@loja.test', name: 'Ana' },
      { sub: 'g-2', email: 'ninguem@loja.test', name: 'Ninguém' },
    ],
  })
  try {
    // The superadmin asks the provider who it is, and switches it on.
    await page.goto(`${product.address}/login`)
    await expect(page.getByRole('button', { name: 'Entrar com Google' })).toHaveCount(0)
    await enterPassword(page, boss.email)
    await expect(page).toHaveURL(`${product.address}/assinatura`)
    await page.goto(`${product.address}/configuracoesTenant/login`)
    await page.getByLabel('Endereço do emissor (issuer)').fill(peer.issuer)
    await page.getByRole('button', { name: 'Testar o emissor' }).click()
    await expect(page.getByText(new RegExp(`${peer.issuer} respondeu em`))).toBeVisible()
    await page.getByText('Entrar pelo provedor').click()
    await page.getByLabel('ID do cliente').fill(CLIENT.id)
    await page.getByRole('button', { name: 'Salvar' }).click()
    await expect(page.getByLabel('Segredo do cliente')).toHaveAccessibleDescription(/Informe o segredo do cliente/)
    await page.getByLabel('Segredo do cliente').fill(CLIENT.secret)
    await page.getByRole('button', { name: 'Salvar' }).click()
    await expect(toast(page, 'Login externo salvo.')).toBeVisible()
    await expect(page.getByLabel('Segredo do cliente')).toHaveValue('••••1968')
    await leave(page)

    // After the login a person returns to the requested page; the address holds nothing else.
    await page.goto(`${product.address}/contatos?de=fora`)
    await expect(page).toHaveURL(`${product.address}/login`)
    await page.getByRole('button', { name: 'Entrar com Google' }).click()
    await page.getByRole('link', { name: 'Cancelar' }).click()
    await expect(toast(page, 'O provedor não confirmou a entrada. Tente de novo ou use a senha.')).toBeVisible()
    await expect(page).toHaveURL(`${product.address}/login`)
    await page.getByRole('button', { name: 'Entrar com Google' }).click()
    await page.getByRole('link', { name: 'ninguem@loja.test' }).click()
    await expect(toast(page, 'Nenhum usuário ativo tem este e-mail. Peça acesso ao administrador.')).toBeVisible()
    await page.getByRole('button', { name: 'Entrar com Google' }).click()
    await page.getByRole('link', { name: 'ana@loja.test' }).click()
    await expect(page).toHaveURL(`${product.address}/contatos?de=fora`)
    expect(await page.evaluate(() => localStorage.getItem('userId'))).toBe(String(ana.id))
    await leave(page)

    // A login not begun here is refused, and removed from the address at once.
    await page.goto(`${product.address}/auth/google/callback?code=roubado&state=inventado`)
    await expect(toast(page, 'Esta entrada venceu ou começou em outra janela. Tente de novo.')).toBeVisible()
    await expect(page).toHaveURL(`${product.address}/login`)
  } finally {
    await peer.close()
  }
})

test('a mail box’s authorisation that nobody waits for is told, and its code forgotten', {
  tag: ['@mail', '@wide'],
}, async ({ page }) => {
  const complaints = watch(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/gmail/callbackUrlBack?code=4%2F0Adeu&state=x&scope=https%3A%2F%2Fmail.google.com%2F')
  await expect(page.getByRole('heading', { name: 'Nenhum canal de e-mail aguardava esta autorização' })).toBeVisible()
  await expect(page).toHaveURL('/gmail/callbackUrlBack')
  expect(asked.filter((url) => url.includes('4%2F0Adeu'))).toHaveLength(1)
  await page.goto('/gmail/callbackUrlBack?error=access_denied')
  await expect(page.getByRole('heading', { name: 'A autorização não foi dada' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('a refused login says its title and, below it, the reason in Portuguese', { tag: ['@auth', '@wide'] }, async ({
  anotherProduct,
  page,
}) => {
  const { platform, address, ownerUrl } = await anotherProduct()
  const { ask, made, tenantId } = await company({ platform, address } as never)
  const away = await made.user(tenantId)
  const lessee = await made.user(await made.tenant())
  const unread = await made.user(await made.tenant())
  const days = Array.from({ length: 7 }, (_, day) => ({ ...CLOSED, day, label: String(day) }))
  await ask('PUT', '/settings/useUserBusinessHours', { value: 'enabled' })
  await platform.db.asPlatform(async (db) => {
    await db
      .updateTable('users')
      .set({ business_hours: JSON.stringify(days) })
      .where('id', '=', away.id)
      .execute()
    await db.updateTable('tenants').set({ max_users: 0 }).where('id', '=', lessee.tenantId).execute()
  })
  const refused = async (email: string, title: string, reason: string) => {
    await page.goto(`${address}/login`)
    await enterPassword(page, email)
    await expect(toast(page, title)).toBeVisible()
    await expect(toast(page, reason)).toBeVisible()
    await expect(page).toHaveURL(`${address}/login`)
  }
  await refused(away.email, 'Outside permitted opening hours', 'Fora do horário de atendimento.')
  await refused(lessee.email, 'License error user', 'O plano não comporta este usuário.')
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query('revoke select on plans from guiche_platform')
  await owner.end()
  await refused(unread.email, 'License error server', 'Não foi possível verificar o plano da empresa.')
  await platform.db.asPlatform((db) =>
    addToDirectory(db, { kind: 'domain', key: 'localhost', tenantId: unread.tenantId, subjectId: 'localhost' }),
  )
  await refused(away.email, 'License domain error', 'Este endereço pertence a outra empresa.')
})

const CLOSED = { type: 'C', hr1: '08:00', hr2: '12:00', hr3: '14:00', hr4: '18:00' }

test('a passkey is made in the profile, and opens the account by itself and by the button', {
  tag: ['@second-factor', '@wide'],
}, async ({ product, browser }) => {
  const { admin } = await company(product)
  const { context, page, complaints } = await sitDown(browser, product, admin)
  const line = await context.newCDPSession(page)
  await line.send('WebAuthn.enable')
  const { authenticatorId } = await line.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const entered = async () => {
    await expect(page).toHaveURL('/home')
    await expect(toast(page, 'Login sucess!')).toBeVisible()
    await leave(page)
  }

  await page.goto('/perfil')
  await page.getByRole('button', { name: 'Adicionar' }).click()
  await page.getByLabel('Nome', { exact: true }).fill('Celular da Ana')
  await page.getByLabel('Sua senha').fill('errada')
  await page.getByRole('button', { name: 'Criar passkey' }).click()
  await expect(page.getByLabel('Sua senha')).toHaveAccessibleDescription('A senha não confere.')
  await page.getByLabel('Sua senha').fill(PASSWORD)
  await page.getByRole('button', { name: 'Criar passkey' }).click()
  await expect(toast(page, 'Passkey guardada. Na próxima vez, entre com ela.')).toBeVisible()
  await expect(page.getByText('Celular da Ana')).toBeVisible()
  const { credentials } = await line.send('WebAuthn.getCredentials', { authenticatorId })
  expect(credentials).toMatchObject([{ rpId: 'localhost', isResidentCredential: true }])
  expect(complaints).toEqual([expect.stringMatching(/^400 POST .*\/api\/passkeys\/options$/)])
  await leave(page)

  // Among the suggestions of the login field: this device takes the only one there is by itself.
  await page.goto('/login')
  await entered()
  // A browser that suggests none has the button.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  await page.goto('/login')
  await page.getByRole('button', { name: 'Entrar com passkey' }).click()
  await entered()
  await context.close()
})

async function enterPassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail ou usuário').fill(email)
  await page.getByLabel('Senha', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
}

/** Another day: the product is not open, and the browser has neither session nor storage. */
async function leave(page: Page): Promise<void> {
  await page.goto(new URL('/favicon.svg', page.url()).href)
  await page.evaluate(() => localStorage.clear())
  await page.context().clearCookies()
}
