import { expect } from '@playwright/test'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test('a note calls a person and a team to itself, a ticket is followed, and a message stands pinned above it', {
  tag: ['@attendance', '@wide'],
}, async ({ product, browser }) => {
  const { talking, hear, people, made, tenantId } = await shop(product)
  const teamId = await made.insert('teams', tenantId, { name: 'Plantão' })
  await product.platform.db.write(tenantId, (db) =>
    db
      .insertInto('team_members')
      .values([people.ana, people.caio].map(({ id }) => ({ tenant_id: tenantId, team_id: teamId, user_id: id })))
      .execute(),
  )
  const id = await talking('Marlene', people.bia, 'Moro na rua das Acácias, 7')
  for (let n = 0; n < 30; n++) await hear('Marlene', `Mensagem ${n}`)
  const bia = await sitDown(browser, product, people.bia, { viewport: { width: 1440, height: 900 } })
  const hers = attendance(bia.page)
  await bia.page.goto(`/atendimento/${id}`)
  await hers.conversation.getByRole('button', { name: 'Nota interna' }).click()
  const offered = bia.page.getByRole('listbox', { name: 'Mencionar' })
  await hers.note.pressSequentially('Confere o endereço, @')
  // Caio does not see the ticket; the team is offered for its one member who does.
  await expect(offered.getByRole('option')).toHaveText([/Ana Lima/, /Ana Souza/, /Plantão.*Equipe.*1 pessoa/])
  await expectAccessible(bia.page)
  await offered.getByRole('option', { name: /Plantão/ }).click()
  await hers.note.pressSequentially('e @ana')
  await offered.getByRole('option', { name: /Ana Lima/ }).click()
  await hers.note.press('Enter')
  const written = hers.messages.getByRole('article', { name: 'Nota interna de Bia Rocha' })
  await expect(written).toContainText('Confere o endereço, @Plantão e @Ana Lima')
  for (let n = 30; n < 60; n++) await hear('Marlene', `Mensagem ${n}`)

  const options = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const
  const ana = await sitDown(browser, product, people.ana, options)
  const { page } = ana
  const own = attendance(page)
  await page.goto('/atendimento/chats/')
  const tab = own.tab('Menções')
  await expect(tab).toHaveAccessibleName('Menções 1')
  await tab.click()
  const mentions = page.getByRole('region', { name: 'Menções' })
  await expect(mentions.getByRole('listitem')).toHaveCount(1)
  await expect(mentions).toContainText('Bia Rocha mencionou você')
  await expectAccessible(page)
  await mentions.getByRole('button', { name: /Marlene/ }).click()
  await expect(own.messages.getByText('Confere o endereço')).toBeInViewport()

  // A pinned message leads to its place, for everyone who opens the conversation.
  const about = async (text: string, command: string) => {
    const bubble = own.bubble(text)
    await bubble.hover()
    await bubble.getByRole('button', { name: 'Opções da mensagem' }).click()
    await page.getByRole('menuitem', { name: command, exact: true }).click()
  }
  await about('Mensagem 29', 'Fixar')
  const bar = hers.conversation.getByRole('region', { name: 'Mensagens fixadas' })
  await expect(bar).toContainText('Mensagem 29')
  await expect(hers.messages).toContainText('Ana Lima fixou uma mensagem')
  await expect(own.conversation.getByRole('region', { name: 'Mensagens fixadas' })).toContainText('Mensagem 29')
  await expectAccessible(page)
  await expect(hers.bubble('Mensagem 59')).toBeInViewport()
  await bar.getByRole('button', { name: /Mensagem 29/ }).click()
  await expect(hers.bubble('Mensagem 29')).toBeInViewport()
  await expectAccessible(bia.page)

  await page.getByRole('button', { name: 'Mais ações do atendimento' }).click()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Seguir', exact: true }).click()
  await expect(toast(page, 'Você segue Marlene')).toBeVisible()
  await expect(bia.page.getByText('Quem segue')).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/contatos')
  await hear('Marlene', 'E agora?')
  await page.getByRole('button', { name: /^Para você 1 novidade/ }).click()
  const bell = page.getByRole('dialog', { name: 'Para você' })
  await expect(bell).toContainText('Você segue · o cliente escreveu')
  await expectAccessible(page)
  await bell.getByRole('button', { name: /Marlene/ }).click()
  await expect(tab).toHaveAccessibleName('Menções')

  // The edited note notifies newly mentioned people, and no longer those removed.
  const dialog = bia.page.getByRole('group', { name: 'Editar nota' })
  const text = dialog.getByRole('combobox', { name: 'Texto' }).or(dialog.getByRole('textbox', { name: 'Texto' }))
  const edit = async () => {
    await written.hover()
    await written.getByRole('button', { name: 'Opções da mensagem' }).click()
    await bia.page.getByRole('menuitem', { name: 'Editar', exact: true }).click()
  }
  await edit()
  await text.fill('Confere, ')
  await text.pressSequentially('@ana')
  const choices = dialog.getByRole('listbox', { name: 'Mencionar' }).getByRole('option')
  await expect(choices).toHaveText([/Ana Lima/, /Ana Souza/])
  await expectAccessible(bia.page)
  await text.press('Escape')
  await expect(choices).toHaveCount(0)
  await expect(dialog).toBeVisible()
  await text.fill('Certo: ')
  await text.pressSequentially('@ana')
  await expect(choices).toHaveCount(2)
  await text.press('ArrowDown')
  await text.press('Enter')
  await expect(text).toHaveValue('Certo: @Ana Souza ')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(written).toContainText('Certo: @Ana Souza')
  await edit()
  await text.fill('Endereço conferido')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(written).toContainText('Endereço conferido')
  await tab.click()
  await expect(mentions).toContainText('Ninguém mencionou você')
  for (const desk of [bia, ana]) {
    expect(desk.complaints).toEqual([])
    await desk.context.close()
  }
})
