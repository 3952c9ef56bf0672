import { expect } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test('a search goes to the message on a phone, and back to where one was among the hits', {
  tag: ['@attendance', '@tickets', '@messages', '@wide'],
}, async ({ product, browser }) => {
  const { talking, arrive, people } = await shop(product)
  const day = 24 * 3_600_000
  const start = Date.now() - 50 * day
  await arrive(
    Array.from({ length: 45 }, (_, n) => ({ name: 'Marlene', body: `Azulejo é o número ${n}`, at: start + n * day })),
  )
  await talking('Marlene', people.ana, 'E agora?')
  const { context, page } = await sitDown(browser, product, people.ana, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await page.goto('/atendimento/')
  await page.getByRole('searchbox', { name: 'Buscar atendimentos e mensagens' }).fill('numero azulejo')
  const hits = page.getByRole('region', { name: 'Mensagens encontradas' })
  await hits.getByRole('button', { name: 'Mais mensagens' }).click()
  await hits.getByRole('button', { name: /número 7$/ }).click()
  await expect(attendance(page).bubble('Azulejo é o número 7')).toBeInViewport()
  await page.goBack()
  const opened = hits.getByRole('button', { name: /número 7$/ })
  await expect(opened).toBeInViewport()
  await expect(opened).toHaveAttribute('aria-current', 'true')

  await hits.getByRole('button', { name: 'De', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Equipe' }).press('Space')
  await expectAccessible(page, 'section[aria-label="Mensagens encontradas"]', '[role=dialog]')
  await page.keyboard.press('Escape')
  await expect(hits).toContainText('Nenhuma mensagem com “numero azulejo”.')
  await context.close()
})

test('a customer who returns is met with what was said before, and a conversation is taken out', {
  tag: ['@wide', '@attendance', '@tickets', '@messages'],
}, async ({ product, browser }) => {
  const { talking, people, ask, hear, ticketOf } = await shop(product)
  const before = await talking('Marlene', people.ana, 'O portão range')
  await ask('PUT', `/tickets/${before}`, { status: 'closed' })
  await hear('Marlene', 'Voltou a ranger')
  const now = (await ticketOf('Marlene')).id
  expect(now).not.toBe(before)
  const { context, page, complaints } = await sitDown(browser, product, people.ana)
  await page.goto(`/atendimento/${now}`)
  const screen = attendance(page)
  await expect(screen.bubble('O portão range')).toBeVisible()
  await expect(screen.bubble('Voltou a ranger')).toBeVisible()
  await expect(screen.messages.getByRole('link', { name: `Atendimento ${before}` })).toBeVisible()
  await expect(screen.messages.getByText('Atendimento atual')).toBeVisible()

  await page.getByRole('button', { name: 'Mais ações do atendimento' }).click()
  await page.getByRole('menuitem', { name: 'Exportar conversa' }).click()
  const dialog = page.getByRole('dialog', { name: 'Exportar conversa' })
  await expect(dialog).toBeVisible()
  await expectAccessible(page)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Baixar PDF' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^atendimento-\d+\.pdf$/)
  expect(complaints).toEqual([])
  await context.close()
})
