import { expect } from '@playwright/test'
import { messageTemplates } from '#features/message-templates/contract.ts'
import { make } from '#test/make.ts'
import { metaCompany } from '#test/meta-company.ts'
import { startMeta } from '#test/peers/meta/graph.ts'
import { call } from '#test/product.ts'
import { until } from '#test/until.ts'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

const HOUR = 3_600_000
const ana = { number: '5511988887777', name: 'Ana Souza' }
const words = { type: 'text', text: { body: 'Olá' } }

for (const width of [1440, 390])
  test(`the window runs out, closes, and a template takes the conversation up again, at ${width} px`, {
    tag: ['@message-templates', '@attendance', '@messages', '@wide'],
  }, async ({ anotherProduct, browser }) => {
    const meta = await startMeta()
    const product = await anotherProduct()
    try {
      const { tenantId, admin } = await company(product)
      const token = await make(product.platform).token(admin)
      const us = await metaCompany(product, meta, { tenantId, adminId: admin.id, token })
      await us.start()
      await meta.write(ana, words)
      const ticketId = await us.accept(ana.number)
      // Backdates the contact's last message.
      const ago = async (hours: number) => {
        const at = Date.now() - hours * HOUR
        meta.lastInbound.set(ana.number, at)
        await product.platform.db.write(tenantId, (db) =>
          db
            .updateTable('tickets')
            .set({ last_message_received_at: new Date(at) })
            .where('id', '=', ticketId)
            .execute(),
        )
      }
      await ago(22.5)
      const desk = await sitDown(browser, product, admin, {
        viewport: { width, height: 900 },
        ...(width < 600 ? { colorScheme: 'dark' } : {}),
      })
      const { page, complaints } = desk
      const at = attendance(page)
      await page.goto('/atendimento')
      await expect(at.row('Ana Souza').getByText(/^1h2\d$/)).toBeVisible()
      await at.open('Ana Souza')
      await expect(page.getByRole('status').filter({ hasText: 'A janela fecha em 1h2' })).toBeVisible()
      await ago(24)
      await page.reload()
      await expect(page.getByText('A janela de 24 horas fechou', { exact: true })).toBeVisible()
      await expectAccessible(page, 'main')
      await page.getByRole('button', { name: 'Escolher modelo' }).click()
      const dialog = page.getByRole('dialog', { name: 'Enviar modelo' })
      // A template approved meanwhile appears in the open dialog.
      await expect(dialog.getByPlaceholder('Nenhum modelo aprovado neste canal')).toBeVisible()
      meta.templates.approve({
        name: 'retorno',
        components: [
          { type: 'BODY', text: 'Olá {{1}}, podemos continuar?', example: { body_text: [['Ana']] } },
          { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Sim' }] },
        ],
      })
      await call(product, messageTemplates.sync, token, { body: { whatsappId: us.id } })
      await dialog.getByRole('combobox', { name: 'Modelo' }).click()
      await page.getByRole('option', { name: 'retorno · pt_BR' }).click()
      await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
      await expect(dialog.getByText('Preencha {{1}}.')).toBeVisible()
      await dialog.getByLabel('{{1}}').fill('{{firstName}}')
      await expect(dialog.getByText('Olá Ana, podemos continuar?')).toBeVisible()
      await expectAccessible(page, '[role=dialog]')
      await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
      await expect(dialog).toBeHidden()
      await expect(at.bubble('Olá Ana, podemos continuar?')).toBeVisible()
      await until(async () => meta.taken.some(({ template }) => template?.name === 'retorno'))
      await meta.write(ana, { type: 'text', text: { body: 'Sim, claro' } })
      await expect(at.bubble('Sim, claro')).toBeVisible()
      await at.say('Que bom!')
      await until(async () => meta.taken.some(({ text }) => text?.body.includes('Que bom!')))
      expect(complaints).toEqual([])
      // A conversation with a contact who never wrote begins with a template.
      await make(product.platform).contact(tenantId, { name: 'Bia Rocha', number: '5511977776666' })
      await page.goto('/atendimento')
      await page.getByRole('button', { name: 'Iniciar conversa' }).first().click()
      await page.getByRole('dialog').getByText('Bia Rocha').click()
      await page.getByRole('dialog').getByRole('listitem').first().getByRole('button').click()
      await expect(dialog.getByText('comece com um modelo aprovado')).toBeVisible()
      await expectAccessible(page, '[role=dialog]')
      await dialog.getByRole('combobox', { name: 'Modelo' }).click()
      await page.getByRole('option', { name: 'retorno · pt_BR' }).click()
      await dialog.getByLabel('{{1}}').fill('{{firstName}}')
      await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
      await expect(at.bubble('Olá Bia, podemos continuar?')).toBeVisible()
      await until(async () => meta.taken.some(({ to }) => to === '5511977776666'))
    } finally {
      await meta.close()
    }
  })
