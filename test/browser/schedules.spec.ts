import AxeBuilder from '@axe-core/playwright'
import { type Browser, expect, type Page } from '@playwright/test'
import type { Product } from '#test/product.ts'
import { attendance } from './pages/attendance.ts'
import { toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

const conformance = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const violations = async (page: Page) =>
  (await new AxeBuilder({ page }).withTags(conformance).analyze()).violations.map(({ id }) => id)

async function talk(product: Product, browser: Browser, options: Parameters<typeof sitDown>[3] = {}) {
  const company = await shop(product)
  const { people, talking } = company
  const ticketId = await talking('Marlene Figueiredo', people.ana, 'Bom dia! Ainda tem a mesa?')
  const desk = await sitDown(browser, product, people.ana, options)
  await desk.page.goto(`/atendimento/${ticketId}`)
  const screen = attendance(desk.page)
  await expect(screen.bubble('Bom dia! Ainda tem a mesa?')).toBeVisible()
  const scheduled = screen.messages.getByRole('article', { name: 'Mensagem agendada' })
  return { ...company, ...desk, ...screen, ticketId, scheduled }
}

test('a message is scheduled for when the customer stays silent, and the answer cancels it', {
  tag: ['@attendance'],
}, async ({ product, browser }) => {
  const { page, field, hear, scheduled, bubble, conversation, complaints, messagesOf } = await talk(product, browser)
  await field.fill('Posso ajudar em mais alguma coisa?')
  await page.getByRole('button', { name: 'Mais formas de enviar' }).click()
  await page.getByRole('menuitem', { name: 'Agendar envio' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Agendar' }).click()
  await expect(dialog).toContainText('Escolha o dia e o horário.')
  await dialog.getByRole('button', { name: 'Em 30 minutos' }).click()
  await dialog.getByText('Cancelar se o cliente responder').click()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Agendar' }).click()
  await expect(toast(page, /^Agendada para/)).toBeVisible()
  await expect(field).toHaveValue('')
  await expect(scheduled).toContainText('Posso ajudar em mais alguma coisa?')
  await expect(scheduled).toContainText('Só se o cliente não responder antes')
  expect(await violations(page)).toEqual([])
  await hear('Marlene Figueiredo', 'Já decidi, quero a mesa')
  await expect(scheduled).toHaveCount(0)
  await expect(conversation).toContainText('O cliente respondeu antes do horário marcado')
  await expect(bubble('Posso ajudar em mais alguma coisa?')).toBeVisible()
  expect((await messagesOf('Marlene Figueiredo')).filter(({ status }) => status === 'sent')).toEqual([])
  expect(complaints).toEqual([])
})

test('what was scheduled is changed, sent at once and canceled, and what was just sent is taken back', {
  tag: ['@attendance', '@wide'],
}, async ({ product, browser }) => {
  const { page, field, say, scheduled, bubble, complaints, ask, ticketId, messagesOf, people } = await talk(
    product,
    browser,
  )
  const schedule = async (text: string) => {
    await page.getByRole('button', { name: 'Mais ações do atendimento' }).click()
    await page.getByRole('menuitem', { name: 'Agendar mensagem' }).click()
    await page.getByRole('dialog').getByLabel('Mensagem', { exact: true }).fill(text)
    await page.getByRole('dialog').getByRole('button', { name: 'Em 30 minutos' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Agendar' }).click()
    await expect(scheduled.filter({ hasText: text })).toBeVisible()
  }
  const choose = async (text: string, command: string) => {
    await scheduled.filter({ hasText: text }).getByRole('button', { name: 'Opções do agendamento' }).click()
    await page.getByRole('menuitem', { name: command }).click()
  }
  await schedule('Lembrete de amanhã')
  await choose('Lembrete de amanhã', 'Alterar')
  await page.getByRole('dialog').getByLabel('Mensagem', { exact: true }).fill('Lembrete de hoje')
  await page.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click()
  await choose('Lembrete de hoje', 'Enviar agora')
  await expect(scheduled).toHaveCount(0)
  await expect(bubble('Lembrete de hoje').getByRole('img', { name: 'Enviada' })).toBeVisible()
  await schedule('Não vai')
  await choose('Não vai', 'Cancelar agendamento')
  await expect(scheduled).toHaveCount(0)
  await expect(bubble('Não vai')).toHaveCount(0)

  await page.goto('/perfil')
  await page.getByRole('radiogroup', { name: 'Desfazer envio' }).getByText('10 s').click()
  await expect(toast(page, /Desfazer envio/)).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.goto(`/atendimento/${ticketId}`)
  await say('Pessoa errada')
  await page.getByRole('button', { name: 'Desfazer', exact: true }).click()
  await expect(bubble('Pessoa errada')).toHaveCount(0)
  await expect(field).toHaveValue('Pessoa errada')
  const last = (await messagesOf('Marlene Figueiredo')).find(({ body }) => body.endsWith('Pessoa errada'))
  expect(last).toMatchObject({ status: 'canceled' })
  await ask('GET', `/users/${people.ana.id}`)
  expect(complaints).toEqual([])
})
