import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import type { ByMailData } from '#domain/messages/by-mail.ts'
import { mailOf } from '#domain/messages/mail.ts'
import { beginContinuation } from '#features/ledger/server/continuation/continuation.ts'
import { companyMail } from '#features/mail/contract.ts'
import { unit } from '#server/context.ts'
import { type MailboxOptions, mailCompany } from '#test/channels/mail-company.ts'
import { letter, SHOP } from '#test/channels/mail-end.ts'
import { type SmtpBehaviour, startSmtp } from '#test/peers/smtp.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { webchatOn } from '#test/webchat.ts'
import { webchatChannels } from './contract.ts'
import { mailJob } from './server/continue-by-mail.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const chat = webchatOn(product)
const closes: (() => Promise<void>)[] = []
afterAll(() => Promise.all(closes.map((close) => close())))

const ANA = 'ana@cliente.example'
const asking = { isOn: true, email: 'optional' } as const
const answers = (email: string) => ({ name: 'Ana', email, phone: '', cpf: '', isAgreed: false })

const stateOf = (data: unknown) => (data as Partial<ByMailData> | null)?.byMail?.state ?? null

/** Runs what waits five minutes for a visitor. */
const look = (tenantId: number, ticketId: number) =>
  mailJob.run(product().platform, { tenantId, ticketId }, { requireOwnership() {} })

/** Creates a company with a mailbox and a webchat, whose visitor has written, left an address, and gone. */
async function gone({ smtp, email = ANA, language = 'pt', change = {} }: About = {}) {
  const about: MailboxOptions = smtp ? { servers: { smtp } } : {}
  const shop = await mailCompany(product(), closes, about)
  const { tenantId, token } = shop
  const body = { ...chat.form, form: asking, ...change }
  const channel = (await call(product(), webchatChannels.create, token, { body })).body
  const visitor = await chat.visit(channel, { form: answers(email), language })
  await chat.write(visitor, 'Vocês entregam?')
  const { ticket_id: ticketId } = await shop.arrives('Vocês entregam?')
  await shop.take(ticketId)
  const answer = async (text: string) => {
    const id = await shop.send(ticketId, text)
    await shop.becomes(id, 'sent')
    return id
  }
  const states = async () => (await shop.rows()).map(({ data }) => stateOf(data))
  const steps = (messageId: string) =>
    product()
      .platform.db.read(tenantId, (db) =>
        db.selectFrom('message_trail').select('step').where('message_id', '=', messageId).orderBy('id').execute(),
      )
      .then((rows) => rows.map(({ step }) => step).filter((step) => step.startsWith('mail:')))
  /** Waits until everything is read that was delivered before. */
  const allRead = async () => {
    const text = `Fim ${shop.imap.inbox.mails.length}`
    shop.imap.deliver(letter(text, { from: 'outra@cliente.example' }))
    await shop.arrives(text)
  }
  return { ...shop, channel, visitor, ticketId, answer, states, steps, allRead, look: () => look(tenantId, ticketId) }
}
type About = { smtp?: SmtpBehaviour; email?: string; language?: 'pt' | 'en' | 'es'; change?: object }

test('what a visitor who has gone did not get goes in one mail, once, in their language', async () => {
  const { answer, look, smtp, rows, states, steps } = await gone({ language: 'en' })
  await answer('Sim, *entregamos*.')
  const last = await answer('Em dez dias.')
  await Promise.all(Array.from({ length: 6 }, look))
  await look()
  expect(smtp.mails).toHaveLength(1)
  const [{ to, raw, read }] = smtp.mails as [(typeof smtp.mails)[number]]
  expect(to).toEqual([ANA])
  expect(read).toMatchObject({
    ...{ messageId: `<${last}@loja.example>`, subject: 'Your chat with Loja', from: { name: 'Loja', address: SHOP } },
    text: expect.stringMatching(
      /^You left before.*Sim, \*entregamos\*\..*Em dez dias\..*just reply.*Earlier in the chat:\n> .* You: Vocês entregam\?/s,
    ),
  })
  expect(raw).toMatch(/^Auto-Submitted: auto-/m)
  expect((await rows()).map(({ status }) => status)).toEqual(['received', 'sent', 'sent'])
  expect(await states()).toEqual([null, 'sent', 'sent'])
  expect((await steps(last)).at(-1)).toBe('mail:sent')
})

test('an answer comes back into the same ticket, once, and is shown to whoever returns; the next mail follows it', async () => {
  const { answer, look, smtp, imap, rows, arrives, ticketId, visitor, allRead, end, mailbox } = await gone()
  await answer('Em dez dias.')
  await look()
  const { messageId, subject } = smtp.mails[0]!.read
  const theirs = '<a1@cliente.example>'
  const about = { from: `Ana <${ANA}>`, subject: `Re: ${subject}` }
  const reply = letter('Ótimo\n\nEm segunda, Loja escreveu:\n> Em dez dias.', {
    ...{ ...about, id: theirs, answers: messageId! },
  })
  imap.deliver(reply)
  imap.deliver(reply)
  const came = await arrives('Ótimo')
  expect(came).toMatchObject({ ticket_id: ticketId, from_me: false, provider_id: theirs })
  expect(mailOf(came.data)).toMatchObject({ from: { address: ANA }, quoted: expect.stringContaining('Em dez dias.') })
  // The visitor replies to their own mail, from another address, after the mailbox was reopened.
  await end()
  await mailbox.start()
  imap.deliver(letter('Mais uma coisa', { from: 'ana@casa.example', subject: 'Re: x', answers: theirs }))
  expect(await arrives('Mais uma coisa')).toMatchObject({ ticket_id: ticketId })
  imap.inbox.validity = 2
  await allRead()
  expect((await rows()).filter(({ ticket_id }) => ticket_id === ticketId)).toHaveLength(4)
  const { messages } = await chat.read(visitor)
  expect(messages.map(({ body, fromVisitor, idFront }) => [body, fromVisitor, idFront !== null])).toEqual([
    ['Vocês entregam?', true, true],
    ['Em dez dias.', false, false],
    ['Ótimo', true, false],
    ['Mais uma coisa', true, false],
  ])
  await answer('Até logo')
  await look()
  const next = smtp.mails.at(-1)!.read
  expect(smtp.mails).toHaveLength(2)
  expect(next.text).not.toMatch(/^Em dez dias/m)
  expect(next.references?.split(/\s+/).slice(0, 2)).toEqual([messageId, theirs])
  expect(next.inReplyTo).toBe(next.references?.split(/\s+/).at(-1))
})

test('is looked at five minutes after the last word of a person, and of nobody else', async () => {
  const { answer, tenantId, ticketId, sayAsSystem, token } = await gone()
  const owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
  const due = async () => {
    const key = `webchat:mail:${tenantId}:${ticketId}`
    const { rows } = await owner.query('select run_at from graphile_worker._private_jobs where key = $1', [key])
    return rows.map(({ run_at: at }) => Math.round((at.getTime() - product().platform.now().getTime()) / 60_000))
  }
  try {
    await sayAsSystem(ticketId, 'Estamos fechados')
    expect(await due()).toEqual([])
    await answer('Voltamos')
    await answer('De verdade')
    expect(await due()).toEqual([5])
    expect((await call(product(), webchatChannels.list, token)).body).toMatchObject({
      mailer: { address: SHOP, takesAnswers: true },
    })
  } finally {
    await owner.end()
  }
})

test('what was got, what nobody wrote, and whom no mail is to reach get none', async () => {
  const { answer, look, smtp, visitor, sayAsSystem, rows, ticketId, tenantId } = await gone()
  await answer('Chegou aqui')
  await chat.read(visitor)
  await until(async () => (await chat.read(visitor)).messages.at(-1)?.status === 'delivered')
  await look()
  await sayAsSystem(ticketId, 'Estamos fechados')
  await until(async () => (await rows()).at(-1)?.status === 'sent')
  await look()
  expect(smtp.mails).toEqual([])
  await answer('Não chegou')
  await product().platform.db.write(tenantId, (db) => db.updateTable('contacts').set({ blocked: true }).execute())
  await look()
  expect(smtp.mails).toEqual([])
  for (const about of [{ email: '' }, { change: { mails: false } }]) {
    const other = await gone(about)
    await other.answer('Oi')
    await other.look()
    expect([other.smtp.mails, await other.states()]).toEqual([[], [null, null]])
  }
})

test('a machine that answers says nothing in the conversation; a mail that comes back is said to', async () => {
  const { answer, look, smtp, imap, rows, steps, states, allRead, reasonOf } = await gone()
  const id = await answer('Oi, Ana')
  await look()
  const { messageId } = smtp.mails[0]!.read
  const header = 'Auto-Submitted: auto-replied'
  imap.deliver(letter('Estou de férias', { from: ANA, subject: 'Re: x', answers: messageId!, header }))
  await allRead()
  expect((await rows()).map(({ body }) => body)).toEqual(['Vocês entregam?', 'Oi, Ana', expect.stringMatching(/^Fim/)])
  expect(await steps(id)).toEqual(['mail:sending', 'mail:sent', 'mail:answered'])
  await look()
  expect(smtp.mails).toHaveLength(1)
  const bounce = [
    ...['From: MAILER-DAEMON@mx.example', `To: ${SHOP}`, 'Subject: Undelivered', 'Return-Path: <>'],
    ...['Content-Type: multipart/report; report-type=delivery-status; boundary="b"', '', '--b'],
    ...['Content-Type: message/delivery-status', '', `Final-Recipient: rfc822; ${ANA}`, 'Action: failed'],
    ...['Status: 5.2.2', '', '--b', 'Content-Type: text/rfc822-headers', '', `Message-ID: ${messageId}`],
    ...['', '--b--', ''],
  ]
  imap.deliver(bounce.join('\r\n'))
  await until(async () => (await states())[1] === 'failed')
  expect(await reasonOf(id)).toContain(`A caixa de entrada de ${ANA} está cheia.`)
  // The channel has it none the less.
  expect((await rows())[1]!.status).toBe('sent')
})

test('a lost answer is uncertain and never sent again; whoever answers the mail proves that it left', async () => {
  const { answer, look, smtp, imap, states, arrives, ticketId } = await gone({ smtp: { loses: () => true } })
  const id = await answer('Oi, Ana')
  await look()
  await look()
  expect([smtp.mails.length, await states()]).toEqual([1, [null, 'uncertain']])
  imap.deliver(letter('Recebi', { from: ANA, subject: 'Re: x', answers: `<${id}@loja.example>` }))
  expect(await arrives('Recebi')).toMatchObject({ ticket_id: ticketId })
  expect(await states()).toEqual([null, 'sent', null])
})

test('whoever died between claim and sending is not repeated', async () => {
  const { answer, look, smtp, states, ticketId, tenantId } = await gone()
  await answer('Oi, Ana')
  const { platform } = product()
  const begun = await unit(platform, { tenantId, user: null }, (ctx) => beginContinuation(ctx, ticketId))
  expect([begun?.messages.length, await states()]).toEqual([1, [null, 'sending']])
  await look()
  expect([smtp.mails, await states()]).toEqual([[], [null, 'uncertain']])
})

test('what a server refuses is said; what it wants later goes later, once', async () => {
  let status: number | null = 550
  const { answer, look, smtp, states, reasonOf } = await gone({ smtp: { refuses: () => status } })
  const refused = await answer('Oi, Ana')
  await look()
  expect(await states()).toEqual([null, 'failed'])
  expect(await reasonOf(refused)).toContain(`O endereço ${ANA} não existe.`)
  status = 451
  await answer('De novo')
  await look()
  expect(await states()).toEqual([null, 'failed', null])
  status = null
  await look()
  await look()
  expect([smtp.mails.length, await states()]).toEqual([1, [null, 'failed', 'sent']])
})

test('a password that is refused stops the mailbox after one attempt', async () => {
  const state = { password: 'segredo', asked: 0 }
  const login = {
    user: SHOP,
    get password() {
      state.asked++
      return state.password
    },
  }
  const { answer, look, mailbox, states, smtp } = await gone({ smtp: { login } })
  await answer('Oi, Ana')
  Object.assign(state, { password: 'outra', asked: 0 })
  for (let n = 0; n < 3; n++) await look()
  expect(state.asked).toBe(1)
  expect(await mailbox.read()).toMatchObject({ status: 'DISCONNECTED', cause: 'refused' })
  expect([smtp.mails, await states()]).toEqual([[], [null, null]])
})

test('a copy lies among what the mailbox sent', async () => {
  const { answer, look, imap } = await gone()
  const id = await answer('Oi, Ana')
  await look()
  await until(() => imap.sent.mails.length === 1)
  expect(imap.sent.mails[0]!.source.toString()).toContain(`Message-ID: <${id}@loja.example>`)
  expect(imap.changes).toEqual([])
})

/**
 * Creates a company without a mailbox, whose reply waits for a visitor who has left; `by` sets the company's mail server.
 */
async function withoutMailbox() {
  const { tenantId, token, admin, channel } = await chat.company(product(), { form: asking })
  const visitor = await chat.visit(channel, { form: answers(ANA) })
  await chat.write(visitor, 'Oi')
  await until(async () => (await chat.read(visitor)).messages.length === 1)
  const ticketId = await chat.accept(token, admin.id)
  expect((await chat.answer(ticketId, token, 'Olá')).status).toBe(200)
  const sent = async () =>
    product().platform.db.read(tenantId, (db) =>
      db.selectFrom('messages').select(['status', 'data']).where('from_me', '=', true).executeTakeFirstOrThrow(),
    )
  await until(async () => (await sent()).status === 'sent')
  const by = async (port: number, change: object = {}) => {
    const body = {
      ...{ smtp: 'enabled', emailHost: '127.0.0.1', emailPort: port, emailSecure: 'none', emailUser: '' },
      ...{ emailName: 'Loja', emailFrom: 'contato@loja.test', ...change },
    }
    expect((await call(product(), companyMail.save, token, { body: body as never })).status).toBe(200)
  }
  return { token, sent, by, state: async () => stateOf((await sent()).data), look: () => look(tenantId, ticketId) }
}
/** A mail server of a company's own. */
async function ownServer(about: SmtpBehaviour = {}) {
  const peer = await startSmtp(about)
  closes.push(peer.close)
  return peer
}

test.each([
  ['answers nobody', () => {}],
  [
    'hangs up before it asks for a mail',
    (socket: Socket) => {
      socket.write('220 loja\r\n')
      socket.on('data', (said) => (/^RCPT/.test(String(said)) ? socket.destroy() : socket.write('250 ok\r\n')))
    },
  ],
])('a company’s own server that %s has got nothing: it goes when one takes it, once', async (_, welcomes) => {
  const { look, by, state } = await withoutMailbox()
  const broken = createServer(welcomes).listen(0, '127.0.0.1')
  await once(broken, 'listening')
  closes.push(async () => void broken.close())
  await by((broken.address() as AddressInfo).port)
  await look()
  expect(await state()).toBeNull()
  const peer = await ownServer()
  await by(peer.port)
  await look()
  await look()
  expect([peer.mails.length, await state()]).toEqual([1, 'sent'])
})

test('a company’s own server whose answer was lost may have the mail: it is uncertain and never sent again', async () => {
  const { look, by, state } = await withoutMailbox()
  const peer = await ownServer({ loses: () => true })
  await by(peer.port)
  await look()
  await look()
  expect([peer.mails.length, await state()]).toEqual([1, 'uncertain'])
})

test('a password that a company’s own server refuses is tried once', async () => {
  const { look, by, state } = await withoutMailbox()
  const peer = await ownServer({ login: { user: 'loja', password: 'segredo' } })
  await by(peer.port, { emailUser: 'loja', emailPass: 'outra' })
  await look()
  expect(await state()).toBe('failed')
  await by(peer.port, { emailUser: 'loja', emailPass: 'segredo' })
  await look()
  expect([peer.mails, await state()]).toEqual([[], 'failed'])
})

test('without a mailbox it goes by the company’s own server, which promises no answers; without either nothing goes', async () => {
  const { token, look, by, sent, state } = await withoutMailbox()
  const mailer = async () => (await call(product(), webchatChannels.list, token)).body.mailer
  expect(await mailer()).toBeNull()
  await look()
  expect((await sent()).data).toBeNull()
  const peer = await ownServer()
  await by(peer.port)
  expect(await mailer()).toEqual({ address: 'contato@loja.test', takesAnswers: false })
  await look()
  const { read } = await peer.nextTo(ANA)
  expect(read.text).toMatch(/Olá.*volte ao site.*> .* Você: Oi/s)
  expect(await state()).toBe('sent')
})
