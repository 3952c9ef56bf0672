import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import pg from 'pg'
import { demo } from '#db/demo/index.ts'
import { unsigned } from '#domain/messages/signature.ts'
import type { WebchatChannel } from '#features/webchat/contract.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { serversIn, signal } from '#server/postgres/processes.ts'
import { type Product, startProduct } from '../lifecycle/product.ts'
import { attendance } from './pages/attendance.ts'
import { type ForeignSite, openForeignSite } from './pages/foreign-site.ts'
import { logIn, sitDown } from './pages/person.ts'
import { picture } from './pages/picture.ts'
import { test } from './pages/product.ts'
import { widget } from './pages/widget.ts'

const root = join(import.meta.dirname, '..', '..')
const { password } = demo

let dataDir: string
let port: number
let product: Product | undefined
let site: ForeignSite | undefined

/** Starts the product as a separate process, always on the same port and data; returns its address. */
async function start(env: Record<string, string> = {}): Promise<string> {
  const fixed = { PORT: String(port), RATE_LIMITS: 'false', LOG_LEVEL: 'fatal' }
  product = startProduct({ node: process.execPath, folder: root, dataDir, env: { ...fixed, ...env } })
  return (await product.address).replace('127.0.0.1', 'localhost')
}

test.beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'guiche-journey-'))
  port = await freePort()
})

test.afterAll(async () => {
  await site?.close()
  await product?.end('SIGKILL')
  for (const pid of serversIn(join(dataDir, 'postgres'))) signal(pid, 'SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

test('a visitor and an agent talk, another company hears nothing, and a killed server loses and doubles nothing', {
  tag: ['@webchat', '@attendance', '@messages'],
}, async ({ browser }) => {
  test.slow()
  const address = await start({ DEMO: '1' })
  const channel = await makeChannel(address)
  site = await openForeignSite(address, channel.token)

  // The agent comes in through the login page and waits; so does an agent of another company, who listens closely.
  const desk = await browser.newContext({ baseURL: address, viewport: { width: 1440, height: 2400 } })
  const agentPage = await desk.newPage()
  await logIn(agentPage, { email: 'ana@demo.test', password })
  const agent = attendance(agentPage)
  await agent.tab('Pendentes').click()
  await expect(agent.list.getByRole('listitem').first()).toBeVisible()
  const stranger = await sitDown(browser, { address }, { email: 'admin@outra.test', password })
  const heard = eavesdrop(stranger.page)
  await stranger.page.goto('/atendimento?tab=pending')
  await expect(attendance(stranger.page).list).toBeVisible()

  // A visitor writes on the customer's page; the ticket appears by itself.
  const visitorPage = await browser.newPage()
  await visitorPage.goto(site.origin)
  const visitor = widget(visitorPage)
  await visitor.launcher.click()
  await visitor.say('Vocês entregam no Cambuí ainda esta semana?')
  const row = agent.row('Vocês entregam no Cambuí')
  await expect(row).toBeVisible()
  await row.getByRole('link').click()
  await expect(agent.bubble('Vocês entregam no Cambuí ainda esta semana?')).toHaveCount(1)
  const ticketId = Number(/\/atendimento\/(\d+)/.exec(agentPage.url())?.[1])
  await expect(agent.field).toHaveCount(0)
  await agent.conversation.getByRole('button', { name: 'Atender' }).last().click()

  // Each sees that the other is writing.
  await agent.field.pressSequentially('Entregamos')
  await expect(visitor.chat.getByText('Ana Lemos está digitando…')).toBeVisible()
  await visitor.field.pressSequentially('E')
  await expect(agent.conversation.getByText('digitando…')).toBeVisible()
  await visitor.field.fill('')

  // Text and a picture to the visitor, ticks to the agent, and a picture back.
  await agent.say('Entregamos sim, na sexta.')
  await agent.attach.setInputFiles(await picture('caminhao.png'))
  await expect(agentPage.getByRole('list', { name: 'Arquivos para enviar' })).toContainText('caminhao.png')
  await agent.say('Este é o caminhão')
  await expect(visitor.log.getByText('Entregamos sim, na sexta.')).toBeVisible()
  await expect(visitor.log.getByText('Este é o caminhão')).toBeVisible()
  await expectPicture(visitor.log.locator('.picture img'))
  await expect(agent.messages.getByRole('img', { name: 'Lida' })).toHaveCount(2)
  await visitor.chat.locator('input[type=file]').setInputFiles(await picture('portao.png', '#9b2c2c'))
  await visitor.say('O portão é este')
  await expect(agent.messages.getByText('O portão é este')).toHaveCount(1)
  await expectPicture(agent.messages.getByRole('img', { name: 'O portão é este' }))

  // The other company: nothing in its list, nothing at the address, nothing on its line.
  await expect(attendance(stranger.page).row('Cambuí')).toHaveCount(0)
  const token = await stranger.page.evaluate(() => localStorage.getItem('token'))
  const headers = { authorization: `Bearer ${token}` }
  for (const path of [`/api/tickets/${ticketId}`, `/api/messages/${ticketId}`, `/api/tickets/${ticketId}/logs`]) {
    expect((await stranger.context.request.get(path, { headers })).status(), path).toBe(404)
  }
  await stranger.page.goto(`/atendimento/${ticketId}`)
  await expect(stranger.page.getByText('Você não tem acesso a este atendimento')).toBeVisible()
  expect(heard.join('\n')).toContain('40{') // it was listening
  expect(heard.join('\n')).not.toMatch(/Cambuí|caminhão|portão|ticketList/)

  // The server dies while both are writing, and comes back on the same port and data.
  const lines = (name: string, from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `${name} ${from + index}`)
  const write = async (who: { say(text: string): Promise<void> }, texts: string[]) => {
    for (const text of texts) await who.say(text)
  }
  await Promise.all([write(visitor, lines('cliente', 1, 3)), write(agent, lines('equipe', 1, 3))])
  await expect(agent.bubble('cliente 2')).toHaveCount(1)
  await Promise.all([
    write(visitor, lines('cliente', 4, 6)),
    write(agent, lines('equipe', 4, 6)),
    product?.end('SIGKILL'),
  ])
  await Promise.all([write(visitor, lines('cliente', 7, 8)), write(agent, lines('equipe', 7, 8))])
  await expect(agent.messages.getByRole('article', { name: 'Mensagem a caminho' })).not.toHaveCount(0)
  await start()

  const said = [...lines('cliente', 1, 8), ...lines('equipe', 1, 8)]
  await expect(agent.messages.getByRole('article', { name: 'Mensagem a caminho' })).toHaveCount(0, { timeout: 45_000 })
  for (const text of said) {
    await expect(agent.bubble(text), `${text}, agent`).toHaveCount(1, { timeout: 30_000 })
    await expect(visitor.log.getByText(text, { exact: true }), `${text}, visitor`).toHaveCount(1, {
      timeout: 30_000,
    })
  }
  await expect(agent.messages.getByRole('img', { name: 'Lida' })).toHaveCount(10, { timeout: 30_000 })
  expect(await order(agent.messages, 'equipe')).toEqual(lines('equipe', 1, 8))
  expect(await order(agent.messages, 'cliente')).toEqual(lines('cliente', 1, 8))

  expect(await product?.end('SIGTERM')).toBe(0)
  const { bodies, tickets } = await readDatabase(ticketId)
  expect(bodies.toSorted()).toEqual(
    [
      ...said,
      'Vocês entregam no Cambuí ainda esta semana?',
      'Entregamos sim, na sexta.',
      'Este é o caminhão',
      'O portão é este',
    ].toSorted(),
  )
  expect(tickets).toBe(1)
  for (const context of [desk, stranger.context, visitorPage.context()]) await context.close()
})

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port: free } = server.address() as AddressInfo
      server.close(() => resolve(free))
    })
  })
}

/** Creates a webchat as the administrator, whose visitors come to a queue of Ana's. */
async function makeChannel(address: string): Promise<WebchatChannel> {
  const ask = async (path: string, body?: unknown, token = '') => {
    const reply = await fetch(`${address}/api${path}`, {
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
    expect(reply.ok, `${path}: ${await reply.clone().text()}`).toBe(true)
    return reply.json()
  }
  const { token } = await ask('/auth/login/', { email: 'admin@demo.test', password })
  const { items } = (await ask('/queue', undefined, token)) as { items: { id: number; queue: string }[] }
  const look = {
    title: 'Loja Cambuí',
    welcome: 'Oi!',
    away: 'Já voltamos',
    color: '#F2B02C',
    position: 'right',
    theme: 'auto',
  }
  const queueId = items.find(({ queue }) => queue === 'Entregas')?.id
  return ask('/webchat/channels', { name: 'Site novo', queueId, look, domains: [], requiresProof: false }, token)
}

/** Records all events that a page receives over its socket, by any transport. */
function eavesdrop(page: Page): string[] {
  const heard: string[] = []
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => heard.push(String(payload))))
  page.on('response', async (response) => {
    if (response.url().includes('/socket.io/')) heard.push(await response.text().catch(() => ''))
  })
  return heard
}

async function expectPicture(image: Locator): Promise<void> {
  await expect(image).toBeVisible()
  await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(320)
}

/** Returns the numbered lines of one side in their order on the screen, from top to bottom. */
async function order(messages: Locator, name: string): Promise<string[]> {
  const found: { top: number; text: string }[] = []
  for (const line of await messages.getByText(new RegExp(`^${name} \\d$`)).all()) {
    found.push({ top: (await line.boundingBox())?.y ?? 0, text: (await line.textContent()) ?? '' })
  }
  return found.sort((a, b) => a.top - b.top).map(({ text }) => text)
}

/** Reads the database of the ended product: the conversation's messages, and its contact's number of tickets. */
async function readDatabase(ticketId: number): Promise<{ bodies: string[]; tickets: number }> {
  const server = await startEmbedded({ dataDir, log: { info: () => {}, error: console.error }, fsync: false })
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  const { rows } = await client.query<{ body: string }>('select body from messages where ticket_id = $1', [ticketId])
  const tickets = await client.query(
    'select from tickets where (tenant_id, contact_id) = (select tenant_id, contact_id from tickets where id = $1)',
    [ticketId],
  )
  await client.end()
  await server.stop()
  return { bodies: rows.map(({ body }) => unsigned(body, 'Ana Lemos')), tickets: tickets.rowCount ?? 0 }
}
