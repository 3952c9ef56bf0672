import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { filePart, uploadFile } from '#features/lab/server/whatsapp/phone-media.ts'
import { startWhatsAppServer } from '#features/lab/server/whatsapp/server.ts'
import { until } from '#test/until.ts'
import { whatsappEnvironment } from '#test/whatsapp-company.ts'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { button } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

const media = (name: string) => readFileSync(new URL(`../../db/demo/media/${name}`, import.meta.url))
const card = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })

for (const [n, width] of [1440, 390].entries())
  test(`a number is linked by QR, talked by, unlinked on its phone and linked anew, and nothing is missing, at ${width} px`, {
    tag: ['@connections', '@attendance', '@messages', '@wide'],
  }, async ({ anotherProduct, browser }) => {
    test.slow()
    const server = await startWhatsAppServer()
    const product = await anotherProduct({ env: whatsappEnvironment(server) })
    try {
      const shop = await server.addPhone({ number: `55113000070${n}`, name: 'Doceria' })
      const contact = await server.addPhone({ number: `551198888070${n}`, name: 'Iracema' })
      const { tenantId, admin } = await company(product)
      const row = () =>
        product.platform.db.read(tenantId, (db) => db.selectFrom('connections').selectAll().executeTakeFirstOrThrow())
      const ledger = () =>
        product.platform.db.read(tenantId, (db) =>
          db.selectFrom('messages').select(['body', 'status', 'provider_id']).orderBy('timestamp').execute(),
        )
      const desk = await sitDown(browser, product, admin, {
        viewport: { width, height: 900 },
        ...(width < 600 ? { colorScheme: 'dark' } : {}),
      })
      const { page, complaints } = desk
      const hears = (text: string) => contact.inbox.some(({ message }) => JSON.stringify(message).includes(text))
      const dialog = page.getByRole('dialog', { name: 'Conectar “Doceria”' })
      const scan = async () => {
        await expect(dialog.getByRole('img', { name: 'QR Code para ler com o telefone' })).toBeVisible()
        await shop.scan((await row()).qrcode!)
        await expect(dialog.getByText('Canal conectado')).toBeVisible()
        await dialog.getByRole('button', { name: 'Pronto' }).click()
      }

      // Made, and linked by its code.
      await page.goto('/configuracoes/sessoes')
      await expect(page).toHaveURL(/\/sessoes$/)
      await button(page, 'Adicionar canal').first().click()
      await page.getByRole('button', { name: /^WhatsApp \(QR Code\)/ }).click()
      const form = page.getByRole('dialog')
      await form.getByLabel('Nome do canal').fill('Doceria')
      await expect(form.getByRole('combobox', { name: 'Proxy' })).toBeVisible()
      await expectAccessible(page, '[role=dialog]')
      await form.getByRole('button', { name: 'Salvar' }).click()
      await scan()
      await expect(card(page, 'Doceria').getByText('Conexão estabelecida')).toBeVisible()

      // Both ways, with picture and voice.
      await contact.text(shop.jid, 'Fazem bolo de morango?')
      await page.goto('/atendimento')
      const desktop = attendance(page)
      await desktop.tab('Pendentes').click()
      await desktop.open('Fazem bolo de morango?')
      await desktop.conversation.getByRole('button', { name: 'Atender' }).last().click()
      await desktop.say('Fazemos, sim!')
      await until(() => hears('Fazemos, sim!'))
      const send = async (field: 'imageMessage' | 'audioMessage', name: string, about: object) =>
        contact.send(shop.jid, await uploadFile(server.media, field, media(name), about))
      await send('imageMessage', 'docinhos.jpg', { mimetype: 'image/jpeg', caption: 'Como estes' })
      await expect(page.getByRole('button', { name: 'Ampliar Como estes' })).toBeVisible()
      await send('audioMessage', 'voz-obrigado.ogg', { mimetype: 'audio/ogg; codecs=opus', ptt: true, seconds: 4 })
      await expect(desktop.messages.getByRole('button', { name: 'Ouvir' })).toBeVisible()
      for (const [name, mimeType] of [
        ['bolo-morango.jpg', 'image/jpeg'],
        ['voz-explica.ogg', 'audio/ogg'],
      ] as const) {
        await desktop.attach.setInputFiles({ name, mimeType, buffer: media(name) })
        await expect(page.getByRole('list', { name: 'Arquivos para enviar' })).toContainText(name)
        await desktop.field.press('Enter')
        await expect(page.getByRole('list', { name: 'Arquivos para enviar' })).toHaveCount(0)
      }
      await until(() => contact.inbox.filter(({ message }) => filePart(message)).length === 2)
      const kinds = contact.inbox.flatMap(({ message }) => filePart(message)?.type ?? [])
      expect(kinds).toEqual(['image', 'audio'])

      // A poll, and a picture that can be looked at once.
      await button(page, width < 600 ? 'Adicionar' : 'Contato, localização, botões ou macro').click()
      await page.getByRole('menuitem', { name: 'Enviar enquete' }).click()
      const poll = page.getByRole('dialog', { name: 'Enviar enquete' })
      await poll.getByRole('textbox', { name: 'Pergunta' }).fill('Qual recheio?')
      await poll.getByRole('textbox', { name: 'Opção 1' }).fill('Brigadeiro')
      await poll.getByRole('textbox', { name: 'Opção 2' }).fill('Ninho')
      await expect(poll.getByRole('textbox', { name: 'Opção 3' })).toBeVisible()
      await expectAccessible(page, '[role=dialog]')
      await poll.getByRole('button', { name: 'Enviar' }).click()
      await expect(desktop.messages.getByRole('list', { name: 'Opções da enquete' })).toContainText('Ninho')
      await desktop.attach.setInputFiles({ name: 'amostra.jpg', mimeType: 'image/jpeg', buffer: media('docinhos.jpg') })
      const once = page.getByRole('button', { name: 'Visualização única: amostra.jpg' })
      await once.click()
      await expect(once).toHaveAttribute('aria-pressed', 'true')
      await expectAccessible(page, 'main')
      await desktop.field.press('Enter')
      await expect(desktop.messages.getByText('só uma vez')).toBeVisible()
      await until(() => hears('Brigadeiro') && contact.inbox.some(({ message }) => message.viewOnceMessage))

      // The phone does away with the link: everybody sees it, and what is written waits.
      server.unlink(shop)
      await expect(page.getByText('Doceria está sem conexão.')).toBeVisible()
      await desktop.say('Ainda está aí?')
      const before = shop.inbox.length
      const id = await contact.text(shop.jid, 'Estou, e mandei mais uma coisa.')
      await until(() => shop.inbox.length > before)
      // The phone has it, and sends it to the next linked device.
      shop.saved.set(contact.jid, [
        { id, fromMe: false, body: 'Estou, e mandei mais uma coisa.', timestamp: Math.ceil(Date.now() / 1000) },
      ])
      await page.goto('/sessoes')
      await expect(card(page, 'Doceria').getByText('O telefone desligou este aparelho')).toBeVisible()
      await expectAccessible(page, 'main')
      await card(page, 'Doceria').getByRole('button', { name: 'Conectar' }).click()
      await scan()
      await until(() => hears('Ainda está aí?'))
      await contact.text(shop.jid, 'Agora sim.')
      await page.goto('/atendimento')
      await desktop.open('Agora sim.')
      await expect(page.getByText('Doceria está sem conexão.')).toHaveCount(0)
      for (const text of [
        'Fazem bolo de morango?',
        'Fazemos, sim!',
        'Ainda está aí?',
        'Estou, e mandei mais uma coisa.',
        'Agora sim.',
      ])
        await expect(desktop.bubble(text)).toHaveCount(1)
      const told = (await ledger()).filter(({ provider_id }) => provider_id !== null)
      expect(told).toHaveLength(11)
      expect(new Set(told.map(({ provider_id }) => provider_id)).size).toBe(11)
      expect(contact.counts.repeated).toBe(0)
      expect(complaints).toEqual([])
    } finally {
      await server.close()
    }
  })
