import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { PROGRAM } from '#domain/messages/types.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { type MailboxOptions, mailCompany } from '#test/channels/mail-company.ts'
import { letter, mailboxForm, mailsTo, SHOP } from '#test/channels/mail-end.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const closes: (() => Promise<void>)[] = []
afterAll(() => Promise.all(closes.map((close) => close())))

const ANA = 'ana@cliente.example'

/** Creates a company with its own mailbox. */
const company = (about: MailboxOptions = {}) => mailCompany(product(), closes, about)

test('mails are told by IDLE, once each, and nothing in the mailbox is changed', async () => {
  const { imap, arrives, bodies, mailbox } = await company()
  imap.deliver(letter('Primeiro'))
  await arrives('Primeiro')
  await until(() => imap.sessions().idle === 1)
  imap.deliver(letter('Segundo', { from: 'Bia <bia@cliente.example>' }))
  await arrives('Segundo')
  expect(await mailbox.read()).toMatchObject({ status: 'CONNECTED', number: SHOP })
  expect(await bodies()).toEqual(['Primeiro', 'Segundo'])
  expect(imap.changes).toEqual([])
  expect(imap.inbox.mails.map(({ flags }) => [...flags])).toEqual([[], []])
})

test('what came while the connection was ended comes afterwards; what lay there before it does not', async () => {
  const { imap, arrives, bodies, end, mailbox } = await company({ isStarted: false })
  imap.deliver(letter('De antes'))
  await mailbox.start()
  await mailbox.is('CONNECTED')
  imap.deliver(letter('Depois'))
  await arrives('Depois')
  await end()
  imap.deliver(letter('Enquanto isso'))
  await mailbox.start()
  await arrives('Enquanto isso')
  expect(await bodies()).toEqual(['Depois', 'Enquanto isso'])
})

test('the last days are read where that was asked for', async () => {
  const { imap, arrives, bodies, mailbox } = await company({ isStarted: false, days: 3 })
  const ago = (days: number) => new Date(product().platform.now().getTime() - days * 86_400_000)
  imap.deliver(letter('Velho'), { at: ago(10) })
  imap.deliver(letter('De anteontem'), { at: ago(2) })
  await mailbox.start()
  await arrives('De anteontem')
  expect(await bodies()).toEqual(['De anteontem'])
})

test('a mailbox whose numbers begin anew is read again, and nothing comes twice', async () => {
  const { imap, arrives, bodies } = await company()
  for (const text of ['Um', 'Dois']) imap.deliver(letter(text))
  imap.deliver(letter('Sem id', { id: '' }).toString('latin1').replace('Message-ID: \r\n', ''))
  await arrives('Sem id')
  imap.inbox.validity = 2
  imap.inbox.next = 101
  for (const [index, mail] of imap.inbox.mails.entries()) mail.uid = 51 + index
  imap.deliver(letter('Três'))
  imap.cut()
  await arrives('Três')
  imap.deliver(letter('Quatro'))
  await arrives('Quatro')
  expect(await bodies()).toEqual(['Um', 'Dois', 'Sem id', 'Três', 'Quatro'])
})

test('cut in the middle of a mail, all of them come once and in their order', async () => {
  const { imap, arrives, bodies } = await company()
  await until(() => imap.sessions().idle === 1)
  imap.faults.cutWithin = 2
  for (let n = 1; n <= 25; n++) imap.deliver(letter(`Nº ${n}`, { from: `c${n}@cliente.example` }))
  await arrives('Nº 25')
  expect(await bodies()).toEqual(Array.from({ length: 25 }, (_, n) => `Nº ${n + 1}`))
})

test('a server without IDLE is asked', async () => {
  const { imap, arrives, look } = await company({ servers: { imap: { canIdle: false } } })
  imap.deliver(letter('Oi'))
  look()
  await arrives('Oi')
  expect(imap.commands).not.toContain('IDLE')
})

test('a password that is wrong stops the connection after one attempt; a server that is busy does not', async () => {
  const { imap, mailbox, token } = await company()
  imap.state.password = 'outra'
  imap.logins.length = 0
  imap.cut()
  await mailbox.is('DISCONNECTED')
  expect(await mailbox.read()).toMatchObject({ cause: 'refused' })
  expect(imap.logins).toEqual([false])
  const refused = await mailbox.start()
  expect([refused.status, refused.body]).toMatchObject([
    422,
    { error: 'ERR_CONNECTION_TEST', details: { config: 'O servidor IMAP recusou o usuário ou a senha.' } },
  ])
  imap.state.password = 'segredo'
  expect((await mailbox.start()).status).toBe(200)
  await mailbox.is('CONNECTED')
  imap.faults.busy = true
  imap.cut()
  await until(() => imap.logins.length >= 4)
  imap.faults.busy = false
  await mailbox.is('CONNECTED')
  expect(token).toBeTruthy()
})

test('a password that the sending server refuses stops the mailbox after one attempt, and what was written waits', async () => {
  const login = { user: SHOP, password: 'segredo' }
  const { imap, smtp, arrives, take, send, becomes, mailbox } = await company({ servers: { smtp: { login } } })
  imap.deliver(letter('Oi'))
  const { ticket_id: ticketId } = await arrives('Oi')
  await take(ticketId)
  login.password = 'outra'
  const id = await send(ticketId, 'Espere')
  await mailbox.is('DISCONNECTED')
  expect(await mailbox.read()).toMatchObject({ cause: 'refused' })
  await becomes(id, 'pending')
  login.password = 'segredo'
  expect((await mailbox.start()).status).toBe(200)
  await becomes(id, 'sent')
  expect(smtp.mails).toHaveLength(1)
})

test.each([
  ['nobody answers there', { imapPort: 1 }, 'Ninguém atende em 127.0.0.1, porta 1. Confira a porta.'],
  ['nobody sends there', { port: 1 }, 'Ninguém atende em 127.0.0.1, porta 1. Confira a porta.'],
  [
    'it does not speak TLS',
    { imapSecure: 'tls' },
    'A conexão com 127.0.0.1 não pôde ser protegida como escolhido. Confira a porta e a segurança.',
  ],
  [
    'it has no STARTTLS',
    { secure: 'starttls' },
    'A conexão com 127.0.0.1 não pôde ser protegida como escolhido. Confira a porta e a segurança.',
  ],
  [
    'a network that is not allowed',
    { imapHost: '10.1.2.3' },
    'O endereço 10.1.2.3 não pode ser usado daqui: fica numa rede privada que não foi permitida (OUTBOUND_ALLOW).',
  ],
  [
    'an address of everybody, without TLS',
    { host: '8.8.8.8' },
    'Sem TLS, o servidor só pode ser de uma rede permitida (OUTBOUND_ALLOW).',
  ],
])('what is wrong is said: %s', async (_, change, problem) => {
  const { mailbox } = await company({ isStarted: false, ...change })
  expect((await mailbox.start()).body).toMatchObject({ error: 'ERR_CONNECTION_TEST', details: { config: problem } })
})

test('a certificate that nobody vouches for is refused, by IMAP and by SMTP', async () => {
  for (const how of [{ imap: { security: 'tls' } }, { imap: { security: 'starttls' } }] as const) {
    const { mailbox } = await company({
      ...{ servers: how, isStarted: false, imapHost: 'localhost', imapSecure: how.imap.security },
    })
    expect((await mailbox.start()).body).toMatchObject({
      details: { config: 'O certificado de localhost não é confiável ou é de outro servidor.' },
    })
  }
  const { mailbox, smtp } = await company({
    ...{ servers: { smtp: { security: 'tls' } }, isStarted: false, host: 'localhost', secure: 'tls' },
  })
  expect((await mailbox.start()).body).toMatchObject({
    details: { config: 'O certificado de localhost não é confiável ou é de outro servidor.' },
  })
  expect(smtp.mails).toEqual([])
})

test('three persons write in one conversation; another subject, an empty id or an unknown one begins another', async () => {
  const { imap, smtp, arrives, take, send, becomes, rows } = await company()
  imap.deliver(letter('Preciso da nota', { header: 'Cc: Bia <bia@cliente.example>' }))
  const { ticket_id: ticketId } = await arrives('Preciso da nota')
  await take(ticketId)
  const ours = await send(ticketId, 'Qual *CNPJ*?')
  await becomes(ours, 'sent')
  const [mail] = mailsTo(smtp, ANA)
  const { raw, read } = smtp.mails[0]!
  expect(mail).toMatchObject({ id: `<${ours}@loja.example>`, body: 'Qual *CNPJ*?' })
  expect(read).toMatchObject({ subject: 'Re: Pedido', from: { name: 'Loja', address: SHOP } })
  expect(read.html).toContain('Qual <b>CNPJ</b>?')
  expect(raw).not.toMatch(/^auto-submitted/im)
  imap.deliver(letter('É o 123', { from: 'Bia <bia@cliente.example>', subject: 'Re: Pedido', answers: mail!.id }))
  expect(await arrives('É o 123')).toMatchObject({ ticket_id: ticketId })
  imap.deliver(letter('Por assunto', { subject: 'RES: Pedido' }))
  expect(await arrives('Por assunto')).toMatchObject({ ticket_id: ticketId })
  for (const [text, about] of [
    ['Outra coisa', {}],
    ['De outra pessoa', { from: 'caio@cliente.example', subject: 'Re: Pedido' }],
    ['Vazio', { from: 'davi@cliente.example', header: 'In-Reply-To: <>\r\nReferences: ' }],
    ['Vazio também', { from: 'eva@cliente.example', header: 'In-Reply-To: <>\r\nReferences: ' }],
    ['Desconhecido', { from: 'fabio@cliente.example', answers: '<nada@nada.example>' }],
  ] as const) {
    imap.deliver(letter(text, about))
    await arrives(text)
  }
  const of = new Set((await rows()).slice(4).map(({ ticket_id }) => ticket_id))
  expect(of.size).toBe(5)
  expect(of.has(ticketId)).toBe(false)
  const answered = await send(ticketId, 'Enviada')
  await becomes(answered, 'sent')
  const last = smtp.mails.at(-1)!.read
  expect(last.references?.split(/\s+/)).toHaveLength(4)
  expect(last.inReplyTo).toBe(last.references?.split(/\s+/).at(-1))
})

test('a repeated id is another mail where the mail is another, and the same where it is not', async () => {
  const { imap, arrives, bodies } = await company()
  const id = '<sempre-o-mesmo@sistema.example>'
  for (const [text, subject] of [
    ['Boleto de maio', 'Boleto 5'],
    ['Boleto de junho', 'Boleto 6'],
    ['Boleto de maio', 'Boleto 5'],
    ['Boleto de junho', 'Boleto 6'],
  ] as const)
    imap.deliver(letter(text, { id, subject }))
  imap.deliver(letter('Fim'))
  await arrives('Fim')
  expect(await bodies()).toEqual(['Boleto de maio', 'Boleto de junho', 'Fim'])
})

test('a mail whose ids have characters that nobody stores comes in, and so does what is behind it', async () => {
  const { imap, arrives } = await company()
  const header = 'In-Reply-To: =?utf-8?Q?<q=00q@x.example>?='
  imap.deliver(letter('Estranha', { id: '=?utf-8?Q?<i=00d@x.example>?=', header }))
  imap.deliver(letter('Outra', { from: 'Bia <bia@cliente.example>' }))
  await arrives('Outra')
  expect(await arrives('Estranha')).toMatchObject({ provider_id: '<id@x.example>' })
})

test('a lost answer is looked for among what was sent, and settled by whoever answers; nothing leaves twice', async () => {
  const loses = (raw: string) => /Perdida/.test(raw)
  const { imap, smtp, arrives, take, send, becomes, end, mailbox } = await company({ servers: { smtp: { loses } } })
  imap.deliver(letter('Oi'))
  const { ticket_id: ticketId } = await arrives('Oi')
  await take(ticketId)
  const first = await send(ticketId, 'Perdida 1')
  await until(() => smtp.mails.length === 1)
  await becomes(first, 'queued')
  // As if the process had died then: the next holder of the mailbox searches at once.
  await end()
  imap.deliverTo(imap.sent, smtp.mails[0]!.raw)
  await mailbox.start()
  await becomes(first, 'sent')
  const second = await send(ticketId, 'Perdida 2')
  await until(() => smtp.mails.length === 2)
  imap.deliver(letter('Recebi', { subject: 'Re: Pedido', answers: `<${second}@loja.example>` }))
  await becomes(second, 'sent')
  const third = await send(ticketId, 'Terceira')
  await becomes(third, 'sent')
  expect(smtp.mails.map(({ read }) => read.text?.trim())).toEqual(['Perdida 1', 'Perdida 2', 'Terceira'])
})

test('what nobody wrote says so, does not go to machines, and not more than ten times an hour to anybody', async () => {
  const { imap, smtp, arrives, sayByItself, sayAsSystem, becomes, rows, reasonOf } = await company()
  imap.deliver(letter('Promoção', { from: 'ofertas@lista.example', header: 'List-Id: <ofertas.lista.example>' }))
  const { ticket_id: ofList } = await arrives('Promoção')
  await sayAsSystem(ofList, 'Estamos fechados')
  expect(await rows()).toHaveLength(1)
  await sayByItself(ofList, 'Escolha uma opção')
  await until(async () => (await rows()).some(({ status }) => status === 'failed'))
  const { id } = (await rows()).find(({ status }) => status === 'failed')!
  expect(await reasonOf(id)).toContain('não se responde automaticamente')
  imap.deliver(letter('Oi'))
  const { ticket_id: ticketId } = await arrives('Oi')
  await sayAsSystem(ticketId, 'Automática 0')
  for (let n = 1; n <= 10; n++) await sayByItself(ticketId, `Automática ${n}`)
  await until(async () => (await rows()).filter(({ status }) => status === 'failed').length === 2)
  const failed = (await rows()).findLast(({ status }) => status === 'failed')!
  expect(failed.body).toBe('Automática 10')
  expect(await reasonOf(failed.id)).toContain('10 respostas automáticas')
  expect(smtp.mails).toHaveLength(10)
  expect(smtp.mails[0]!.raw).toMatch(/^Auto-Submitted: auto-replied$/m)
  await becomes((await rows()).find(({ body }) => body === 'Automática 9')!.id, 'sent')
})

test('many mails at the same moment get ten answers that nobody wrote, each to one address alone', async () => {
  const { imap, smtp, arrives, sayByItself, rows } = await company()
  const tickets: number[] = []
  for (let n = 1; n <= 12; n++) {
    imap.deliver(letter(`Aviso ${n}`, { subject: `Aviso ${n}`, header: `Reply-To: ${ANA}, bia@cliente.example` }))
    tickets.push((await arrives(`Aviso ${n}`)).ticket_id)
  }
  await Promise.all(tickets.map((ticketId) => sayByItself(ticketId, 'Recebemos')))
  const ends = async (status: string) => (await rows()).filter((one) => one.from_me && one.status === status).length
  await until(async () => (await ends('failed')) + (await ends('sent')) === 12)
  expect(await ends('failed')).toBe(2)
  expect(smtp.mails.map(({ to }) => to)).toEqual(Array.from({ length: 10 }, () => [ANA]))
})

test('what a server refuses is said in a sentence; what it wants later waits', async () => {
  const refuses = (to: string) => ({ 'ana@cliente.example': 550, 'cinza@cliente.example': 451 })[to] ?? null
  const { imap, arrives, take, send, becomes, reasonOf } = await company({ servers: { smtp: { refuses } } })
  imap.deliver(letter('Oi'))
  const { ticket_id: ticketId } = await arrives('Oi')
  await take(ticketId)
  const id = await send(ticketId, 'Olá')
  await becomes(id, 'failed')
  expect(await reasonOf(id)).toContain('O endereço ana@cliente.example não existe.')
  imap.deliver(letter('Alô', { from: 'cinza@cliente.example' }))
  const { ticket_id: grey } = await arrives('Alô')
  await take(grey)
  const waiting = await send(grey, 'Espere')
  await until(async () => (await reasonOf(waiting)).includes('tentar mais tarde'))
  await becomes(waiting, 'pending')
})

test('a copy lies among what was sent, with whom nobody sees; Gmail stores its own', async () => {
  for (const [capabilities, copies] of [
    [[], 1],
    [['X-GM-EXT-1'], 0],
  ] as const) {
    const { imap, smtp, arrives, take, send, becomes } = await company({ servers: { imap: { capabilities } } })
    imap.deliver(letter('Oi'))
    const { ticket_id: ticketId } = await arrives('Oi')
    await take(ticketId)
    const [cc, bcc] = ['bia@cliente.example', 'chefe@loja.example']
    const mail = { subject: 'Nota 12', cc: [{ address: cc }], bcc: [{ name: 'Chefe', address: bcc }] }
    await becomes(await send(ticketId, 'Copiada', { mail }), 'sent')
    expect(smtp.mails).toHaveLength(1)
    const [{ to, raw, read }] = smtp.mails as [(typeof smtp.mails)[number]]
    expect(to).toEqual([ANA, cc, bcc])
    expect(read).toMatchObject({ subject: 'Nota 12', to: [{ address: ANA }], cc: [{ address: cc }] })
    expect(raw).not.toMatch(/chefe/i)
    if (copies) await until(() => imap.sent.mails.length === copies)
    expect(imap.sent.mails).toHaveLength(copies)
    if (copies) expect(imap.sent.mails[0]!.source.toString()).toMatch(/^Bcc: Chefe <chefe@loja.example>\r$/m)
    expect(imap.changes).toEqual([])
  }
})

test('an answer goes to whoever wrote last, or to all of their mail; never to ourselves, and what was meant stands with it', async () => {
  const { imap, smtp, arrives, take, send, becomes, rows, token } = await company({ replyTo: 'vendas@loja.example' })
  const others = 'Cc: Bia <bia@cliente.example>, vendas@loja.example, caio@cliente.example'
  imap.deliver(letter('Preciso da nota', { header: others }))
  const { ticket_id: ticketId } = await arrives('Preciso da nota')
  await take(ticketId)
  const asked = await call(product(), tickets.answer, token, { params: { id: ticketId } })
  const all = [
    { name: 'Bia', address: 'bia@cliente.example' },
    { name: '', address: 'caio@cliente.example' },
  ]
  expect(asked.body).toEqual({ subject: 'Re: Pedido', to: [{ name: 'Ana', address: ANA }], cc: all })
  const alone = await send(ticketId, 'Só para ela', { mail: {} })
  await becomes(alone, 'sent')
  expect(smtp.mails.at(-1)!.to).toEqual([ANA])
  const toAll = await send(ticketId, 'Para todos', { mail: { toAll: true, cc: [{ address: 'chefe@loja.example' }] } })
  await becomes(toAll, 'sent')
  expect(smtp.mails.at(-1)!.to).toEqual([ANA, 'bia@cliente.example', 'caio@cliente.example', 'chefe@loja.example'])
  expect((await rows()).find(({ id }) => id === alone)!.data).toMatchObject({
    mail: { subject: 'Re: Pedido', to: [{ address: ANA }], cc: [] },
  })
  // Forwarded to another person, whose answer returns to the same conversation.
  const mail = { subject: 'Enc: Pedido', to: [{ name: 'Contador', address: 'contador@fora.example' }] }
  const passedOn = await send(ticketId, 'Pode ver?', { mail })
  await becomes(passedOn, 'sent')
  expect(smtp.mails.at(-1)).toMatchObject({ to: ['contador@fora.example'], read: { subject: 'Enc: Pedido' } })
  imap.deliver(letter('Vi', { from: 'contador@fora.example', answers: `<${passedOn}@loja.example>` }))
  expect(await arrives('Vi')).toMatchObject({ ticket_id: ticketId })
  const next = await call(product(), tickets.answer, token, { params: { id: ticketId } })
  expect(next.body).toMatchObject({ to: [{ address: 'contador@fora.example' }], cc: [] })
})

test('who may not know customers answers all without being told who they are', async () => {
  const { imap, smtp, arrives, take, tenantId } = await company()
  imap.deliver(letter('Oi', { header: 'Cc: Bia <bia@cliente.example>' }))
  const { ticket_id: ticketId } = await arrives('Oi')
  const m = make(product().platform)
  const restricted = await m.user(tenantId, { profile: 'admin' })
  await product().platform.db.asPlatform((db) =>
    db.updateTable('users').set({ restricted_user: true }).where('id', '=', restricted.id).execute(),
  )
  const token = await m.token(restricted)
  await take(ticketId)
  const asked = await call(product(), tickets.answer, token, { params: { id: ticketId } })
  expect(asked.status).toBe(200)
  expect(JSON.stringify(asked.body)).not.toMatch(/@/)
  const body = { idFront: randomUUID(), body: 'A todos', mail: { toAll: true } } as never
  const sent = await call(product(), messages.send, token, { params: { ticketId }, body })
  expect(JSON.stringify(sent.body)).not.toMatch(/cliente\.example/)
  await until(() => smtp.mails.length === 1)
  expect(smtp.mails[0]!.to).toEqual([ANA, 'bia@cliente.example'])
})

test('a draft keeps who gets its mail, half typed as well; another revision is told of it', async () => {
  const { imap, arrives, token } = await company()
  imap.deliver(letter('Oi'))
  const { ticket_id: id } = await arrives('Oi')
  const mail = { mode: 'own', subject: 'Nota', to: 'Ana <an', cc: '', bcc: 'b@x.com' } as const
  const put = (body: object) => call(product(), tickets.draft, token, { params: { id }, body: body as never })
  expect((await put({ body: '', mail, revision: 0 })).body).toMatchObject({ mail, revision: 1 })
  expect((await put({ body: '', mail, revision: 1 })).body).toMatchObject({ revision: 1 })
  const other = await put({ body: 'Oi', mail: { ...mail, to: '' }, revision: 0 })
  expect([other.status, other.body]).toMatchObject([409, { details: { draft: { mail } } }])
  expect((await put({ body: 'Oi', revision: 1 })).body).toMatchObject({ mail: null, revision: 2 })
  expect((await put({ body: '', mail: { ...mail, to: 'a'.repeat(4001) } })).status).toBe(400)
  expect((await put({ body: '', mail: { ...mail, mode: 'todos' } })).status).toBe(400)
  const read = await call(product(), tickets.getDraft, token, { params: { id } })
  expect(read.body).toMatchObject({ body: 'Oi', mail: null })
})

test('a formatted text is shown in a frame of no origin, and its pictures only where they are asked for', async () => {
  const { imap, arrives, token, rows } = await company()
  const html =
    '<p>Oi</p><script>alert(1)</script><img src="https://rastreio.example/p.gif" onerror="alert(1)"><a href="javascript:alert(1)">x</a>'
  imap.deliver(letter(html).toString().replace('text/plain', 'text/html'))
  const { id } = await arrives('Oi\n\nx')
  const reply = await call(product(), messages.formatted, token, { params: { id } })
  const { url } = reply.body
  const page = await fetch(product().address + url)
  const text = await page.text()
  const policy = page.headers.get('content-security-policy')!
  expect(policy).toContain('sandbox allow-popups')
  expect(policy).not.toContain('allow-scripts')
  expect(policy).toContain('img-src data:;')
  expect(page.headers.get('x-frame-options')).toBeNull()
  expect(text).toContain('<img data-src="https://rastreio.example/p.gif"')
  expect(text).not.toMatch(/script|onerror|<img src/)
  const withPictures = await fetch(`${product().address}${url}?pictures=1`)
  expect(withPictures.headers.get('content-security-policy')).toContain('img-src data: https: http:')
  expect(await withPictures.text()).toContain('<img src="https://rastreio.example/p.gif"')
  const forged = url.replace(id, randomUUID())
  expect((await fetch(product().address + forged)).status).toBe(404)
  expect((await rows())[0]!.data).toMatchObject({ mail: { subject: 'Pedido', hasHtml: true } })
  const stranger = await make(product().platform).tenant()
  const other = await make(product().platform).token(
    await make(product().platform).user(stranger, { profile: 'admin' }),
  )
  expect((await call(product(), messages.formatted, other, { params: { id } })).status).toBe(404)
})

test('files come as messages of their own, programs behind a warning; what is not taken here is named', async () => {
  const { imap, arrives, rows, token } = await company()
  const part = (name: string, bytes: string) =>
    `--b\r\nContent-Type: application/octet-stream; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(bytes, 'latin1').toString('base64')}\r\n`
  imap.deliver(
    `From: ${ANA}\r\nMessage-ID: <anexos@x.example>\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n\r\nSeguem\r\n${part('nota.pdf', '%PDF-1.4 nota')}${part('vazio.txt', '')}${part('programa\u202etxt.exe', 'MZ\x90\0\x03')}${part('boleto.html', '<html><script>alert(1)</script>')}--b--\r\n`,
  )
  await arrives('Seguem\n\n[Anexo que não é aceito aqui: vazio.txt]')
  const all = await rows()
  expect(all.map(({ media_type, file_id }) => [media_type, file_id !== null])).toEqual([
    ['text', false],
    ...Array.from({ length: 3 }, () => ['document', true]),
  ])
  const { body } = await call(product(), messages.list, token, { params: { ticketId: all[0]!.ticket_id }, query: {} })
  const files = body.messages.flatMap(({ file }) => file ?? [])
  expect(files.map(({ name, mime }) => [name, mime])).toEqual([
    ['nota.pdf', 'application/pdf'],
    ['programatxt.exe', PROGRAM],
    ['boleto.html', PROGRAM],
  ])
  for (const { url } of files.slice(1)) {
    const { headers } = await fetch(product().address + url)
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test('an address that cannot be one is refused before anything is stored, and so is a mail where nothing is one', async () => {
  const { imap, arrives, take, token, rows } = await company()
  imap.deliver(letter('Oi'))
  const { ticket_id: ticketId } = await arrives('Oi')
  await take(ticketId)
  const wish = (address: string) => ({ body: 'Olá', idFront: randomUUID(), mail: { cc: [{ address }] } })
  for (const address of [
    'nada',
    'a@b',
    'a b@c.example',
    'x@y.example\r\nBcc: z@y.example',
    `${'a'.repeat(300)}@x.example`,
  ]) {
    const body = wish(address) as never
    expect((await call(product(), messages.send, token, { params: { ticketId }, body })).status).toBe(400)
  }
  expect(await rows()).toHaveLength(1)
})

test('the form is as it was filled in, the password masked', async () => {
  const { mailbox, imap, smtp } = await company({ isStarted: false })
  const { pass: _, ...form } = mailboxForm({ imap, smtp })
  const { config } = await mailbox.read()
  expect(config).toMatchObject(form)
  expect(String(config['pass'])).toMatch(/^••••/)
})
