import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from '@playwright/test'
import { PASSWORD } from '#test/make.ts'
import { settled, sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

/** A page on another site that does its worst; `script` runs in it. */
async function hostileSite(script: string, body = '') {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><title>parado</title>${body}<script>${script}</script>`)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}

test('a page runs what it carries and speaks with its own server alone, sockets included', async ({
  browser,
  product,
}) => {
  const { admin } = await company(product)
  const { page, context, complaints } = await sitDown(browser, product, admin)
  const elsewhere = await hostileSite('')
  let heard = 0
  page.on('websocket', (socket) => socket.on('framereceived', () => heard++))
  await page.goto('/atendimento')
  await settled(page)
  await expect.poll(() => heard).toBeGreaterThan(0)
  expect(complaints).toEqual([])
  const tried = await page.evaluate(async (other) => {
    const outcome: Record<string, unknown> = {}
    const inline = document.createElement('script')
    inline.textContent = 'window.ran = "inline"'
    document.body.append(inline)
    const remote = document.createElement('script')
    remote.src = `${other}/x.js`
    const failed = new Promise((resolve) => {
      remote.onerror = () => resolve('refused')
      remote.onload = () => resolve('loaded')
    })
    document.body.append(remote)
    document.body.insertAdjacentHTML('beforeend', '<img src="x" onerror="window.ran = \'handler\'">')
    outcome['remote'] = await failed
    outcome['fetch'] = await fetch(other, { mode: 'no-cors' }).then(
      () => 'sent',
      () => 'refused',
    )
    outcome['socket'] = await new Promise((resolve) => {
      try {
        const line = new WebSocket(other.replace('http', 'ws'))
        line.onerror = () => resolve('refused')
        line.onopen = () => resolve('open')
      } catch {
        resolve('refused')
      }
    })
    try {
      outcome['eval'] = new Function('return "ran"')()
    } catch {
      outcome['eval'] = 'refused'
    }
    await new Promise((resolve) => setTimeout(resolve, 300))
    outcome['ran'] = (window as { ran?: string }).ran ?? 'nothing'
    return outcome
  }, elsewhere.origin)
  expect(tried).toEqual({ remote: 'refused', fetch: 'refused', socket: 'refused', eval: 'refused', ran: 'nothing' })
  await context.close()
  elsewhere.close()
})

test('another site can neither use the session nor frame the product', { tag: '@wide' }, async ({
  browser,
  product,
}) => {
  const { admin } = await company(product)
  const { page, context } = await sitDown(browser, product, admin)
  const { address } = product
  const site = await hostileSite(
    `(async () => {
      const tell = (work) => work.then((r) => r.type + r.status, () => 'refused')
      const post = (path, more) => fetch('${address}' + path, { method: 'POST', credentials: 'include', ...more })
      const results = [
        await tell(post('/api/auth/logout', { mode: 'no-cors' })),
        await tell(post('/api/auth/refresh_token', { mode: 'cors' })),
        await tell(post('/api/auth/logout', { mode: 'cors', headers: { 'content-type': 'application/json' }, body: '{}' })),
        await tell(fetch('${address}/api/publicEncryptionKey')),
      ]
      document.querySelector('form').submit()
      document.title = results.join(' ')
    })()`,
    `<iframe name="frame" src="${address}/login"></iframe><iframe name="target"></iframe>
    <form target="target" method="post" enctype="multipart/form-data" action="${address}/api/auth/logout"><input name="a"></form>`,
  )
  await page.goto(site.origin)
  await expect(page).toHaveTitle('refused refused refused refused')
  await page.waitForLoadState('networkidle')
  expect(await page.frame('frame')?.locator('body').innerText()).not.toContain('Entrar')
  // The session is as it was.
  const renewed = await context.request.post('/api/auth/refresh_token')
  expect(renewed.status()).toBe(200)
  await context.close()
  site.close()
})

test('a login that began on a path that leads elsewhere ends here', { tag: '@wide' }, async ({ page, product }) => {
  const { admin } = await company(product)
  const elsewhere = await hostileSite('')
  await page.goto(`${product.address}//${new URL(elsewhere.origin).host}/home`)
  await page.waitForURL('**/login')
  await page.getByLabel('E-mail ou usuário').fill(admin.email)
  await page.getByLabel('Senha', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await page.waitForURL((url) => url.pathname !== '/login')
  expect(new URL(page.url()).origin).toBe(product.address)
  elsewhere.close()
})

test('what a customer writes stays text, in the conversation and in its file’s name', async ({ browser, product }) => {
  const { made, tenantId, admin } = await company(product)
  const evil = '<img src=x onerror="document.title=\'tomado\'"><script>document.title="tomado"</script>'
  const links = 'javascript:alert(1) https://loja.test/"onmouseover="alert(1) data:text/html,<script>1</script>'
  const connection_id = await made.connection(tenantId)
  const contact_id = await made.contact(tenantId, { name: evil })
  const ticketId = await made.ticket(tenantId, { connection_id, contact_id, user_id: admin.id, last_message: evil })
  await made.message(tenantId, ticketId, { body: evil })
  await made.message(tenantId, ticketId, { body: links })
  const { page, context, complaints } = await sitDown(browser, product, admin)
  await page.goto(`/atendimento/${ticketId}`)
  await expect(page.getByText('javascript:alert(1)', { exact: false }).first()).toBeVisible()
  await settled(page)
  await expect(page).not.toHaveTitle(/tomado/)
  const addresses = await page.locator('a').evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).protocol))
  for (const scheme of addresses) expect(['http:', 'https:', 'mailto:', 'tel:']).toContain(scheme)
  expect(complaints).toEqual([])
  await context.close()
})
