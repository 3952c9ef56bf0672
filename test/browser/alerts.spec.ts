import { expect, type Page } from '@playwright/test'
import { clickNotice, look, read, watchAlerts } from './pages/alerts.ts'
import { attendance } from './pages/attendance.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

test('one tab sounds for all, the unread are counted, quiet hours are quiet, and a notice opens its conversation', {
  tag: '@attendance',
}, async ({ product, browser }) => {
  const { talking, hear, ask, people } = await shop(product)
  const id = await talking('Marlene', people.ana)
  const { context, page: first, complaints } = await sitDown(browser, product, people.ana)
  await context.addInitScript(watchAlerts)
  const second = await context.newPage()
  const tabs = [first, second]
  await first.goto('/atendimento')
  await second.goto('/perfil')
  for (const tab of tabs) await expect(tab).toHaveTitle(/^\(1\) /) // what Marlene said first
  await first.getByText('Escolha uma conversa').click()
  await second.mouse.move(720, 450)
  await second.getByRole('heading', { name: 'Sons e avisos' }).click()
  // Made after the click, not in it, which would keep what was clicked for from being drawn.
  for (const tab of tabs) await expect.poll(() => read(tab, (all) => all.madeIn)).toEqual(['none'])

  let heard = 0
  const sounds = async () =>
    (await Promise.all(tabs.map((tab) => read(tab, (all) => all.sounds)))).reduce((a, b) => a + b)
  const another = async (name: string, body: string) => {
    for (const tab of tabs) await read(tab, (all) => void Object.assign(all, { aheadMs: all.aheadMs + 1600 }))
    await hear(name, body)
  }
  /** Sends a message, and expects exactly one tab to play one sound. */
  const sounding = async (name: string, body: string) => {
    await another(name, body)
    heard += 1
    await expect.poll(sounds, body).toBe(heard)
  }
  /** Sends a message, waits for its visible effect, and expects no sound. */
  const silent = async (name: string, body: string) => {
    await another(name, body)
    await expect(attendance(first).row(name)).toContainText(body)
    await first.waitForTimeout(300)
    expect(await sounds(), body).toBe(heard)
  }

  await sounding('Marlene', 'Ainda aí?')
  await sounding('Zenaide', 'Primeira vez aqui')
  for (const tab of tabs) await expect(tab).toHaveTitle(/^\(2\) /)
  await expect(first.locator('link[rel="icon"]')).toHaveAttribute('href', '/favicon-unread.svg')

  // Open in front of the person it is read: counted and heard no more.
  await attendance(first).open('Marlene')
  for (const tab of tabs) await expect(tab).toHaveTitle(/^\(1\) /)
  await silent('Marlene', 'Achei o boleto')
  for (const tab of tabs) await expect(tab).toHaveTitle(/^\(1\) /)
  await first.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Atendimentos' }).click()
  await expect(attendance(first).conversation).toHaveCount(0)

  // Profile: play the sounds, quiet hours, the company's setting.
  const profile = second.getByRole('main')
  for (const name of ['Atendimento novo', 'Mensagem', 'Menção']) {
    await profile.getByRole('button', { name: `Ouvir: ${name}` }).click()
    heard += 1
    await expect.poll(sounds, name).toBe(heard)
  }
  const quiet = profile.getByRole('switch', { name: /^Horas de silêncio/ })
  await quiet.click({ force: true })
  const hour = await second.evaluate(() => new Date().getHours())
  const clock = (hours: number) => `${String((hour + hours) % 24).padStart(2, '0')}:00`
  await profile.getByLabel('Silêncio a partir das').fill(clock(0))
  await profile.getByLabel('Silêncio até as').fill(clock(2))
  await profile.getByRole('button', { name: 'Salvar' }).click()
  await expect(second.getByText('Horário de silêncio salvo')).toBeVisible()
  await silent('Marlene', 'Boa noite')
  await quiet.click({ force: true })
  await sounding('Marlene', 'Bom dia')
  await ask('PUT', '/settings/notificationSilenced', { value: 'disabled' })
  await expect(profile.getByText('A empresa desligou as notificações sonoras.')).toBeVisible()
  await silent('Marlene', 'Alô?')

  // Notices: refused and explained first, then allowed.
  const notices = profile.getByRole('switch', { name: /^Avisos na área de trabalho/ })
  await notices.click({ force: true })
  await expect(profile.getByRole('alert')).toContainText('responda “Permitir”')
  await expect(notices).not.toBeChecked()
  await context.grantPermissions(['notifications'])
  await notices.click({ force: true })
  await expect(notices).toBeChecked()
  await hear('Marlene', 'Não é para o aviso: o perfil está à vista')
  await expect(attendance(first).row('Marlene')).toContainText('Não é para o aviso') // judged while both were in view
  for (const tab of tabs) await look(tab, 'away')
  await another('Marlene', 'Vocês *abrem* sábado?')
  const shown = async () =>
    (
      await Promise.all(tabs.map((tab) => read(tab, (all) => all.notices.map(({ title, body }) => [title, body]))))
    ).flat()
  await expect.poll(shown).toEqual([['Marlene', 'Vocês abrem sábado?']])
  const counts = await Promise.all(tabs.map((tab) => read(tab, (all) => all.notices.length)))
  const teller = tabs[counts.indexOf(1)] as Page
  await look(teller, 'here')
  await clickNotice(teller)
  await expect(teller).toHaveURL(new RegExp(`/atendimento/${id}`))
  await expect(attendance(teller).bubble('Vocês abrem sábado?')).toBeVisible()
  expect(await read(teller, (all) => all.closed)).toContain(`/atendimento/${id}`)

  expect(complaints).toEqual([])
  await context.close()
})
