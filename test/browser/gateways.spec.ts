import { expect } from '@playwright/test'
import { make } from '#test/make.ts'
import { startEvolution } from '#test/peers/evolution.ts'
import { startUazapi } from '#test/peers/uazapi.ts'
import { startWuzapi } from '#test/peers/wuzapi.ts'
import { startZapi } from '#test/peers/zapi.ts'
import { expectAccessible } from './pages/accessible.ts'
import { button, confirm, drawer, field, toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { test } from './pages/product.ts'

const gateways = {
  evolution: { title: 'Evolution API', channel: 'WhatsApp Evolution (QR Code)', at: '', open: startEvolution },
  wuzapi: { title: 'WuzAPI', channel: 'WhatsApp Meow (QR Code)', at: '', open: startWuzapi },
  uazapi: { title: 'Uazapi', channel: 'WhatsApp Uazapi (QR Code)', at: 'https://free.uazapi.com', open: startUazapi },
  zapi: { title: 'Z-API', channel: 'WhatsApp Z-API (QR Code)', at: 'https://api.z-api.io', open: startZapi },
} as const

for (const [id, { title, channel, at, open }] of Object.entries(gateways))
  for (const width of [1440, 390])
    test(`${title} is filled in, tried, and links a phone, at ${width} px`, {
      tag: ['@connections', '@wide'],
    }, async ({ anotherProduct, browser }) => {
      const product = await anotherProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
      Object.assign(product.platform.env, { PUBLIC_URL: product.address })
      const gateway = await open()
      const made = make(product.platform)
      const admin = await made.user(await made.tenant(), { profile: 'admin' })
      const { page, complaints } = await sitDown(browser, product, admin, {
        viewport: { width, height: 900 },
        ...(width < 600 ? { colorScheme: 'dark' } : {}),
      })

      await page.goto(`/configuracoes/${id}`)
      await expect(page.getByRole('heading', { name: title })).toBeVisible()
      const url = page.getByRole('textbox', { name: 'URL da API' })
      await expect(url).toHaveValue(at)
      const key = page.getByLabel(/^Chave Global/)
      const says = async (text: string | RegExp) => {
        await button(page, 'Testar').click()
        await expect(page.getByText(text)).toBeVisible()
      }
      await url.fill('http://127.0.0.1:1')
      await key.fill('outra')
      await says('Ninguém atende em 127.0.0.1:1. Confira o endereço e a porta.')
      await url.fill(gateway.address)
      await says(/não aceitou a chave/)
      await expectAccessible(page, 'main')
      await key.fill(gateway.key)
      await says('O provedor respondeu e aceitou os dados.')
      await button(page, 'Salvar').click()
      await expect(toast(page, `${title} salvo.`)).toBeVisible()

      await page.goto('/sessoes')
      await button(page, 'Adicionar canal').first().click()
      await drawer(page).getByRole('button', { name: channel }).click()
      await field(page, 'Nome do canal').fill('Matriz')
      if ('instance' in gateway) {
        await field(page, 'Número do ID').fill(gateway.instance.id)
        await drawer(page).getByLabel('Número do Token').fill(gateway.instance.token)
      }
      await drawer(page).getByRole('button', { name: 'Salvar' }).click()
      const card = page.getByRole('listitem', { name: 'Matriz', exact: true })
      const dialog = page.getByRole('dialog', { name: 'Conectar “Matriz”' })
      await expect(dialog.getByRole('img', { name: 'QR Code para ler com o telefone' })).toBeVisible()
      await expect(dialog.getByText(/^Código 1 de 6, vale por mais \d+ s$/)).toBeVisible()
      await expectAccessible(page, '[role=dialog]')
      await gateway.scan('instance' in gateway ? gateway.instance.code : gateway.only().code)
      await expect(dialog.getByText('Canal conectado')).toBeVisible()
      await dialog.getByRole('button', { name: 'Pronto' }).click()
      await expect(card.getByText('(19) 99999-0000')).toBeVisible()

      const run = async (command: string) => {
        await button(page, 'Ações de Matriz').click()
        await page.getByRole('menuitem', { name: command }).click()
      }
      await run('Revalidar Webhook')
      await expect(toast(page, 'O provedor voltou a avisar este canal')).toBeVisible()
      if (id === 'evolution') {
        // Unused events are listed in the form.
        await (gateway as Awaited<ReturnType<typeof startEvolution>>).tell('messages.upsert', { message: {} })
        await card.getByRole('button', { name: 'Editar' }).click()
        await expect(
          drawer(page).getByText('Vieram também, sem uso: messages.upsert message without a conversation (1).'),
        ).toBeVisible()
        await drawer(page).getByRole('button', { name: 'Cancelar' }).click()
      }
      await run('Desconectar…')
      await confirm(page, 'Desconectar')
      await expect(card.getByText(/^Desconectado/)).toBeVisible()
      expect(complaints).toEqual([])
      await gateway.close()
    })
