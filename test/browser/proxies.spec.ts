import { expect } from '@playwright/test'
import { startWhatsAppServer } from '#features/lab/server/whatsapp/server.ts'
import { startProxyPeer } from '#test/peers/proxy.ts'
import { whatsappEnvironment } from '#test/whatsapp-company.ts'
import { expectAccessible } from './pages/accessible.ts'
import { confirm, drawer, menuOf, toast } from './pages/parts.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

test('a proxy is made, tried with the reason in words, changed and removed', {
  tag: ['@connections', '@wide'],
}, async ({ anotherProduct, browser }) => {
  test.slow()
  const server = await startWhatsAppServer()
  const peer = await startProxyPeer({ credentials: { username: 'lojista', password: 'segredo' } })
  const product = await anotherProduct({ env: whatsappEnvironment(server) })
  try {
    const { admin } = await company(product)
    const { page, complaints } = await sitDown(browser, product, admin, { viewport: { width: 1440, height: 900 } })
    await page.goto('/configuracoes/proxy')
    await page.getByRole('button', { name: 'Criar o primeiro' }).click()
    const form = drawer(page)
    await form.getByLabel('Nome').fill('Saída principal')
    await form.getByLabel('Endereço').fill(peer.host)
    await form.getByLabel('Porta').fill(String(peer.port))
    await form.getByLabel('Usuário').fill('lojista')
    await form.getByLabel('Senha', { exact: true }).fill('errada')
    await form.getByRole('button', { name: 'Testar' }).click()
    await expect(form.getByText('O proxy recusou o usuário ou a senha.')).toBeVisible()
    await expectAccessible(page, '[role=dialog]')
    await form.getByLabel('Senha', { exact: true }).fill('segredo')
    await form.getByRole('button', { name: 'Testar' }).click()
    await expect(form.getByText('O proxy respondeu e deixou chegar ao canal.')).toBeVisible()
    await form.getByRole('button', { name: 'Salvar' }).click()
    await expect(toast(page, 'Proxy salvo')).toBeVisible()
    await peer.stop()
    await menuOf(page, 'Saída principal', 'Testar')
    await expect(toast(page, /Ninguém responde neste endereço/)).toBeVisible()
    await expect(page.getByRole('table').getByText(/Ninguém responde neste endereço/)).toBeVisible()
    await expect(page.getByText('1 proxy · 1 ativo · 1 falhou no último teste')).toBeVisible()
    await expectAccessible(page, 'main')
    await menuOf(page, 'Saída principal', 'Excluir…')
    await confirm(page, 'Excluir proxy')
    await expect(page.getByText('Nenhum proxy')).toBeVisible()
    expect(complaints).toEqual([])
  } finally {
    await server.close()
  }
})
