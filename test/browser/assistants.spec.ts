import { expect } from '@playwright/test'
import { lookForWarnings } from '#features/assistants/server/warnings.ts'
import { does, flowOf, node, toQueue } from '#test/flow-steps.ts'
import { startAssistants } from '#test/peers/assistants.ts'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { button, drawer, toast } from './pages/parts.ts'
import { settled, sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

for (const width of [1440, 390])
  test(`key, Testar, answered, a person takes over, at ${width} px`, {
    tag: ['@assistants', '@attendance', '@wide'],
  }, async ({ anotherProduct, browser }) => {
    test.setTimeout(120_000)
    const peer = await startAssistants()
    const product = await anotherProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
    try {
      const { hear, people, messagesOf } = await shop(product)
      const lead = await sitDown(browser, product, people.admin, {
        viewport: { width, height: 900 },
        ...(width < 600 ? { colorScheme: 'dark' } : {}),
      })
      const { page: desk, complaints } = lead
      await desk.goto('/configuracoes/ollama')
      await expect(desk.getByText('Nenhuma conta de Ollama')).toBeVisible()
      await expectAccessible(desk, 'main')
      await desk.goto('/configuracoes/claude')
      await button(desk, 'Conectar').click()
      await drawer(desk).getByRole('textbox', { name: 'Nome' }).fill('Atendente virtual')
      await drawer(desk).getByRole('textbox', { name: 'Endereço da API' }).fill(`${peer.address}/v1`)
      await desk.keyboard.press('Control+Enter')
      await expect(drawer(desk)).toContainText('Preencha este campo.')
      await drawer(desk).getByLabel('Chave da API').fill('sk-ant-segredo')
      await drawer(desk).getByRole('textbox', { name: 'Modelo' }).fill('claude-x')
      await settled(desk)
      await expectAccessible(desk)
      await desk.keyboard.press('Control+Enter')
      await expect(toast(desk, 'Conta salva')).toBeVisible()

      await desk.getByRole('textbox', { name: /^Pergunta de teste/ }).fill('Vocês abrem aos sábados?')
      await button(desk, 'Testar').click()
      await expect(desk.getByText('Resposta a: Vocês abrem aos sábados?')).toBeVisible()
      await expect(desk.getByText('11 tokens de entrada, 7 de saída')).toBeVisible()
      await desk.getByRole('combobox', { name: 'Quem responde em Balcão' }).click()
      await desk.getByRole('option', { name: 'Atendente virtual' }).click()
      await expect(toast(desk, 'Balcão')).toBeVisible()
      await settled(desk)
      await expectAccessible(desk, 'main')

      const { page } = await sitDown(browser, product, people.ana, { viewport: { width, height: 900 } })
      await page.goto('/atendimento/chats')
      const { row, tab, open, say, conversation } = attendance(page)
      await tab('Pendentes').click()
      await hear('Marlene', 'Quanto custa o bolo?')
      await expect(row('Marlene').getByRole('img', { name: 'Integração Externa' })).toBeVisible({ timeout: 15_000 })
      await expect(row('Marlene')).toContainText('Resposta a: Quanto custa o bolo?', { timeout: 15_000 })
      await row('Marlene').hover()
      await page.getByRole('button', { name: 'Ações de Marlene' }).click()
      await page.getByRole('menuitem', { name: 'Por que o assistente respondeu isso?' }).click()
      const why = page.getByRole('dialog', { name: 'Por que o assistente respondeu isso?' })
      await expect(why).toContainText('Atendente virtual')
      await expect(why).toContainText('claude-x')
      await settled(page)
      await expectAccessible(page)
      await page.keyboard.press('Escape')

      await open('Marlene')
      await conversation.getByRole('button', { name: 'Atender' }).last().click()
      await say('Oi, sou a Ana')
      await hear('Marlene', 'Oi, Ana')
      await expect(page.getByText('Oi, Ana').last()).toBeVisible()
      expect((await messagesOf('Marlene')).filter(({ send_type }) => send_type === 'bot')).toHaveLength(1)
      expect(peer.asked()).toHaveLength(2)
      expect(complaints).toEqual([])
    } finally {
      await peer.close()
    }
  })

test('a returned conversation is the assistant’s again, the copilot helps, a flow has it answer, and a used-up budget leaves it to people', {
  tag: ['@assistants', '@attendance', '@flows', '@wide'],
}, async ({ anotherProduct, browser }) => {
  test.setTimeout(180_000)
  const peer = await startAssistants()
  const product = await anotherProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
  try {
    const { ask, hear, people, messagesOf, ticketOf, otherQueueId, queueId } = await shop(product)
    const { config, secrets } = peer.filled['claude']!
    const prices = { inputPrice: 1000, outputPrice: 1000 }
    const account = await ask<{ id: number }>('POST', '/assistants', {
      ...{ provider: 'claude', name: 'Robô', secrets, config: { ...config, ...prices, waitSeconds: 0 } },
    })
    await hear('Marlene', 'Bom dia')
    const { connection_id: connectionId } = await ticketOf('Marlene')
    await ask('PUT', `/whatsapp/${connectionId}/assistants`, { assistantId: account.id })
    const byBot = async (name: string) => (await messagesOf(name)).filter(({ send_type }) => send_type === 'bot')

    const { page, complaints } = await sitDown(browser, product, people.ana)
    await page.goto('/atendimento/chats')
    const { tab, open, say, conversation, field } = attendance(page)
    await test.step('silent while a person answers, and back when the conversation is', async () => {
      await hear('Rita', 'Tem bolo?')
      await expect.poll(async () => (await byBot('Rita')).length).toBe(1)
      await tab('Pendentes').click()
      await open('Rita')
      await conversation.getByRole('button', { name: 'Atender' }).last().click()
      await say('Oi, sou a Ana')
      await hear('Rita', 'Oi, Ana')
      await page.getByRole('button', { name: 'Mais ações do atendimento' }).click()
      await page.getByRole('menuitem', { name: 'Devolver à fila' }).click()
      await expect.poll(async () => (await ticketOf('Rita')).status).toBe('pending')
      expect(await byBot('Rita')).toHaveLength(1)
      await hear('Rita', 'E de cenoura?')
      await expect.poll(async () => (await byBot('Rita')).at(-1)?.body).toContain('E de cenoura?')
    })

    await test.step('the copilot writes, a person changes and takes it; nothing is sent', async () => {
      peer.state.reply = () => 'Temos de cenoura.'
      await conversation.getByRole('button', { name: 'Atender' }).last().click()
      await page.getByRole('button', { name: 'Mais ações do atendimento' }).click()
      await page.getByRole('menuitem', { name: 'Copiloto' }).click()
      const copilot = page.getByRole('dialog', { name: 'Copiloto na conversa com Rita' })
      await button(page, 'Pedir').click()
      const answer = copilot.getByRole('textbox', { name: 'Depois' })
      await expect(answer).toHaveValue('Temos de cenoura.')
      await answer.fill('Temos de cenoura e de milho.')
      await settled(page)
      await expectAccessible(page)
      await button(page, 'Usar no campo').click()
      await expect(field).toHaveValue('Temos de cenoura e de milho.')
      expect((await messagesOf('Rita')).map(({ body }) => body)).not.toContain('Temos de cenoura e de milho.')
      await button(page, 'Desfazer').click()
      await expect(field).toHaveValue('')
    })

    await test.step('a flow has it answer, and goes on by how that ended', async () => {
      peer.state.reply = (asked) => `Resposta a: ${asked}`
      await ask('PUT', `/whatsapp/${connectionId}/assistants`, { assistantId: null })
      const { id } = await ask<{ id: number }>('POST', '/chat-flow', { name: 'Com assistente' })
      const exit = (name: string, then: object) => ({
        id: name,
        type: 'R',
        on: 'assistant',
        condition: [name],
        ...then,
      })
      const steps = [does('AssistantField', { assistantAccount: account.id })]
      const exits = [
        exit('off', toQueue(queueId)),
        exit('answered', toQueue(queueId)),
        exit('failed', toQueue(otherQueueId)),
      ]
      await ask('PUT', `/chat-flow-import/${id}`, flowOf([node('a', steps, exits)]))
      await ask('POST', `/chat-flow/${id}/publish`)
      await product.platform.db.asPlatform((db) =>
        db.updateTable('connections').set({ chat_flow_id: id }).where('id', '=', connectionId).execute(),
      )
      await hear('Flávia', 'Quero um bolo')
      await expect
        .poll(async () => (await byBot('Flávia')).map(({ body }) => body))
        .toEqual(['Resposta a: Quero um bolo'])
    })

    await test.step('nothing is asked once the budget is used up, and its screen says so', async () => {
      const dear = { ...config, inputPrice: 1_000_000, outputPrice: 1_000_000, waitSeconds: 0 }
      await ask('PUT', `/assistants/${account.id}`, { config: dear })
      await hear('Flávia', 'Com cobertura')
      await expect.poll(async () => (await byBot('Flávia')).length).toBe(2)
      const { page: desk, complaints: others } = await sitDown(browser, product, people.admin)
      await desk.goto('/configuracoes/custos-de-ia')
      await desk.getByRole('textbox', { name: 'Orçamento do mês' }).fill('1')
      await button(desk, 'Salvar').click()
      await expect(toast(desk, 'Orçamento salvo')).toBeVisible()
      await expect(desk.getByText(/^O orçamento do mês \(R\$\s1,00\) acabou/)).toBeVisible()
      await settled(desk)
      await expectAccessible(desk, 'main')
      await lookForWarnings(product.platform)
      await desk.getByRole('button', { name: /^Para você/ }).click()
      const bell = desk.getByRole('dialog', { name: 'Para você' })
      await expect(bell).toContainText('O orçamento do mês dos assistentes acabou')
      await expectAccessible(desk)
      await bell.getByRole('button', { name: 'Marcar como lida' }).click()
      await expect(bell).not.toContainText('acabou')
      await expect(desk.getByText('O orçamento do mês dos assistentes acabou.')).toHaveCount(0)
      await desk.keyboard.press('Escape')
      const asked = peer.asked().length
      await hear('Zeca', 'Oi')
      await expect.poll(async () => (await ticketOf('Zeca')).queue_id).toBe(otherQueueId)
      expect([peer.asked().length, await byBot('Zeca')]).toEqual([asked, []])
      expect(others).toEqual([])
    })
    expect(complaints).toEqual([])
  } finally {
    await peer.close()
  }
})
