import { expect } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test('a row is dragged to a colleague or a tab, or moved by keys or touch; it is gone where it was, and an undo brings it back', {
  tag: ['@wide', '@attendance', '@tickets'],
}, async ({ product, browser }) => {
  const { talking, hear, people, made, tenantId, queueId, ticketOf } = await shop(product)
  const davi = await made.user(tenantId, { name: 'Davi Reis', queues: [queueId] })
  for (const name of ['Marlene', 'Osvaldo', 'Tereza']) await talking(name, people.ana)
  await hear('Zuleica', 'Oi')
  const { context, page, complaints } = await sitDown(browser, product, people.ana)
  await page.goto('/atendimento/chats/?tab=open&scope=mine')
  const { tab, row, open, conversation } = attendance(page)
  const targets = page.getByText('Solte em uma aba ou dê a um colega').locator('..')
  const target = (words: string) => targets.locator('[data-drop]', { hasText: words })
  const drag = async (name: string) => {
    await row(name).hover()
    await page.mouse.down()
    const { x, y } = (await row(name).boundingBox())!
    await page.mouse.move(x + 90, y + 50, { steps: 4 })
    await expect(row(name).locator('[data-dragged]')).toBeVisible()
  }
  const drop = async (where: ReturnType<typeof tab>) => {
    await where.hover()
    await page.mouse.up()
  }

  // The open ticket is closed when it was transferred.
  await open('Marlene')
  await expect(conversation).toBeVisible()
  await drag('Marlene')
  await expect(tab('Pendentes')).toHaveAttribute('data-drop', '')
  await expect(tab('Abertos')).not.toHaveAttribute('data-drop')
  await expectAccessible(page)
  await drop(target('Bia Rocha'))
  await expect(toast(page, 'Marlene está com Bia Rocha')).toBeVisible()
  await expect(row('Marlene')).toHaveCount(0)
  await expect(conversation).toHaveCount(0)
  await expect(targets).toHaveCount(0)
  expect((await ticketOf('Marlene')).user_id).toBe(people.bia.id)
  await page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Desfazer' }).click()
  await expect(row('Marlene')).toBeVisible()

  await drag('Osvaldo')
  await drop(tab('Pendentes'))
  await expect(toast(page, 'Osvaldo voltou à fila')).toBeVisible()
  await expect(row('Osvaldo')).toHaveCount(0)
  await page.getByRole('button', { name: 'Minhas' }).click()
  await tab('Pendentes').click()
  await expect(row('Osvaldo')).toBeVisible()
  await drag('Zuleica')
  await drop(tab('Abertos'))
  await expect(toast(page, 'Zuleica está com você')).toBeVisible()
  await expect(row('Zuleica')).toHaveCount(0)
  await drag('Osvaldo')
  await drop(target('Adiar'))
  await page
    .getByRole('dialog', { name: 'Adiar Osvaldo' })
    .getByRole('button', { name: /Amanhã cedo/ })
    .click()
  await expect(row('Osvaldo')).toHaveCount(0)
  await expect(tab('Adiados')).toBeVisible()

  // The same by keys: a refusal is said, and it stays where it was.
  await tab('Abertos').click()
  await row('Tereza').getByRole('link').focus()
  await page.keyboard.press('m')
  const move = page.getByRole('dialog', { name: 'Mover Tereza' })
  await expect(move.getByRole('button', { name: 'Davi Reis' })).toBeVisible()
  await expectAccessible(page)
  await product.platform.db.asPlatform((db) =>
    db.updateTable('users').set({ is_active: false }).where('id', '=', davi.id).execute(),
  )
  await page.keyboard.type('davi')
  await page.keyboard.press('Enter')
  await expect(toast(page, /não encontrad/)).toBeVisible()
  await expect(row('Tereza')).toBeVisible()
  await row('Tereza').getByRole('link').focus()
  await expect(async () => {
    await page.keyboard.press('m')
    await expect(move.getByRole('searchbox', { name: 'Aba ou colega' })).toBeFocused({ timeout: 500 })
  }).toPass()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Adiar Tereza' }).getByRole('button', { name: 'Cancelar' }).click()

  await page.setViewportSize({ width: 390, height: 844 })
  await row('Tereza').hover()
  await row('Tereza').getByRole('button', { name: 'Ações de Tereza' }).click()
  await page.getByRole('menuitem', { name: 'Mover para…' }).click()
  await expectAccessible(page)
  await move.getByRole('button', { name: 'Resolvidos' }).click()
  await expect(toast(page, /Tereza resolvido/)).toBeVisible()
  await expect(row('Tereza')).toHaveCount(0)
  expect(complaints.filter((one) => !/404/.test(one))).toEqual([])
  await context.close()
})
