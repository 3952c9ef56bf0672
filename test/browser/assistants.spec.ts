import { expect } from '@playwright/test'
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
