import { expect } from '@playwright/test'
import { letter, SHOP } from '#test/channels/mail-end.ts'
import { make } from '#test/make.ts'
import { startImap } from '#test/peers/imap/server.ts'
import { GOOGLE_APP, startMailLogin } from '#test/peers/mail-login.ts'
import { startSmtp } from '#test/peers/smtp.ts'
import { until } from '#test/until.ts'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { button, confirm, toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'

const ANA = 'ana@cliente.example'
const BIA = 'bia@cliente.example'

for (const width of [1440, 390])
  test(`a mailbox is connected by a login, and three persons write in one conversation of mails, at ${width} px`, {
    tag: [
      ...['@connections', '@attendance', '@messages', '@provider-signup', '@auth', '@wide'],
      ...(width === 390 ? ['@wide'] : []),
    ],
  }, async ({ anotherProduct, browser }) => {
    test.setTimeout(120_000)
    const product = await anotherProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
    const login = await startMailLogin({ email: SHOP })
    const imap = await startImap({ user: SHOP, tokens: login.tokens })
    const smtp = await startSmtp({ login: { user: SHOP, password: '' }, tokens: login.tokens })
    Object.assign(product.platform.env, {
      ...login.environment,
      GMAIL_SERVERS: `127.0.0.1:${imap.port},127.0.0.1:${smtp.port}`,
    })
    const made = make(product.platform)
    const admin = await made.user(await made.tenant(), { profile: 'admin' })
    const { page, complaints } = await sitDown(browser, product, admin, {
      viewport: { width, height: 900 },
      ...(width < 600 ? { colorScheme: 'dark' } : {}),
    })

    await test.step('the app at Google is filled in and tried', async () => {
      await page.goto('/configuracoes/webmail')
      await page.getByLabel('Google: ID do cliente').fill(GOOGLE_APP.id)
      const secret = page.getByLabel('Google: chave secreta do cliente')
      await secret.fill('outra')
      await button(page, 'Testar').click()
      await expect(page.getByText(/O Google não aceitou o ID ou a chave do aplicativo/)).toBeVisible()
      await secret.fill(GOOGLE_APP.secret)
      await button(page, 'Testar').click()
      await expect(page.getByText('O provedor respondeu e aceitou os dados.')).toBeVisible()
      await expectAccessible(page, 'main')
      await button(page, 'Salvar').click()
      await expect(toast(page, 'Gmail e Microsoft 365 salvo.')).toBeVisible()
    })
    await test.step('the login leads there and back, and leaves no code behind', async () => {
      await page.getByRole('tab', { name: 'Login' }).click()
      await expectAccessible(page, 'main')
      await button(page, 'Entrar com Google').click()
      await expect(page.getByRole('heading', { name: SHOP })).toBeVisible()
      expect(new URL(page.url()).search).toBe('?aba=login')
      await expect(page.getByLabel('PIN de seis dígitos')).toHaveCount(0)
      await button(page, 'Conectar').click()
      await expect(page.getByText('Pronto: as mensagens desta conta chegam aqui.')).toBeVisible()
      await page.goto('/sessoes')
      const card = page.getByRole('listitem', { name: SHOP, exact: true })
      await expect(card.getByText('Conexão estabelecida')).toBeVisible()
    })
    const desk = attendance(page)
    const head = page.getByRole('group', { name: 'Cabeçalho do e-mail' })
    const field = (name: string) => head.getByRole('textbox', { name, exact: true })

    await test.step('a mail is answered to all who got it', async () => {
      imap.deliver(letter('Preciso da nota', { subject: 'Nota 12', header: `Cc: Bia <${BIA}>` }))
      await page.goto('/atendimento')
      await desk.tab('Pendentes').click()
      await desk.open('Preciso da nota')
      await desk.conversation.getByRole('button', { name: 'Atender' }).last().click()
      await expect(desk.bubble('Preciso da nota').getByText('Nota 12')).toBeVisible()
      await expect(head.getByText('Para: Ana')).toBeVisible()
      await head.getByRole('button', { name: 'Responder a todos' }).click()
      await expect(head.getByText('Para: Ana, Bia')).toBeVisible()
      await desk.say('Segue em anexo')
      await until(() => smtp.mails.length === 1)
      expect(smtp.mails[0]).toMatchObject({ to: [ANA, BIA], read: { subject: 'Re: Nota 12' } })
      await expect(desk.bubble('Segue em anexo').getByText(`Para: Ana <${ANA}>`)).toBeVisible()
    })
    await test.step('the second answers in the same conversation, and is answered', async () => {
      const answers = smtp.mails[0]!.read.messageId!
      imap.deliver(letter('Faltou o CNPJ', { from: `Bia <${BIA}>`, subject: 'Re: Nota 12', answers }))
      await expect(desk.bubble('Faltou o CNPJ')).toBeVisible()
      await expect(head.getByText('Para: Bia')).toBeVisible()
    })
    await test.step('what is wrong with a recipient is said, nothing leaves, and the draft keeps it', async () => {
      await head.getByRole('button', { name: 'Assunto e destinatários' }).click()
      await field('Cco').fill('chefe@')
      await desk.field.fill('Corrigida')
      await desk.field.press('Enter')
      await expect(head.getByText('“chefe@” não é um e-mail válido.')).toBeVisible()
      await expectAccessible(page, 'main')
      await page.reload()
      await expect(field('Cco')).toHaveValue('chefe@')
      await expect(desk.field).toHaveValue('Corrigida')
      await field('Cco').fill('chefe@loja.example')
      await field('Assunto').fill('Nota 12 corrigida')
      await desk.field.press('Enter')
      await until(() => smtp.mails.length === 2)
      expect(smtp.mails[1]).toMatchObject({
        ...{ to: [BIA, 'chefe@loja.example'], read: { subject: 'Nota 12 corrigida', to: [{ address: BIA }] } },
      })
      await expect(field('Cco')).toHaveCount(0)
    })
    await test.step('a mail is passed on to a third, who answers there too', async () => {
      await desk.bubble('Faltou o CNPJ').hover()
      await desk.bubble('Faltou o CNPJ').getByRole('button', { name: 'Opções da mensagem' }).click()
      await page.getByRole('menuitem', { name: 'Encaminhar por e-mail' }).click()
      await expect(field('Assunto')).toHaveValue('Enc: Nota 12')
      await expect(desk.field).toHaveValue(/Mensagem encaminhada -+\nDe: Bia <bia@cliente\.example>/)
      await desk.field.press('Enter')
      await expect(head.getByText('Informe para quem vai o e-mail.')).toBeVisible()
      await field('Para').fill('Contador <contador@fora.example>')
      await desk.field.press('Enter')
      await until(() => smtp.mails.length === 3)
      expect(smtp.mails[2]).toMatchObject({ to: ['contador@fora.example'], read: { subject: 'Enc: Nota 12' } })
      const answers = smtp.mails[2]!.read.messageId!
      imap.deliver(letter('É o 11.222', { from: 'contador@fora.example', subject: 'RE: Enc: Nota 12', answers }))
      await expect(desk.bubble('É o 11.222')).toBeVisible()
    })
    await test.step('a program that a mail brings is downloaded after a warning', async () => {
      const rows = [
        ...[`From: ${ANA}`, `To: ${SHOP}`, 'Subject: Re: Nota 12', 'Message-ID: <fatura@cliente.example>'],
        ...[`In-Reply-To: ${smtp.mails[0]!.read.messageId!}`, 'MIME-Version: 1.0'],
        'Content-Type: application/octet-stream; name="fatura.pdf.exe"',
        ...['Content-Disposition: attachment; filename="fatura.pdf.exe"', 'Content-Transfer-Encoding: base64'],
      ]
      imap.deliver(Buffer.from(`${rows.join('\r\n')}\r\n\r\n${Buffer.from('MZ programa').toString('base64')}\r\n`))
      const card = page.getByRole('button', { name: 'Baixar fatura.pdf.exe, que pode ser perigoso' })
      await card.click()
      await expect(page.getByText('Este arquivo pode ser perigoso')).toBeVisible()
      const [file] = await Promise.all([page.waitForEvent('download'), confirm(page, 'Baixar mesmo assim')])
      expect(file.suggestedFilename()).toBe('fatura.pdf.exe')
      await expectAccessible(page, 'main')
    })
    await test.step('what is taken back may be said again, and the authorization too', async () => {
      login.revoke()
      imap.cut()
      await page.goto('/sessoes')
      const card = page.getByRole('listitem', { name: SHOP, exact: true })
      await expect(card.getByText('O token não vale mais')).toBeVisible()
      await card.getByRole('button', { name: 'Conectar' }).click()
      await expect(toast(page, /Reconecte: entre de novo com a conta/)).toBeVisible()
    })
    // The failed request, with the sentence that explains it.
    expect(complaints).toEqual([expect.stringMatching(/^422 POST .*\/api\/whatsappsession\/\d+$/)])
    await Promise.all([login.close(), imap.close(), smtp.close()])
  })

test('a mailbox of the laboratory writes, is answered, and reads the answer', {
  tag: ['@lab', '@attendance', '@messages'],
}, async ({ anotherProduct, browser }) => {
  const product = await anotherProduct()
  const made = make(product.platform)
  const admin = await made.user(await made.tenant('Loja Cambuí'), { profile: 'admin' })
  const { page, complaints } = await sitDown(browser, product, admin, { viewport: { width: 1440, height: 900 } })
  await page.goto('/laboratorio')
  await button(page, 'Novo telefone').first().click()
  await page.getByRole('combobox', { name: 'Canal' }).click()
  await page.getByRole('option', { name: 'WebMail' }).click()
  await expect(page.getByRole('textbox', { name: 'E-mail' })).toHaveValue('otavio.rezende@cliente.example')
  await expectAccessible(page, '[role=dialog]')
  await page.getByRole('button', { name: /^Criar telefone/ }).click()
  const mailbox = page.getByRole('region', { name: 'Caixa de e-mail de Otávio Rezende' })
  await mailbox.getByLabel('Assunto de Otávio Rezende').fill('Troca do pedido 8842')
  await mailbox.getByLabel('E-mail de Otávio Rezende').fill('A caixa veio amassada.')
  await mailbox.getByRole('button', { name: 'Enviar' }).click()
  await expect(mailbox.getByText('Troca do pedido 8842', { exact: true })).toBeVisible()
  await expectAccessible(page, '[data-phone]')
  await page.goto('/atendimento')
  const desk = attendance(page)
  await desk.tab('Pendentes').click()
  await desk.open('A caixa veio amassada.')
  await desk.conversation.getByRole('button', { name: 'Atender' }).last().click()
  await expect(desk.bubble('A caixa veio amassada.').getByText('Troca do pedido 8842')).toBeVisible()
  await desk.say('Vamos trocar')
  await page.goto('/laboratorio')
  await expect(mailbox.getByText('Vamos trocar')).toBeVisible()
  await expect(mailbox.getByText('Re: Troca do pedido 8842', { exact: true })).toBeVisible()
  await expect(mailbox.getByText('Respondendo: Re: Troca do pedido 8842')).toBeVisible()
  expect(complaints).toEqual([])
})
