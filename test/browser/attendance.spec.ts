import { type Browser, type BrowserContextOptions, chromium, expect, type Page } from '@playwright/test'
import { sendFailure } from '#providers/channels/port.ts'
import type { Product } from '#test/product.ts'
import { expectAccessible } from './pages/accessible.ts'
import { attendance } from './pages/attendance.ts'
import { toast } from './pages/parts.ts'
import { type Person, sitDown } from './pages/person.ts'
import { picture } from './pages/picture.ts'
import { test } from './pages/product.ts'
import { shop } from './pages/shop.ts'

/** Opens the attendance screen as a person, at a ticket when one is given. */
async function attend(
  browser: Browser,
  product: Product,
  person: Person,
  at = '',
  options: BrowserContextOptions = {},
) {
  const desk = await sitDown(browser, product, person, options)
  await desk.page.goto(`/atendimento/${at}`)
  const screen = attendance(desk.page)
  await expect(at && /^\d/.test(at) ? screen.messages : screen.list).toBeVisible()
  return { ...desk, ...screen }
}

const more = async (page: Page, command: string) => {
  await page.getByRole('button', { name: 'Mais ações do atendimento' }).click()
  await page.getByRole('menuitem', { name: command }).click()
}

test('tabs and filters stand in the address, survive a reload and find what they say', {
  tag: ['@attendance', '@tickets', '@wide'],
}, async ({ product, browser }) => {
  const { talking, hear, people, made, tenantId } = await shop(product)
  await talking('Marlene', people.ana)
  await talking('Osvaldo', people.bia)
  await hear('Jussara', 'Bom dia, tudo bem?')
  const tag = await made.tag(tenantId, { tag: 'Urgente' })
  const { context, page, list, tab, row, complaints } = await attend(browser, product, people.admin)
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await tab('Pendentes').click()
  await expect(row('Jussara')).toBeVisible()
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(page).toHaveURL(/tab=pending/)
  await page.reload()
  await expect(row('Jussara')).toBeVisible()
  await expect(tab('Pendentes')).toHaveAttribute('aria-pressed', 'true')

  await tab('Abertos').click()
  await page.getByRole('button', { name: /^Filtros/ }).click()
  const panel = page.getByRole('dialog', { name: 'Filtrar atendimentos' })
  await panel.getByRole('combobox', { name: 'Responsável' }).click()
  await page.getByRole('option', { name: 'Bia Rocha' }).click()
  await panel.getByRole('button', { name: 'Ver atendimentos' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(row('Osvaldo')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`selectedUser=${people.bia.id}`))

  // An address from a colleague says more than what one had chosen; a filter without finds offers a way out.
  await page.goto(`/atendimento/chats/?tags=[${tag}]`)
  await page.getByRole('button', { name: 'Limpar filtros' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await page.getByRole('group', { name: 'Mostrar só' }).getByRole('button', { name: 'Esperando por nós' }).click()
  await expect(page).toHaveURL(/scope=waiting/)
  expect(complaints).toEqual([])
  await context.close()
})

test('a conversation that is opened asks for its messages before anything else, and is drawn once, at its very end', {
  tag: ['@attendance', '@tickets'],
}, async ({ product, browser }) => {
  const { talking, arrive, hear, people, tenantId } = await shop(product)
  const id = await talking('Marlene', people.ana)
  await talking('Jonas', people.ana)
  const words = Array.from({ length: 60 }, (_, n) => `Linha ${n}: ${'a encomenda não chegou '.repeat(1 + (n % 5))}`)
  await arrive(words.map((body, n) => ({ name: 'Marlene', body, at: Date.now() + n })))
  await hear('Marlene', 'Fim\n'.repeat(8), Date.now() + 100)
  // Nothing is new in it: it is not opened where that would begin.
  await product.platform.db.write(tenantId, (db) =>
    db.updateTable('tickets').set({ unread_messages: 0 }).where('id', '=', id).execute(),
  )
  const { context, page, messages, row } = await attend(browser, product, people.ana)
  await expect(row('Marlene')).toBeVisible()
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => {
    const drawn = new Set<Element>()
    const look = () => {
      for (const bubble of document.querySelectorAll('[role=log] article')) drawn.add(bubble)
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
    Object.assign(window, { drawn })
  })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await row('Marlene').getByRole('link').focus()
  await page.keyboard.press('Enter')
  await expect(messages).toContainText('Fim')
  const left = () => messages.evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop)
  await expect.poll(left).toBeLessThanOrEqual(1)
  // Visible messages, one beyond the edge, and some beyond it once the screen has settled; never those of the beginning.
  expect(await page.evaluate(() => (window as unknown as { drawn: Set<Element> }).drawn.size)).toBeLessThanOrEqual(24)
  await expect(messages).not.toContainText('Linha 31:')
  // An element that grows at the end moves the space below it along before the next drawing.
  const grown = await messages.evaluate((box) => {
    const before = box.scrollHeight
    const last = [...box.querySelectorAll('article')].at(-1)!
    last.style.paddingBottom = `${Number.parseFloat(getComputedStyle(last).paddingBottom) + 100}px`
    return box.scrollHeight - before
  })
  expect(grown).toBe(100)
  await expect.poll(left).toBeLessThanOrEqual(1)
  expect(asked.find((path) => /^\/api\/(messages|tickets|users)\b/.test(path))).toMatch(/^\/api\/messages\/\d+$/)
  // A press asks for them by itself, before the browser comes to what it leads to.
  asked.length = 0
  await row('Jonas')
    .getByRole('link')
    .evaluate((link) => {
      setTimeout(() => fetch('/health'))
      link.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
    })
  await expect.poll(() => asked).toContain('/health')
  expect(asked.find((path) => /^\/health|^\/api\/messages/.test(path))).toMatch(/^\/api\/messages\/\d+$/)
  await context.close()
})

test('a ticket is taken, transferred, given back, resolved, and reopened', {
  tag: ['@attendance', '@tickets'],
}, async ({ product, browser }) => {
  const { hear, people, ticketOf, queueId, otherQueueId } = await shop(product)
  await hear('Marlene', 'Oi, meu pedido chegou errado')
  const { context, page, conversation, tab, open, row, bubble, say, field } = await attend(browser, product, people.ana)
  const moment = async () => {
    const { status, user_id, queue_id } = await ticketOf('Marlene')
    return { status, userId: user_id, queueId: queue_id }
  }
  await tab('Pendentes').click()
  await open('Marlene')
  await expect(conversation.getByText('Esperando na fila')).toBeVisible()
  await conversation.getByRole('button', { name: 'Atender' }).last().click()
  await say('Já resolvo, Marlene')
  await expect(bubble('Já resolvo, Marlene').getByRole('img', { name: 'Enviada', exact: true })).toBeVisible()
  expect(await moment()).toEqual({ status: 'open', userId: people.ana.id, queueId })

  await page.getByRole('button', { name: 'Transferir', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Transferir Marlene' })
  await dialog.getByRole('combobox', { name: 'Pessoa' }).click()
  await page.getByRole('option', { name: /^Bia Rocha/ }).click()
  await dialog.getByRole('button', { name: 'Transferir' }).click()
  await expect(toast(page, 'Atendimento transferido para Bia Rocha')).toBeVisible()
  await expect.poll(moment).toMatchObject({ userId: people.bia.id, queueId })

  const bia = await attend(browser, product, people.bia)
  await bia.open('Marlene')
  await expect(bia.field).toBeVisible()
  await more(bia.page, 'Devolver à fila')
  await expect(bia.conversation.getByText('Esperando na fila')).toBeVisible()
  await expect.poll(moment).toEqual({ status: 'pending', userId: null, queueId })
  await bia.conversation.getByRole('button', { name: 'Atender' }).last().click()
  await expect(bia.field).toBeVisible()
  await bia.conversation.getByRole('button', { name: 'Resolver' }).click()
  await expect(toast(bia.page, 'Atendimento de Marlene resolvido')).toBeVisible()
  await expect.poll(moment).toMatchObject({ status: 'closed' })
  await bia.page.getByRole('button', { name: 'Desfazer' }).click()
  await expect.poll(moment).toMatchObject({ status: 'open', userId: people.bia.id })
  await expect(bia.field).toBeVisible()
  await bia.conversation.getByRole('button', { name: 'Resolver' }).click()
  await bia.conversation.getByRole('button', { name: 'Reabrir' }).last().click()
  await expect.poll(moment).toMatchObject({ status: 'open', userId: people.bia.id })

  // To another queue: gone from those who do not work in it.
  await bia.page.getByRole('button', { name: 'Transferir', exact: true }).click()
  await bia.page.getByRole('combobox', { name: 'Fila de destino' }).click()
  await bia.page.getByRole('option', { name: 'Financeiro' }).click()
  await bia.page.getByRole('dialog').getByRole('button', { name: 'Transferir' }).click()
  await expect.poll(moment).toMatchObject({ status: 'pending', userId: null, queueId: otherQueueId })
  await expect(row('Marlene')).toHaveCount(0)
  await expect(field).toHaveCount(0)
  await bia.context.close()
  await context.close()
})

test('two devices, one draft: it survives a reload, is marked in the list, and of two the person chooses', {
  tag: ['@wide', '@attendance', '@tickets'],
}, async ({ product, browser }) => {
  const { talking, people } = await shop(product)
  const id = String(await talking('Marlene', people.ana))
  const one = await attend(browser, product, people.ana, id)
  const kept = one.page.waitForResponse((response) => response.url().endsWith('/draft') && response.ok())
  await one.field.fill('Vou verificar com o')
  await kept
  await one.page.reload()
  await expect(one.field).toHaveValue('Vou verificar com o')
  const two = await attend(browser, product, people.ana)
  await expect(two.row('Marlene')).toContainText('Rascunho: Vou verificar com o')
  await two.open('Marlene')
  await expect(two.field).toHaveValue('Vou verificar com o')
  await expect(one.field).toHaveValue('Vou verificar com o')
  await two.field.fill('Vou verificar com o estoque')
  await expect(one.field).toHaveValue('Vou verificar com o estoque')
  await one.context.setOffline(true)
  await one.field.fill('Vou ver com a Bia')
  await two.field.fill('Vou verificar com o estoque, um momento')
  await two.page.waitForResponse((response) => response.url().endsWith('/draft') && response.ok())
  await one.context.setOffline(false)
  const choice = one.page.getByRole('group', { name: 'Rascunho de outro aparelho' })
  await expect(choice).toContainText('Vou verificar com o estoque, um momento')
  await expect(one.field).toHaveValue('Vou ver com a Bia')
  await choice.getByRole('button', { name: 'Manter o deste aparelho' }).click()
  await expect(choice).toHaveCount(0)
  await expect(two.field).toHaveValue('Vou ver com a Bia')
  await two.say('Vou verificar com o estoque')
  await expect(two.field).toHaveValue('')
  await expect(two.bubble('Vou verificar com o estoque')).toHaveCount(1)
  await expect(two.row('Marlene')).not.toContainText('Rascunho')
  await expect(one.field).toHaveValue('')
  await one.context.close()
  await two.context.close()
})

test('quick replies with variables, and notes that mention and stay inside', {
  tag: ['@attendance', '@tickets', '@catalog', '@wide'],
}, async ({ product, browser }) => {
  const { talking, people, made, tenantId, channel } = await shop(product)
  const id = String(await talking('Marlene Dias', people.ana))
  const message = 'Olá {{firstName}}, abrimos às 8h.'
  await made.insert('fast_replies', tenantId, { key: 'horario', title: 'Horário', message })
  await made.insert('fast_replies', tenantId, { key: 'pix', title: 'Chave Pix', message: 'A chave é o CNPJ.' })
  const { context, page, field, note, messages, bubble } = await attend(browser, product, people.ana, id)
  await field.pressSequentially('/hor')
  const choices = page.getByRole('listbox', { name: 'Mensagens rápidas' })
  await expect(choices.getByRole('option')).toHaveCount(1)
  await expect(choices).toContainText('Olá Marlene, abrimos às 8h.')
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('Olá Marlene, abrimos às 8h.')
  await page.keyboard.press('Enter')
  await expect(bubble('Olá Marlene, abrimos às 8h.')).toHaveCount(1)
  await expect.poll(() => channel.sent.length).toBe(1)

  await page.getByRole('button', { name: 'Nota interna' }).click()
  await expect(note).toBeFocused()
  await note.pressSequentially('Confere isto, @bi')
  await page
    .getByRole('listbox', { name: 'Mencionar' })
    .getByRole('option', { name: /Bia Rocha/ })
    .click()
  await expect(note).toHaveValue('Confere isto, @Bia Rocha ')
  await note.press('Enter')
  const bubbles = messages.getByRole('article', { name: 'Nota interna de Ana Lima' })
  await expect(bubbles).toContainText('Confere isto, @Bia Rocha')
  await expect(bubbles).toHaveCount(1)
  expect(channel.sent.map(({ body }) => body).join()).not.toContain('Confere')
  await context.close()
})

test('a pasted picture and a dropped file go out with their captions', {
  tag: ['@attendance', '@tickets', '@files'],
}, async ({ product, browser }) => {
  const { talking, people, channel } = await shop(product)
  const id = String(await talking('Marlene', people.ana))
  const { context, page, field, conversation, messages } = await attend(browser, product, people.ana, id)
  const tray = page.getByRole('list', { name: 'Arquivos para enviar' })
  const { buffer } = await picture('print.png')
  const carry = (name: string, mime: string, base64: string) =>
    page.evaluateHandle(
      ([file, type, data]) => {
        const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0))
        const transfer = new DataTransfer()
        transfer.items.add(new File([bytes], file, { type }))
        return transfer
      },
      [name, mime, base64] as const,
    )
  const pasted = await carry('image.png', 'image/png', buffer.toString('base64'))
  await field.evaluate((area, clipboardData) => {
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, pasted)
  await expect(tray.getByText(/^imagem-\d+\.png$/)).toBeVisible()
  await field.fill('A tela que aparece')
  await field.press('Enter')
  const image = messages.getByRole('img', { name: 'A tela que aparece' })
  await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(320)

  await expect(messages.getByText('Ana Lima:')).toHaveCount(0) // the signature is for the customer

  const dropped = await carry('orçamento.pdf', 'application/pdf', btoa('%PDF-1.4\n%%EOF\n'))
  await conversation.dispatchEvent('dragenter', { dataTransfer: dropped })
  await expect(page.getByText('Solte os arquivos para anexar')).toBeVisible()
  await conversation.dispatchEvent('drop', { dataTransfer: dropped })
  await expect(page.getByText('Solte os arquivos para anexar')).toHaveCount(0)
  await expect(tray).toContainText('orçamento.pdf')
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(messages.getByRole('link', { name: 'Baixar orçamento.pdf' })).toBeVisible()
  await expect.poll(() => channel.sent.map((sent) => sent.file?.mime)).toEqual(['image/png', 'application/pdf'])
  await context.close()
})

test('a voice note is recorded, heard and sent', { tag: ['@attendance', '@tickets'] }, async ({ product }) => {
  const { talking, people, channel } = await shop(product)
  const id = String(await talking('Marlene', people.ana))
  const { launchOptions } = test.info().project.use
  const fakes = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']
  const browser = await chromium.launch({ ...launchOptions, args: [...(launchOptions?.args ?? []), ...fakes] })
  const { page, messages } = await attend(browser, product, people.ana, id, { permissions: ['microphone'] })
  await page.getByRole('button', { name: 'Gravar áudio' }).click()
  const recorder = page.getByRole('group', { name: 'Gravar áudio' })
  // Long enough to be seen while it is heard.
  await expect(recorder.getByRole('timer')).toHaveText(/^0:0[4-9]$/)
  const told = () => page.evaluate(async () => (await navigator.locks.query()).held?.map(({ name }) => name))
  expect(await told(), 'every tab knows to be silent').toContain('guiche-sign recording')
  await expect(recorder).toBeFocused()
  await page.keyboard.press('Space')
  await expect(recorder.getByRole('button', { name: 'Continuar a gravação' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Descartar o áudio?' }).getByRole('button', { name: 'Continuar' }).click()
  await recorder.getByRole('button', { name: 'Parar e ouvir' }).click()
  await expect.poll(told).not.toContain('guiche-sign recording')
  // Whether it played, not whether it still plays: a busy machine looks after the end.
  const heard = await page.evaluateHandle(() => {
    const events: string[] = []
    const { play } = HTMLMediaElement.prototype
    HTMLMediaElement.prototype.play = function () {
      for (const name of ['playing', 'error']) this.addEventListener(name, () => events.push(name), { once: true })
      return play.call(this)
    }
    return events
  })
  await recorder.getByRole('button', { name: 'Ouvir', exact: true }).click()
  await expect.poll(() => heard.jsonValue()).toEqual(['playing'])
  await page.keyboard.press('Enter')
  await expect(
    messages.getByRole('article', { name: 'Mensagem de Ana Lima' }).getByRole('button', { name: /Ouvir/ }),
  ).toBeVisible()
  await expect.poll(() => channel.sent.map((sent) => sent.file?.mime)).toEqual(['audio/ogg'])
  await browser.close()
})

test('without a line a message waits and says so; with it, it goes out once', {
  tag: ['@attendance', '@tickets'],
}, async ({ product, browser }) => {
  const { talking, people, channel, messagesOf } = await shop(product)
  const id = String(await talking('Marlene', people.ana))
  const { context, page, say, messages, bubble } = await attend(browser, product, people.ana, id)
  await expect(page.getByRole('link', { name: /^Atendimentos/ })).toHaveAttribute('aria-current', 'page')
  await context.setOffline(true)
  await say('Escrita no elevador')
  await expect(bubble('Escrita no elevador').getByRole('img', { name: 'Aguardando' })).toBeVisible()
  await page.reload().catch(() => {}) // offline nothing loads; what was written stays in the browser
  await context.setOffline(false)
  await page.goto(`/atendimento/${id}`)
  await expect(bubble('Escrita no elevador').getByRole('img', { name: 'Enviada', exact: true })).toBeVisible()
  await expect(messages.getByRole('article', { name: 'Mensagem a caminho' })).toHaveCount(0)
  expect(channel.sent.map(({ body }) => body)).toEqual(['*Ana Lima*:\nEscrita no elevador'])
  expect((await messagesOf('Marlene')).filter(({ from_me }) => from_me)).toHaveLength(1)
  await context.close()
})

test('a message that the channel refuses can be sent again, and its way is told', {
  tag: ['@attendance', '@tickets', '@wide'],
}, async ({ product, browser }) => {
  const { talking, people, channel, tick } = await shop(product)
  const id = String(await talking('Marlene', people.ana))
  channel.behave(async () => {
    throw sendFailure('refused', 'not today')
  })
  const { context, page, say, bubble, conversation, field } = await attend(browser, product, people.ana, id)
  await say('Vai ou não vai?')
  await expect(conversation.getByRole('button', { name: 'Reenviar' })).toBeVisible()
  await conversation.getByRole('button', { name: 'O que fazer' }).click()
  const trail = page.getByRole('dialog', { name: 'Histórico de entrega' })
  await expect(trail).toContainText('Envie de novo, ou continue por outro canal.')
  await expectAccessible(page)
  await trail.getByRole('button', { name: 'Continuar por outro canal' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancelar' }).click()
  await expect(field).toHaveValue('Vai ou não vai?')
  await field.fill('')
  channel.behave(async (message) => {
    channel.sent.push(message)
    return { providerId: message.messageId }
  })
  await conversation.getByRole('button', { name: 'Reenviar' }).click()
  await expect(bubble('Vai ou não vai?').getByRole('img', { name: 'Enviada', exact: true })).toBeVisible()
  await tick('Marlene', 'delivered')
  await expect(bubble('Vai ou não vai?').getByRole('img', { name: 'Entregue' })).toBeVisible()
  await tick('Marlene', 'read')
  await expect(bubble('Vai ou não vai?').getByRole('img', { name: 'Lida' })).toBeVisible()
  await bubble('Vai ou não vai?').hover()
  await bubble('Vai ou não vai?').getByRole('button', { name: 'Opções da mensagem' }).click()
  await page.getByRole('menuitem', { name: 'Histórico de entrega' }).click()
  const steps = page.getByRole('dialog', { name: 'Histórico de entrega' }).getByRole('listitem')
  await expect(steps.filter({ hasText: 'Não saiu' })).toHaveCount(1)
  await expect(steps.last()).toContainText('Foi lida')
  await expect(page.getByText(/^enviada \d\d:\d\d · entregue \d\d:\d\d · lida \d\d:\d\d$/)).toBeVisible()
  await context.close()
})

test('the search opens a conversation at the message, and a date leads to its day', {
  tag: ['@wide', '@attendance', '@tickets'],
}, async ({ product, browser }) => {
  const { talking, arrive, people } = await shop(product)
  const day = 24 * 3_600_000
  const start = Date.now() - 31 * day
  const bodyOf = (n: number) => (n % 12 === 0 ? `Dia ${n / 12}` : `Mais um detalhe, número ${n}`)
  const said = Array.from({ length: 120 }, (_, n) => ({
    name: 'Marlene',
    body: n === 52 ? 'A cor era verde-musgo' : bodyOf(n),
    at: start + (n / 4) * day,
  }))
  for (const from of [0, 40, 80]) await arrive(said.slice(from, from + 40))
  const id = String(await talking('Marlene', people.ana, 'E agora?'))
  const { context, page, bubble, conversation } = await attend(browser, product, people.ana)
  await page.getByRole('searchbox', { name: 'Buscar atendimentos e mensagens' }).fill('verde-musgo')
  await page
    .getByRole('region', { name: 'Mensagens encontradas' })
    .getByRole('button', { name: /verde-musgo/ })
    .click()
  await expect(page).toHaveURL(new RegExp(`/atendimento/${id}`))
  await expect(bubble('A cor era verde-musgo')).toBeInViewport()
  await expect(page).not.toHaveURL(/timestamp/)
  await page.getByRole('button', { name: 'Ir para o fim da conversa' }).click()
  await expect(bubble('E agora?')).toBeInViewport()

  await conversation.getByRole('button', { name: 'Buscar na conversa' }).click()
  await conversation.getByRole('textbox', { name: 'Buscar nesta conversa' }).fill('detalhe')
  await expect(bubble('Mais um detalhe, número 119')).toBeInViewport()
  await conversation.getByRole('button', { name: 'Mensagem mais antiga' }).click()
  await expect(bubble('Mais um detalhe, número 118')).toBeInViewport()
  const asked = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(start + 9 * day)
  await conversation.getByLabel('Ir para o dia').fill(asked)
  await expect(bubble('Dia 3')).toBeInViewport()
  await context.close()
})

test('everything goes by keyboard', { tag: ['@attendance', '@tickets'] }, async ({ product, browser }) => {
  const { talking, people, ticketOf } = await shop(product)
  for (const name of ['Marlene', 'Osvaldo', 'Jussara']) await talking(name, people.ana)
  const { context, page, row, conversation, field, note, complaints } = await attend(browser, product, people.ana)
  await expect(row('Jussara')).toBeVisible()
  const isAt = (name: string) => expect(page.getByRole('region', { name: `Conversa com ${name}` })).toBeVisible()
  for (const [key, name] of [
    ['j', 'Jussara'],
    ['j', 'Osvaldo'],
    ['j', 'Marlene'],
    ['k', 'Osvaldo'],
  ] as const) {
    await page.keyboard.press(key)
    await isAt(name)
  }
  await expect(conversation.getByRole('button', { name: 'Resolver' })).toBeVisible()
  await page.keyboard.press('r')
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(field).not.toBeFocused()
  await page.keyboard.press('n')
  await expect(note).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('e')
  await expect.poll(async () => (await ticketOf('Osvaldo')).status).toBe('closed')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/atendimento\/chats\/$/)

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('contatos')
  await expect(page.getByRole('option').first()).toContainText('Contatos')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // A key pressed within a second of a letter is text.
  await expect(async () => {
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: /Atalhos/ })).toBeVisible({ timeout: 500 })
  }).toPass()
  await page.keyboard.press('Escape')
  expect(complaints).toEqual([])
  await context.close()
})

test('on a phone one thing at a time, with a way back', { tag: ['@attendance', '@tickets'] }, async ({
  product,
  browser,
}) => {
  const { talking, people } = await shop(product)
  await talking('Marlene', people.ana)
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const { context, page, list, open, say, bubble, conversation } = await attend(browser, product, people.ana, '', phone)
  await expect(conversation).toHaveCount(0)
  await open('Marlene')
  await expect(list).toHaveCount(0)
  await say('Do celular')
  await expect(bubble('Do celular')).toHaveCount(1)
  await conversation.getByRole('button', { name: /Marlene/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Voltar à lista' }).click()
  await expect(list).toBeVisible()
  await expect(conversation).toHaveCount(0)
  await open('Marlene')
  await page.goBack()
  await expect(list).toBeVisible()
  await context.close()
})
