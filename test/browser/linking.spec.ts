import { expect, type Page } from '@playwright/test'
import { connections } from '#features/connections/contract.ts'
import { lab } from '#features/lab/contract.ts'
import { make } from '#test/make.ts'
import { call } from '#test/server.ts'
import { expectAccessible } from './pages/accessible.ts'
import { button, confirm, toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'

const card = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })

for (const width of [1440, 390])
  test(`a phone is linked by its QR code, lost, and linked anew, at ${width} px`, {
    tag: width === 390 ? ['@connections', '@wide'] : '@connections',
  }, async ({ product, browser }) => {
    const made = make(product.platform)
    const tenantId = await made.tenant()
    const admin = await made.user(tenantId, { profile: 'admin' })
    const token = await made.token(admin)
    const form = { type: 'lab-device', name: 'Matriz' }
    const { id } = (await call(product, connections.create, token, { body: form })).body as { id: number }
    const phone = (act: 'scan' | 'unlink') =>
      call(product, lab.device, token, { params: { id }, body: { act, number: '(19) 99812-4407' } })
    const { page, complaints } = await sitDown(browser, product, admin, {
      viewport: { width, height: 900 },
      ...(width < 600 ? { colorScheme: 'dark' } : {}),
    })
    // A desk whose clock is ten minutes fast, or slow.
    const shift = width === 390 ? -600_000 : 600_000
    await page.addInitScript((ms) => {
      const now = Date.now
      Date.now = () => now() + ms
    }, shift)
    await page.goto('/sessoes')
    await card(page, 'Matriz').getByRole('button', { name: 'Conectar' }).click()
    const dialog = page.getByRole('dialog', { name: 'Conectar “Matriz”' })
    await expect(dialog.getByRole('img', { name: 'QR Code para ler com o telefone' })).toBeVisible()
    await expect(dialog.getByText(/^Código 1 de 6, vale por mais [1-6]?\d s$/)).toBeVisible()
    await expectAccessible(page, '[role=dialog]')
    // With the number, a code is typed on the phone.
    await dialog.getByText('Com o número').click()
    await dialog.getByLabel('Número do telefone').fill('19998124407')
    await dialog.getByRole('button', { name: 'Gerar código' }).click()
    await expect(dialog.getByText(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/)).toBeVisible()
    await expectAccessible(page, '[role=dialog]')
    await dialog.getByText('Com a câmera').click()
    await expect(dialog.getByRole('img', { name: 'QR Code para ler com o telefone' })).toBeVisible()
    expect((await phone('scan')).status).toBe(200)
    await expect(dialog.getByText('Canal conectado')).toBeVisible()
    await dialog.getByRole('button', { name: 'Pronto' }).click()
    await expect(card(page, 'Matriz').getByText('Conexão estabelecida')).toBeVisible()
    await expect(card(page, 'Matriz').getByText('(19) 99812-4407')).toBeVisible()
    // The phone undoes the link: the card says why, and what to do.
    await phone('unlink')
    await expect(card(page, 'Matriz').getByText('O telefone desligou este aparelho')).toBeVisible()
    await expect(card(page, 'Matriz').getByText('Conecte e leia o QR Code de novo.', { exact: false })).toBeVisible()
    await expectAccessible(page, 'main')
    // The administrator of the channels is notified on any screen, after a minute.
    await product.platform.db.write(tenantId, (db) =>
      db
        .updateTable('connection_outages')
        .set({ began_at: new Date(product.platform.now().getTime() - 120_000) })
        .where('ended_at', 'is', null)
        .execute(),
    )
    await expect(toast(page, '“Matriz” está sem conexão há um minuto')).toBeVisible()
    await card(page, 'Matriz').getByRole('button', { name: 'Conectar' }).click()
    await expect(dialog.getByText(/^Código 1 de 6/)).toBeVisible()
    // An expired code is hidden, even without an event.
    const qrCode = dialog.getByRole('img', { name: 'QR Code para ler com o telefone' })
    await page.route(`**/api/whatsapp/${id}`, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ json: { ...(await answer.json()), codeSeconds: 0 } })
    })
    await expect(qrCode).toHaveCount(0)
    await page.unrouteAll({ behavior: 'wait' })
    await expect(qrCode).toBeVisible()
    await phone('scan')
    await dialog.getByRole('button', { name: 'Pronto' }).click()
    await button(page, 'Ações de Matriz').click()
    await page.getByRole('menuitem', { name: 'Quedas' }).click()
    const outages = page.getByRole('dialog', { name: 'Quedas de “Matriz”' })
    await expect(outages.getByText('O telefone desligou este aparelho')).toBeVisible()
    await expect(outages.getByText('0 mensagens recuperadas, 0 faltando')).toBeVisible()
    await expectAccessible(page, '[role=dialog]')
    await page.keyboard.press('Escape')
    await button(page, 'Ações de Matriz').click()
    await page.getByRole('menuitem', { name: 'Tornar padrão' }).click()
    await expect(card(page, 'Matriz').getByLabel('Canal padrão')).toBeVisible()
    await button(page, 'Ações de Matriz').click()
    await page.getByRole('menuitem', { name: 'Novo QR Code…' }).click()
    await confirm(page, 'Novo QR Code')
    await expect(dialog.getByRole('img', { name: 'QR Code para ler com o telefone' })).toBeVisible()
    expect(complaints).toEqual([])
  })
