import { expect } from '@playwright/test'
import { appSettings } from '#test/meta-company.ts'
import { startMeta } from '#test/peers/meta/graph.ts'
import { until } from '#test/until.ts'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { drawer, toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

const HOUR = 3_600_000
const ana = { number: '5511988887777', name: 'Ana Souza' }

for (const width of [1440, 390])
  test(`settings, login, number, template, conversation: a company never opens its provider’s panel, at ${width} px`, {
    tag: ['@provider-numbers', '@provider-signup', '@message-templates', '@attendance', '@messages', '@wide'],
  }, async ({ anotherProduct, browser }) => {
    test.setTimeout(180_000)
    const meta = await startMeta()
    const product = await anotherProduct()
    Object.assign(product.platform.env, { META_GRAPH_URL: meta.address, META_LOGIN_URL: meta.address })
    try {
      const { tenantId, admin } = await company(product)
      const desk = await sitDown(browser, product, admin, {
        viewport: { width, height: 900 },
        ...(width < 600 ? { colorScheme: 'dark' } : {}),
      })
      const { page, complaints } = desk
      const tab = (name: string) => page.getByRole('tab', { name }).click()

      await test.step('the app is filled in, and its address shown', async () => {
        await page.goto('/configuracoes/meta')
        const { appId, appSecret, verifyToken } = appSettings(meta)
        await page.getByLabel('ID do aplicativo').fill(appId)
        await page.getByRole('textbox', { name: 'Chave secreta do aplicativo' }).fill(appSecret)
        await page.getByRole('textbox', { name: 'Token de verificação do webhook' }).fill(verifyToken)
        await page.getByLabel('ID da configuração de login').fill('cfg-1')
        await page.getByRole('button', { name: 'Salvar' }).click()
        const address = page.getByLabel('Endereço para o provedor (webhook)')
        await expect(address).toHaveValue(/\/api\/hooks\/[\w-]{22}$/)
        meta.state.callback = await address.inputValue()
        await expectAccessible(page, 'main')
      })

      await test.step('a login at the provider leads back, and its number is connected and registered', async () => {
        await tab('Facebook Login')
        await page.getByRole('button', { name: 'Entrar com Facebook Login' }).click()
        await expect(page.getByRole('heading', { name: meta.app.display })).toBeVisible()
        expect(new URL(page.url()).search).toBe('?aba=login')
        await page.getByLabel('PIN de seis dígitos').fill('123')
        await page.getByRole('button', { name: 'Conectar', exact: true }).click()
        await expect(page.getByText('Informe os seis dígitos do PIN.')).toBeVisible()
        await expectAccessible(page, 'main')
        await page.getByLabel('PIN de seis dígitos').fill('123456')
        await page.getByRole('button', { name: 'Conectar', exact: true }).click()
        await expect(page.getByText('Pronto: as mensagens desta conta chegam aqui.')).toBeVisible()
        expect(meta.number.state.pin).toBe('123456')
      })

      await test.step('the number says how it stands; a fall is told at once and stays in its history', async () => {
        await tab('Números e contas')
        await expect(page.getByText('1.000 contatos por dia')).toBeVisible()
        Object.assign(meta.number.state, { quality_rating: 'RED', messaging_limit_tier: 'TIER_250' })
        await meta.tellAccount('phone_number_quality_update', { event: 'DOWNGRADE', current_limit: 'TIER_250' })
        await expect(toast(page, 'A qualidade de “Empório” caiu para baixa')).toBeVisible()
        await expect(page.getByText('250 contatos por dia', { exact: true })).toBeVisible()
        await expectAccessible(page, 'main')
        // On a phone warnings cover the card until they are closed.
        const warnings = page.getByRole('button', { name: 'Fechar aviso' })
        while ((await warnings.count()) > 0) await warnings.first().click()
        await page.getByRole('button', { name: 'Ações de Empório' }).click()
        await expect(page.getByRole('menu')).toBeVisible()
        await expectAccessible(page, '[role=menu]')
        await page.getByRole('menuitem', { name: 'Histórico' }).click()
        const history = page.getByRole('dialog', { name: 'Histórico de “Empório”' })
        await expect(history.getByText('Alta → Baixa')).toBeVisible()
        await expectAccessible(page, '[role=dialog]')
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: 'Ações de Empório' }).click()
        await page.getByRole('menuitem', { name: 'Perfil e foto' }).click()
        await expect(drawer(page).getByLabel('Recado')).toHaveValue('Tudo para a casa')
        await drawer(page).getByLabel('Recado').fill('Aberto até as 20h')
        await drawer(page).getByLabel('Sites').fill('emporio.test')
        await drawer(page).getByRole('button', { name: 'Salvar' }).click()
        await expect(drawer(page).getByText('Informe um endereço que comece com https://.')).toBeVisible()
        await expectAccessible(page, '[role=dialog]')
        await drawer(page).getByLabel('Sites').fill('https://emporio.test')
        await drawer(page).getByRole('button', { name: 'Salvar' }).click()
        await expect(toast(page, 'Perfil salvo')).toBeVisible()
        expect(meta.number.state.profile).toMatchObject({
          about: 'Aberto até as 20h',
          websites: ['https://emporio.test'],
        })
      })

      await test.step('a template is written, judged and tried', async () => {
        await tab('Templates')
        await page.getByRole('button', { name: 'Novo modelo' }).first().click()
        const form = drawer(page)
        await form.getByRole('textbox', { name: 'Nome' }).fill('Volta Já')
        await expect(form.getByRole('textbox', { name: 'Nome' })).toHaveValue('volta_ja')
        await form.getByText('Texto', { exact: true }).first().click()
        await form.getByLabel('Título').fill('Saudades')
        await form.getByRole('textbox', { name: 'Texto', exact: true }).fill('Olá ')
        await form.getByRole('button', { name: 'Inserir variável' }).click()
        await form.getByRole('button', { name: 'Adicionar botão' }).click()
        await expect(page.getByRole('menu')).toBeVisible()
        await expectAccessible(page, '[role=menu]')
        await page.getByRole('menuitem', { name: 'Resposta rápida' }).click()
        await form.getByRole('button', { name: 'Enviar para análise' }).click()
        await expect(form.getByText('O texto não começa nem termina com uma variável.')).toBeVisible()
        await expect(form.getByText('Dê um exemplo do valor.')).toBeVisible()
        await expect(form.getByText('Escreva o texto do botão.')).toBeVisible()
        await expectAccessible(page, '[role=dialog]')
        await form.getByRole('textbox', { name: 'Texto', exact: true }).fill('Olá {{1}}, podemos continuar?')
        await form.getByRole('textbox', { name: '{{1}}' }).fill('Bia')
        await form.getByLabel('Texto do botão').fill('Sim')
        const preview = form.getByRole('group', { name: 'Como será lido' })
        await expect(preview).toContainText('Olá Bia, podemos continuar?')
        await form.getByRole('button', { name: 'Enviar para análise' }).click()
        await expect(toast(page, 'Modelo enviado para análise')).toBeVisible()
        await expect(page.getByText('Em análise', { exact: true })).toBeVisible()
        const [made] = [...meta.templates.all.values()]
        Object.assign(made!, { status: 'APPROVED' })
        const told = { event: 'APPROVED', message_template_id: made!.id, reason: 'NONE' }
        await meta.tellTemplate('message_template_status_update', told)
        await expect(page.getByText('Aprovado', { exact: true })).toBeVisible()
        await expectAccessible(page, 'main')
        await page.getByRole('button', { name: 'Mais ações' }).first().click()
        await page.getByRole('menuitem', { name: 'Testar em um número…' }).click()
        const trial = page.getByRole('dialog', { name: 'Testar “volta_ja”' })
        await trial.getByRole('textbox', { name: 'Número de WhatsApp' }).fill('11977776666')
        await expectAccessible(page, '[role=dialog]')
        await trial.getByRole('button', { name: 'Enviar teste' }).click()
        await until(async () => meta.taken.some(({ to }) => to === '5511977776666'))
      })

      await test.step('a customer writes, chooses from a list, and is taken up again by the template when the window is closed', async () => {
        await meta.write(ana, { type: 'text', text: { body: 'Olá' } })
        const row = () =>
          product.platform.db.read(tenantId, (db) => db.selectFrom('tickets').select('id').executeTakeFirst())
        await until(async () => (await row()) !== undefined)
        const { id } = (await row())!
        await product.platform.db.write(tenantId, (db) =>
          db.updateTable('tickets').set({ status: 'open', user_id: admin.id }).where('id', '=', id).execute(),
        )
        await page.goto('/atendimento')
        const at = attendance(page)
        await at.open('Ana Souza')
        // A list goes out, and the row that is chosen comes back.
        const more = width < 600 ? 'Adicionar' : 'Contato, localização, botões ou macro'
        await page.getByRole('button', { name: more, exact: true }).click()
        await page.getByRole('menuitem', { name: 'Mensagem interativa' }).click()
        const asking = page.getByRole('dialog', { name: 'Mensagem interativa' })
        await asking.getByRole('combobox', { name: 'Tipo' }).click()
        await page.getByRole('option', { name: 'Lista de opções' }).click()
        await asking.getByRole('textbox', { name: 'Título (opcional)' }).fill('Entrega')
        await asking.getByRole('textbox', { name: 'Mensagem' }).fill('Quando pode receber?')
        await asking.getByRole('textbox', { name: 'Opção 1', exact: true }).fill('De manhã')
        await asking.getByRole('button', { name: 'Adicionar opção' }).click()
        await asking.getByRole('textbox', { name: 'Opção 2', exact: true }).fill('À tarde')
        await expectAccessible(page, '[role=dialog]')
        expect(await asking.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0)
        await asking.getByRole('button', { name: 'Enviar' }).click()
        await expect(asking).toBeHidden()
        await expect(at.bubble('Quando pode receber?')).toContainText('À tarde')
        const listed = () => meta.taken.find(({ interactive }) => interactive?.type === 'list')
        await until(async () => listed() !== undefined)
        const chosen = listed()!.interactive!.action.sections![0]!.rows[1]!
        await meta.write(ana, {
          ...{ type: 'interactive', interactive: { type: 'list_reply', list_reply: chosen } },
          context: { id: listed()!.wamid, from: meta.app.display },
        })
        // The provider's times have whole seconds: the reply of that second may precede it in the list.
        const answer = at.messages.getByRole('article', { name: /do contato/ }).filter({ hasText: 'À tarde' })
        await expect(answer).toBeVisible()
        const ago = new Date(Date.now() - 24 * HOUR)
        meta.lastInbound.set(ana.number, ago.getTime())
        await product.platform.db.write(tenantId, (db) =>
          db.updateTable('tickets').set({ last_message_received_at: ago }).where('id', '=', id).execute(),
        )
        await page.reload()
        await page.getByRole('button', { name: 'Escolher modelo' }).click()
        const dialog = page.getByRole('dialog', { name: 'Enviar modelo' })
        await dialog.getByRole('combobox', { name: 'Modelo' }).click()
        await page.getByRole('option', { name: 'volta_ja · pt_BR' }).click()
        await dialog.getByLabel('{{1}}').fill('{{firstName}}')
        await expectAccessible(page, '[role=dialog]')
        await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
        await until(async () =>
          meta.taken.some(({ to, template }) => to === ana.number && template?.name === 'volta_ja'),
        )
        await meta.write(ana, { type: 'text', text: { body: 'Sim' } })
        await expect(at.bubble('Sim').last()).toBeVisible()
        expect(meta.outside).toEqual([])
      })
      expect(complaints).toEqual([])
    } finally {
      await meta.close()
    }
  })

test('the laboratory’s official phone presses what it is sent, and answers the template that takes it up again', {
  tag: ['@lab', '@message-templates', '@wide'],
}, async ({ anotherProduct, browser }) => {
  test.setTimeout(180_000)
  const product = await anotherProduct()
  const { admin, accept, ask, tenantId } = await company(product)
  const { page, complaints } = await sitDown(browser, product, admin)
  const said = (body: string) =>
    until(async () => {
      const find = product.platform.db.read(tenantId, (db) =>
        db.selectFrom('messages').select('id').where('body', '=', body).where('from_me', '=', false).execute(),
      )
      return (await find).length === 1
    })
  await page.goto('/laboratorio')
  await page.getByRole('button', { name: 'Novo telefone' }).click()
  await page.getByRole('combobox', { name: 'Canal' }).click()
  await page.getByRole('option', { name: 'WhatsApp oficial' }).click()
  await page.getByRole('button', { name: /Criar telefone/ }).click()
  const phone = page.getByRole('region', { name: /^Telefone de/ })
  await phone.getByRole('textbox', { name: /^Mensagem de/ }).fill('Boa tarde!')
  await page.keyboard.press('Enter')
  await said('Boa tarde!')
  const ticketId = await accept()
  const link = { text: 'Ver pedido', url: 'https://loja.test/p/1' }
  await ask('POST', '/sendButton', { ticketId, type: 'cta_url', body: 'Acompanhe', link })
  await expect(phone.getByRole('link', { name: 'Ver pedido' })).toHaveAttribute('href', link.url)
  await ask('POST', '/sendButton', { ticketId, type: 'location_request', body: 'Onde entregamos?' })
  await phone.getByRole('button', { name: 'Enviar localização' }).click()
  await expect(phone.getByText(/Largo do Rosário/)).toBeVisible()
  const fault = page.getByRole('button', { name: 'Janela fechada' })
  await fault.click()
  await expect(fault).toHaveAttribute('aria-pressed', 'true')
  const template = { name: 'retomada', language: 'pt_BR', values: { 1: 'Otávio' } }
  await ask('POST', `/messages/${ticketId}`, { idFront: crypto.randomUUID(), template })
  await expect(phone.getByText('Olá Otávio, podemos continuar a nossa conversa?')).toBeVisible()
  await expectAccessible(page, 'main')
  await phone.getByRole('button', { name: 'Sim', exact: true }).click()
  await said('Sim')
  await expect(fault).toHaveAttribute('aria-pressed', 'false')
  expect(complaints).toEqual([])
})
