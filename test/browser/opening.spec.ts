import { expect } from '@playwright/test'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import type { ProviderEvent } from '#providers/channels/port.ts'
import { textEvent } from '#test/peers/channel.ts'
import { attendance } from './pages/attendance.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

const wide = { tag: ['@attendance', '@wide'] }

test(
  'a conversation that cannot be opened shows what the server says, else “Warning!”, however it is opened',
  wide,
  async ({ product, browser }) => {
    const { talking, people, ask } = await shop(product)
    const id = await talking('Marlene Duarte', people.ana, 'O boleto venceu')
    await ask('POST', `/messages/${id}`, {
      ...{ idFront: `nota-abrir-${id}`, body: 'Veja isto, @Ana Lima', isNote: 'true' },
      mentionedUsers: [people.ana.id],
    })
    const { page, context } = await sitDown(browser, product, people.ana)
    const fail = (path: string, error: string, status: number) =>
      page.route(path, (route) => route.fulfill({ status, json: { error, requestId: 'r1' } }))
    const ticket = `**/api/tickets/${id}`
    const shown = page.getByRole('alert').or(page.getByRole('main')).filter({ hasText: 'Warning!' }).first()

    const ways: Record<string, () => Promise<unknown>> = {
      link: () => page.goto(`/atendimento/${id}`),
      search: async () => {
        await page.goto('/atendimento')
        await page.getByPlaceholder(/^Nome, número/).fill('boleto')
        await page.getByRole('button', { name: /O boleto venceu/ }).click()
      },
      palette: async () => {
        await page.goto('/home')
        await expect(page.getByRole('button', { name: /^Para você/ })).toBeVisible()
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox').fill('Marlene')
        await page
          .getByRole('option', { name: /Marlene Duarte/ })
          .first()
          .click()
      },
      notification: async () => {
        await page.goto('/home')
        await page.getByRole('button', { name: /^Para você/ }).click()
        await page
          .getByRole('dialog', { name: 'Para você' })
          .getByRole('button', { name: /Marlene/ })
          .click()
      },
    }
    for (const [way, open] of Object.entries(ways)) {
      await fail(ticket, 'relation "x" does not exist', 500)
      await open()
      await expect(shown, way).toBeVisible()
      await page.unroute(ticket)
    }
    // The messages alone, and something that the server says.
    const list = `**/api/messages/${id}?*`
    await fail(`**/api/messages/${id}`, 'boom', 500)
    await fail(list, 'boom', 500)
    await page.goto(`/atendimento/${id}`)
    await expect(shown).toBeVisible()
    await page.unrouteAll()
    await fail(ticket, 'ERR_NO_PERMISSION', 403)
    await page.goto(`/atendimento/${id}`)
    await expect(page.getByText('Warning!')).toHaveCount(0)
    await expect(page.getByRole('main')).toContainText('permissão')
    await context.close()
  },
)

test('a restricted person finds no way to pass on what a customer said', wide, async ({ product, browser }) => {
  const { talking, people, tenantId, ticketOf } = await shop(product)
  const id = await talking('Marlene', people.ana, 'Bom dia')
  const { platform } = product
  await platform.db.write(tenantId, (db) =>
    db.updateTable('users').set({ restricted_user: true }).where('id', '=', people.ana.id).execute(),
  )
  platform.bus.stale(`actors ${tenantId}:${people.ana.id}`)
  const { connection_id: connectionId, conversation_key: from } = await ticketOf('Marlene')
  const said = textEvent({ from, body: '' })
  const card = { fullName: 'Nádia Ferraz', phoneNumber: '5519998124407' }
  const event = { ...said, message: { ...said.message, type: 'contact', data: card } } as ProviderEvent
  await receive(platform, { tenantId, connectionId }, [event])
  await ingestIdle(platform)
  const { page, context, complaints } = await sitDown(browser, product, people.ana)
  await page.goto(`/atendimento/${id}`)
  const { bubble, messages } = attendance(page)
  await bubble('Bom dia').hover()
  await bubble('Bom dia').getByRole('button', { name: 'Opções da mensagem' }).click()
  await expect(page.getByRole('menuitem', { name: 'Copiar' }).first()).toBeVisible()
  await expect(page.getByRole('menuitem', { name: /Encaminhar/ })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Mais ações do atendimento' }).click()
  await expect(page.getByRole('menuitem', { name: 'Adiar' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: /Extrair|Enviar contato/ })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(messages.getByText('Nádia Ferraz')).toHaveCount(0)
  await expect(messages.getByRole('article')).toHaveCount(2)
  await expect(messages.getByRole('button', { name: /^(Salvar|Conversar)$/ })).toHaveCount(0)
  expect(complaints).toEqual([])
  await context.close()
})
