import AxeBuilder from '@axe-core/playwright'
import { expect } from '@playwright/test'
import { attendance } from './pages/attendance.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test('a search goes to the message on a phone, and back to where one was among the hits', {
  tag: '@conversations',
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
  await page.getByText('Equipe', { exact: true }).click()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await page.keyboard.press('Escape')
  await expect(hits).toContainText('Nenhuma mensagem com “numero azulejo”.')
  await context.close()
})
