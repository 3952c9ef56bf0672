import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { confirm, drawer, toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

type Json = Record<string, unknown>
const say = (id: string, message: string): Json => ({ id, type: 'MessageField', data: { message } })
const answer = (id: string, value: string, rest: Json): Json => ({ id, type: 'R', condition: [value], ...rest })
const step = (id: string, name: string, left: number, rest: Json): Json => {
  return { id, name, type: 'node', left: `${left}px`, top: '60px', interactions: [], conditions: [], ...rest }
}
const shop = (queueId: number): Json => ({
  nodeList: [
    { id: 'start', type: 'start', left: '60px', top: '0px' },
    step('menu', 'Menu', 60, {
      interactions: [say('m', 'Olá, {{firstName}}! Digite 1 para comprar ou 2 para o prazo.')],
      conditions: [answer('c1', '1', { action: 1, queueId }), answer('c2', '2', { action: 0, nextStepId: 'order' })],
    }),
    step('order', 'Pedido', 420, {
      variableKey: 'pedido',
      interactions: [say('o', 'Qual é o pedido?')],
      conditions: [{ id: 'any', type: 'US', action: 0, nextStepId: 'look' }],
    }),
    step('look', 'Consulta', 780, {
      interactions: [
        { id: 'w', type: 'WebhookField', data: { webhook: 'https://loja.example/{{pedido}}', saveAs: 'loja' } },
        say('t', 'Chega em {{loja.dias|alguns}} dias.'),
      ],
      conditions: [{ id: 'end', type: 'US', action: 3, closeTicket: 'Até logo!' }],
    }),
  ],
  lineList: [{ from: 'start', to: 'menu' }],
})

const simulator = (page: Page) => page.getByRole('complementary', { name: 'Simulador' })
const write = async (page: Page, text: string) => {
  await simulator(page).getByRole('textbox', { name: 'Responder como o contato' }).fill(text)
  await page.keyboard.press('Enter')
}
const drawn = (page: Page, name: string) =>
  page.locator('.react-flow__node-step').filter({ has: page.getByText(name, { exact: true }) })
const more = async (page: Page, command: string) => {
  await page.getByRole('button', { name: 'Mais do fluxo' }).click()
  await page.getByRole('menuitem', { name: command }).click()
}
const log = (page: Page) => simulator(page).getByRole('log')

test('a draft is talked to, its talks become cases that keep it from being published, and a version is tried on a part', {
  tag: ['@flows', '@lab', '@wide'],
}, async ({ product, browser }) => {
  test.slow()
  const { ask, admin, made, tenantId } = await company(product)
  const queueId = await made.queue(tenantId, { queue: 'Vendas' })
  const { id } = await ask<{ id: number }>('POST', '/chat-flow', { name: 'Loja' })
  await ask('PUT', `/chat-flow-import/${id}`, shop(queueId))
  const { page, complaints, context } = await sitDown(browser, product, admin, { reducedMotion: 'reduce' })
  await page.goto('/laboratorio')
  await page.getByRole('button', { name: 'Novo telefone' }).click()
  await page.getByRole('button', { name: /Criar telefone/ }).click()
  await expect(page.getByRole('region', { name: /^Telefone de/ })).toBeVisible({ timeout: 30_000 })
  await product.platform.db.write(tenantId, (db) => db.updateTable('connections').set({ chat_flow_id: id }).execute())

  // The draft answers, says what decided, and asks what an outside system would answer; the way is lit.
  await page.goto(`/chat-flow/builder?id=${id}`)
  await page.getByRole('button', { name: 'Simulador' }).click()
  await expect(log(page)).toContainText('Olá, Maria! Digite 1 para comprar')
  await expect(simulator(page)).toContainText('como Maria Souza')
  await expect(simulator(page).getByText('firstName', { exact: true })).toBeVisible()
  await expect(drawn(page, 'Menu').getByRole('img', { name: 'A conversa passou por aqui' })).toHaveCount(1)
  await write(page, '2')
  await expect(log(page)).toContainText('A resposta corresponde a “2” em “Menu”. Segue em “Pedido”.')
  await expect(page.locator('.react-flow__edge.lit')).toHaveCount(2)
  await write(page, '77')
  await expect(log(page)).toContainText('GET https://loja.example/77')
  await expectAccessible(page)
  await log(page).getByRole('textbox', { name: 'Com' }).fill('{"dias":"5"}')
  await log(page).getByRole('button', { name: 'Responder' }).click()
  await expect(log(page)).toContainText('Chega em 5 dias.')
  await expect(simulator(page).getByText('pedido', { exact: true })).toBeVisible()

  // Back and forth; the clock advances; nothing of it is stored.
  await simulator(page).getByRole('button', { name: 'Voltar um passo' }).click()
  await expect(log(page)).not.toContainText('Chega em')
  await simulator(page).getByRole('button', { name: 'Avançar um passo' }).click()
  await expect(log(page)).toContainText('Chega em 5 dias.')
  await simulator(page).getByRole('button', { name: 'Passar o tempo' }).click()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: '1 hora depois' }).click()
  await write(page, 'obrigado')
  await expect(log(page)).toContainText('Encerra o atendimento')
  const stored = await product.platform.db.read(tenantId, (db) => db.selectFrom('flow_sessions').select('id').execute())
  expect(stored).toEqual([])

  // Whom it talks to, and over what, is chosen.
  await simulator(page).getByRole('button', { name: 'Com quem, por onde e quando' }).click()
  await simulator(page).getByRole('combobox', { name: 'Canal' }).click()
  await page.getByRole('option', { name: 'Webchat' }).click()
  // Nothing in this flow asks whether it is the first one: the case below knows it all the same.
  await simulator(page).getByText('É o primeiro atendimento do contato').click()
  await expect(log(page)).toContainText('Encerra o atendimento')
  await expectAccessible(page)

  // One click makes it a case, which shows what no case goes through.
  await simulator(page).getByRole('button', { name: 'Salvar como caso' }).click()
  await expectAccessible(page)
  await drawer(page).getByRole('textbox', { name: 'Nome' }).fill('Prazo do pedido')
  await drawer(page).getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page, 'Caso salvo')).toBeVisible()
  expect(await ask('GET', `/chat-flow/${id}/cases`)).toMatchObject({ cases: [{ known: { isFirstTicket: true } }] })
  await page.getByRole('button', { name: 'Publicar', exact: true }).click()
  await expect(toast(page, 'Versão 1 publicada')).toBeVisible()
  await more(page, 'Casos')
  const panel = page.getByRole('complementary').first()
  await expect(panel).toContainText('Eles percorrem 3 de 3 etapas e 3 de 4 caminhos.')
  await expect(drawn(page, 'Menu').getByRole('img', { name: 'Nenhum caso passa por aqui' })).toHaveCount(1)
  await expect(page.locator('.react-flow__edge.uncovered')).toHaveCount(1)
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Fechar o painel' }).click()
  await simulator(page).getByRole('button', { name: 'Fechar o simulador' }).click()

  // A customer begins on version 1, and stays on it.
  const customer = async (text: string) => {
    await page.goto('/laboratorio')
    await page.getByRole('textbox', { name: /^Mensagem de/ }).fill(text)
    await page.keyboard.press('Enter')
  }
  const phone = page.getByRole('region', { name: /^Telefone de/ })
  await customer('Oi')
  await expect(phone.getByText(/^Olá, .*Digite 1 para comprar/)).toBeVisible()

  // The draft goes otherwise now: the case fails and keeps it from being published.
  await page.goto(`/chat-flow/builder?id=${id}`)
  await drawn(page, 'Consulta').click()
  await page.keyboard.press('Delete')
  await drawn(page, 'Pedido').click()
  await panel
    .getByRole('button', { name: /^Enviar mensagem/ })
    .first()
    .waitFor()
  await panel.getByRole('textbox', { name: 'Mensagem' }).fill('Diga o número do pedido.')
  await panel.getByRole('tab', { name: /Condições/ }).click()
  await panel.getByRole('button', { name: /^Qualquer resposta/ }).click()
  await panel.getByRole('combobox', { name: 'Então', exact: true }).click()
  await page.getByRole('option', { name: 'Mandar para a fila', exact: true }).click()
  await panel.getByRole('combobox', { name: 'Fila', exact: true }).click()
  await page.getByRole('option', { name: 'Vendas', exact: true }).click()
  await expect(page.getByRole('button', { name: '1 caso não passa' })).toBeVisible()
  await page.getByRole('button', { name: 'Publicar', exact: true }).click()
  await expect(panel).toContainText('1 caso não passa no rascunho: enquanto isso, ele não é publicado.')
  await expect(panel).toContainText('Esperado Menu → Pedido → look')
  await expect(panel).toContainText('Aconteceu Menu → Pedido')
  await expectAccessible(page)
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.startsWith('422')))
  await page.getByRole('button', { name: '1 caso não passa' }).click()
  await panel.getByRole('button', { name: 'Prazo do pedido' }).click()
  await panel.getByRole('button', { name: 'Abrir no simulador' }).click()
  await expect(log(page)).toContainText('Vai para a fila Vendas')
  await simulator(page).getByRole('button', { name: 'Fechar o simulador' }).click()
  await panel.getByRole('button', { name: 'Ações de Prazo do pedido' }).click()
  await page.getByRole('menuitem', { name: 'Excluir…' }).click()
  await confirm(drawer(page), 'Excluir caso')
  await expect(toast(page, 'Caso excluído')).toBeVisible()

  // A part of the new conversations tries it; what differs is said and painted.
  await more(page, 'Publicar para uma parte…')
  await expectAccessible(page)
  await drawer(page).getByRole('button', { name: 'Publicar' }).click()
  await expect(toast(page, 'Versão 2 publicada para 5 % das conversas novas')).toBeVisible()
  await more(page, 'Versões')
  await expect(panel.getByRole('listitem')).toContainText([/Versão 2.*5 % das novas/, /Versão 1.*Publicada/])
  await panel.getByRole('button', { name: 'Comparar a versão 1' }).click()
  await expect(panel.getByRole('list', { name: 'Diferenças' })).toContainText('Etapa excluída: “Consulta”')
  await expect(panel.getByRole('list', { name: 'Diferenças' })).toContainText('Diga o número do pedido.')
  await expect(drawn(page, 'Consulta').getByRole('img', { name: 'Excluído' })).toBeVisible()
  await expect(drawn(page, 'Pedido').getByRole('img', { name: 'Alterado' })).toBeVisible()
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Voltar às versões' }).click()
  await panel.getByRole('button', { name: 'Para todos' }).click()
  await confirm(drawer(page), 'Publicar para todos')
  await expect(toast(page, 'Versão 2 publicada').last()).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Para todos' })).toHaveCount(0)

  // Conversations begun before continue in the old version; restoring it creates a new one.
  await customer('2')
  await expect(phone.getByText('Qual é o pedido?')).toBeVisible()
  await page.goto(`/chat-flow/builder?id=${id}`)
  await more(page, 'Versões')
  await panel.getByRole('button', { name: 'Restaurar a versão 1' }).click()
  await confirm(drawer(page), 'Restaurar a versão 1')
  await expect(toast(page, 'Versão 3 publicada')).toBeVisible()
  await expect(drawn(page, 'Consulta')).toBeVisible()

  // That conversation is replayed on another draft, which would have ended it: it becomes a case to preserve.
  await drawn(page, 'Pedido').click()
  await page.keyboard.press('Delete')
  await more(page, 'Repetir conversas')
  await panel.getByRole('button', { name: 'Repetir no rascunho' }).click()
  await expect(panel.getByRole('status')).toContainText('1 conversa repetida')
  await expectAccessible(page)
  await panel.getByRole('button', { name: '1: Ficam paradas, ver lado a lado' }).click()
  await expect(drawer(page).getByRole('region', { name: 'Como foi' })).toContainText('Menu → Pedido')
  await expect(drawer(page).getByRole('region', { name: 'No rascunho' })).not.toContainText('Qual é o pedido?')
  await expectAccessible(page)
  await drawer(page).getByRole('button', { name: 'Salvar como caso' }).click()
  await expect(toast(page, 'Caso salvo')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: /1 caso não passa/ })).toBeVisible()

  // Paths are counted on the version that people followed, and open their conversations.
  await more(page, 'Números')
  await panel.getByRole('combobox', { name: 'Versão' }).click()
  await page.getByRole('option', { name: 'Versão 1' }).click()
  await expect(panel.getByRole('status')).toContainText('1 conversa neste período.')
  await expect(drawn(page, 'Menu')).toContainText('1 visita')
  await expect(drawn(page, 'Menu')).toContainText('100 %')
  await expectAccessible(page)
  await drawn(page, 'Menu').click()
  await panel.getByRole('button', { name: /: 2 → Pedido, ver as conversas$/ }).click()
  await expectAccessible(page)
  const ticket = drawer(page).getByRole('list', { name: 'Conversas' }).getByRole('link')
  const href = await ticket.getAttribute('href')

  // The bot's message shows its reason, and makes a case of the conversation.
  await page.goto(href!)
  const said = page.getByRole('log', { name: 'Mensagens' }).getByRole('article').filter({ hasText: 'Qual é o pedido?' })
  await said.hover()
  await said.getByRole('button', { name: 'Opções da mensagem' }).click()
  await page.getByRole('menuitem', { name: 'Por que o chatbot fez isso?' }).click()
  await expect(drawer(page).getByRole('listitem').last()).toContainText('Daqui veio a mensagem.')
  await expectAccessible(page)
  await drawer(page).getByRole('button', { name: 'Salvar como caso' }).click()
  await drawer(page).getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page, 'Caso salvo')).toBeVisible()
  expect(complaints).toEqual([])
  await context.close()
})

test('who else has the flow open is shown; steps are copied into another flow, found, and gone through on a phone', {
  tag: ['@flows', '@wide'],
}, async ({ product, browser }) => {
  const { ask, admin, made, tenantId } = await company(product)
  const queueId = await made.queue(tenantId, { queue: 'Vendas' })
  const { id } = await ask<{ id: number }>('POST', '/chat-flow', { name: 'Loja' })
  await ask('PUT', `/chat-flow-import/${id}`, shop(queueId))
  const { id: other } = await ask<{ id: number }>('POST', '/chat-flow', { name: 'Outro' })
  const bia = await made.user(tenantId, { profile: 'super', name: 'Bia Lima' })
  const options = { reducedMotion: 'reduce' as const, permissions: ['clipboard-read', 'clipboard-write'] }
  const desks = [await sitDown(browser, product, admin, options), await sitDown(browser, product, bia, options)]
  const [ana, colleague] = desks.map((desk) => desk.page) as [Page, Page]
  await ana.goto(`/chat-flow/builder?id=${id}`)
  await expect(drawn(ana, 'Menu')).toBeVisible()
  await colleague.goto(`/chat-flow/builder?id=${id}`)
  await expect(ana.getByRole('img', { name: 'Bia Lima também está neste fluxo' })).toBeVisible()
  await expect(colleague.getByRole('img', { name: 'Ana Souza também está neste fluxo' })).toBeVisible()
  // The colleague's change appears once it is saved.
  await drawn(colleague, 'Pedido').click()
  await colleague.getByRole('tab', { name: 'Ajustes' }).click()
  await colleague.getByRole('textbox', { name: 'Nome da etapa' }).fill('Número')
  await expect(drawn(ana, 'Número')).toBeVisible()
  await expect(ana.getByText(/^Bia Lima salvou às/)).toBeVisible()
  await colleague.getByRole('button', { name: 'Desfazer' }).click()
  await expect(drawn(ana, 'Pedido')).toBeVisible()
  await colleague.getByRole('link', { name: 'Voltar aos chatbots' }).click()
  await expect(ana.getByRole('img', { name: 'Bia Lima também está neste fluxo' })).toHaveCount(0)

  // Found by what it says; copied by the keyboard, pasted into another flow.
  await ana.getByRole('combobox', { name: 'Buscar etapa' }).fill('Qual é o pedido')
  await ana.getByRole('option', { name: /^Pedido/ }).click()
  await expect(ana.getByRole('complementary').getByRole('heading', { name: 'Pedido' })).toBeVisible()
  await ana.locator('.react-flow__node-step.selected').focus()
  await ana.keyboard.press('Control+c')
  await expect(toast(ana, '1 etapa na área de transferência')).toBeVisible()
  await ana.goto(`/chat-flow/builder?id=${other}`)
  await drawn(ana, 'Boas vindas!').focus()
  await ana.keyboard.press('Control+v')
  await expect(drawn(ana, 'Pedido')).toBeVisible()
  // The arrows move what is chosen.
  const before = await drawn(ana, 'Pedido').boundingBox()
  await ana.locator('.react-flow__node-step.selected').focus()
  for (let n = 0; n < 4; n++) await ana.keyboard.press('ArrowDown')
  await expect.poll(async () => (await drawn(ana, 'Pedido').boundingBox())!.y).toBeGreaterThan(before!.y)

  // On a phone the simulator and the cases fill the screen, and the list shows the steps that no case covers.
  await ana.setViewportSize({ width: 390, height: 844 })
  await ana.goto(`/chat-flow/builder?id=${id}`)
  await ana.getByRole('button', { name: 'Simulador' }).click()
  await write(ana, '1')
  await expect(log(ana)).toContainText('Vai para a fila Vendas')
  await expectAccessible(ana)
  await simulator(ana).getByRole('button', { name: 'Salvar como caso' }).click()
  await drawer(ana).getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(ana, 'Caso salvo')).toBeVisible()
  await simulator(ana).getByRole('button', { name: 'Fechar o simulador' }).click()
  await expect(ana.getByRole('list', { name: 'Etapas do fluxo' })).toBeVisible()
  await more(ana, 'Casos')
  await expect(ana.getByRole('complementary')).toContainText('Eles percorrem 1 de 3 etapas e 1 de 4 caminhos.')
  await expectAccessible(ana)
  expect(await ana.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  for (const { complaints, context } of desks) {
    expect(complaints).toEqual([])
    await context.close()
  }
})
