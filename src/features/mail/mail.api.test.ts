import { createServer } from 'node:net'
import tls from 'node:tls'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { certificate } from '#features/lab/server/whatsapp/certificate.ts'
import type { CallInput } from '#kit/contract.ts'
import { unit } from '#server/context.ts'
import { make } from '#test/make.ts'
import { type SmtpPeer, startSmtp } from '#test/peers/smtp.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { companyMail, installationMail } from './contract.ts'
import { sendMail } from './server/index.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const login = { user: 'loja', password: 'segredo-do-correio' }
let peer: SmtpPeer
let tenantId: number
let admin: string
let owner: string

type Form = CallInput<typeof companyMail.save>['body']
const form = (changes: Partial<Form> = {}): Form => ({
  smtp: 'enabled',
  emailHost: '127.0.0.1',
  emailPort: peer.port,
  emailSecure: 'none',
  emailUser: login.user,
  emailPass: login.password,
  emailName: 'Loja Aurora',
  emailFrom: 'contato@loja.test',
  ...changes,
})
const save = (changes: Partial<Form> = {}, who = admin) =>
  call(product(), companyMail.save, who, { body: form(changes) })
const test = (to = 'eu@fora.test', who = admin) => call(product(), companyMail.test, who, { body: { to } })
const stored = async () =>
  (
    await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('settings').select('value').where('key', '=', 'mail').executeTakeFirstOrThrow(),
    )
  ).value
/** SQL filter for the queued mails of one company. */
const OURS = `task_id = (select id from graphile_worker._private_tasks where identifier = 'mail') and (payload ->> 'tenantId')::bigint = $1`
const write = (subject: string, title: string, to = 'cliente@fora.test', of = tenantId) =>
  unit(product().platform, { tenantId: of, user: null }, (ctx) =>
    sendMail(ctx, { to, subject, template: { title, lines: ['Uma linha com <b>sinais</b> & "aspas".'] } }),
  )

beforeAll(async () => {
  peer = await startSmtp({ login, refuses: (to) => (to.startsWith('ninguem') ? 550 : null) })
  const made = make(product().platform)
  tenantId = await made.tenant()
  admin = await made.token(await made.user(tenantId, { profile: 'admin' }))
  owner = await made.token(await made.user(tenantId, { profile: 'superadmin' }))
})
afterAll(() => peer.close())

describe('settings', () => {
  it('keep the password encrypted, and show it to nobody', async () => {
    const saved = await save()
    expect([saved.status, saved.body]).toMatchObject([200, { hasPassword: true, emailUser: 'loja' }])
    const read = await call(product(), companyMail.read, admin)
    for (const text of [JSON.stringify(saved.body), JSON.stringify(read.body), await stored()])
      expect(text).not.toContain(login.password)
    expect(await stored()).toContain(product().platform.secrets.keyId)
  })

  it('a password left out stays; another server has to be told it anew', async () => {
    await save()
    const { emailPass: _, ...same } = form({ emailName: 'Outra Loja' })
    expect((await call(product(), companyMail.save, admin, { body: same })).body).toMatchObject({ hasPassword: true })
    const reply = await call(product(), companyMail.save, admin, { body: { ...same, emailHost: 'espia.test' } })
    expect([reply.status, reply.body]).toMatchObject([
      400,
      { details: { emailPass: 'Informe a senha de novo: o servidor, o usuário ou a segurança mudou.' } },
    ])
    expect((await save({ emailPass: '' })).body).toMatchObject({ hasPassword: false })
  })

  it('switched on without server or sender are refused at the field', async () => {
    const reply = await save({ emailHost: '', emailFrom: '' })
    expect([reply.status, reply.body]).toMatchObject([
      400,
      { details: { emailHost: 'Informe o servidor.', emailFrom: 'Informe o e-mail do remetente.' } },
    ])
    expect((await save({ emailHost: 'loja.test\r\nRCPT TO:<x>' })).status).toBe(400)
    expect((await save({ emailFrom: 'a@b.test\r\nBcc: x@y.test' })).status).toBe(400)
  })
})

describe('a test mail', () => {
  it('arrives, from the sender of the settings', async () => {
    await save()
    expect([(await test()).status]).toEqual([200])
    const { read, from } = await peer.nextTo('eu@fora.test')
    expect([read.subject, read.from, from]).toMatchObject([
      'E-mail de teste',
      { name: 'Loja Aurora', address: 'contato@loja.test' },
      'contato@loja.test',
    ])
    expect(read.html).not.toMatch(/<img|https?:/)
  })

  const tlsPeer = (security: 'starttls' | 'tls') => startSmtp({ security, login })
  const reason = async (changes: Partial<Form>, to?: string) => {
    await save(changes)
    const reply = await test(to)
    return [reply.status, reply.body.error, reply.body.details]
  }
  const refusal = (text: string) => [422, 'ERR_MAIL_TEST', { reason: text }]

  it('says in Portuguese why it did not leave', async () => {
    expect(await reason({ emailPass: 'errada' })).toEqual(
      refusal('O servidor recusou o usuário ou a senha (resposta 535).'),
    )
    expect(await reason({ emailPort: 1 })).toEqual(refusal('Ninguém atende em 127.0.0.1, porta 1. Confira a porta.'))
    expect(await reason({ emailHost: 'correio.invalid' })).toEqual(
      refusal('O servidor correio.invalid não foi encontrado. Confira o nome.'),
    )
    expect(await reason({}, 'ninguem@fora.test')).toEqual(
      refusal('O servidor não aceita este destinatário (resposta 550).'),
    )
    expect(await reason({ emailSecure: 'starttls' })).toEqual(
      refusal('A conexão não pôde ser protegida como escolhido. Confira a porta e a segurança.'),
    )
    expect(await reason({ emailSecure: 'tls' })).toEqual(
      refusal('A conexão não pôde ser protegida como escolhido. Confira a porta e a segurança.'),
    )
    expect(await reason({ emailHost: '10.1.2.3' })).toEqual(
      refusal('O endereço 10.1.2.3 não pode ser usado daqui: fica numa rede privada que não foi permitida.'),
    )
    expect(await reason({ emailHost: '8.8.8.8' })).toEqual(
      refusal('Sem proteção, um e-mail só vai a um servidor desta máquina ou de uma rede permitida.'),
    )
    await save({ smtp: 'disabled' })
    expect((await test()).body).toMatchObject({ error: 'ERR_MAIL_NOT_CONFIGURED' })
  })

  it.each(['starttls', 'tls'] as const)(
    'by %s trusts only a certificate that somebody vouches for',
    async (security) => {
      const guarded = await tlsPeer(security)
      const settings = { emailHost: 'localhost', emailPort: guarded.port, emailSecure: security }
      const before = tls.getCACertificates('default')
      try {
        expect(await reason(settings)).toEqual(
          refusal('O certificado de localhost não é confiável ou é de outro servidor.'),
        )
        expect(guarded.mails).toEqual([])
        tls.setDefaultCACertificates([...before, certificate])
        expect((await test()).status).toBe(200)
        expect((await guarded.nextTo('eu@fora.test')).read.subject).toBe('E-mail de teste')
        // A certificate belongs to a name, and is invalid for another.
        expect(await reason({ ...settings, emailHost: '127.0.0.1' })).toEqual(
          refusal('O certificado de 127.0.0.1 não é confiável ou é de outro servidor.'),
        )
      } finally {
        tls.setDefaultCACertificates(before)
        await guarded.close()
      }
    },
  )

  it('does not wait for a server that says nothing', async () => {
    const mute = createServer(() => {}).listen(0, '127.0.0.1')
    await new Promise((resolve) => mute.once('listening', resolve))
    try {
      const { port } = mute.address() as { port: number }
      expect(await reason({ emailPort: port })).toEqual(
        refusal('O servidor 127.0.0.1 não respondeu a tempo. Confira a porta e a segurança.'),
      )
    } finally {
      mute.close()
    }
  })
})

describe('mails of the product', () => {
  it('leave after the commit, and not at all without one', async () => {
    await save()
    await write('Convite', 'Você foi convidada')
    const { read } = await peer.nextTo('cliente@fora.test')
    expect(read.text).toContain('Você foi convidada')
    expect(read.text).toContain('<b>sinais</b> & "aspas"')
    expect(read.html).toContain('&#60;b&#62;sinais')
    const before = peer.mails.length
    await expect(
      unit(product().platform, { tenantId, user: null }, async (ctx) => {
        await sendMail(ctx, { to: 'x@fora.test', subject: 'x', template: { title: 'x', lines: [] } })
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    await write('Depois', 'Depois', 'depois@fora.test')
    await peer.nextTo('depois@fora.test')
    expect(peer.mails).toHaveLength(before + 1)
  })

  it('carry no header that somebody wrote into a name or a subject', async () => {
    await save({ emailName: 'Loja\r\nBcc: espia@fora.test' })
    await write('Oi\r\nBcc: espia@fora.test\r\n\r\n<script>', 'Oi\r\n.\r\nMAIL FROM:<x@y.test>', 'alvo@fora.test')
    const { read, raw, to } = await peer.nextTo('alvo@fora.test')
    expect(to).toEqual(['alvo@fora.test'])
    expect(read.bcc ?? []).toEqual([])
    expect(raw.split('\r\n\r\n')[0]).not.toMatch(/^(bcc|cc):/im)
    expect(read.subject).toBe('Oi Bcc: espia@fora.test <script>')
    expect(read.from).toMatchObject({ address: 'contato@loja.test' })
    expect(peer.mails.filter((mail) => mail.to.includes('espia@fora.test'))).toEqual([])
  })

  it('wait encrypted: what the queue keeps names neither recipient nor link', async () => {
    await save({ emailPort: 1 })
    await write('Convite', 'Um título secreto', 'esperando@fora.test')
    const client = new pg.Client({ connectionString: product().ownerUrl })
    await client.connect()
    try {
      const failed = async () => {
        const { rows } = await client.query(
          `select payload::text || last_error as kept from graphile_worker._private_jobs where last_error is not null and ${OURS}`,
          [tenantId],
        )
        return rows
      }
      await until(async () => (await failed()).length > 0)
      const [job] = await failed()
      expect(job!.kept).toContain('mail: refused')
      expect(job!.kept).not.toMatch(/fora\.test|secreto/)
      // The next attempt takes the settings as they are by then.
      await save()
      await client.query(`update graphile_worker._private_jobs set run_at = now() where ${OURS}`, [tenantId])
      expect((await peer.nextTo('esperando@fora.test')).read.subject).toBe('Convite')
    } finally {
      await client.end()
    }
  })

  it('go through the installation where the company has no server of its own; without either the caller hears it', async () => {
    const other = await make(product().platform).tenant()
    await expect(write('Oi', 'Oi', 'de-longe@fora.test', other)).rejects.toMatchObject({
      code: 'ERR_MAIL_NOT_CONFIGURED',
    })
    const body = form({ emailName: 'Guichê', emailFrom: 'sistema@guiche.test' })
    const saved = await call(product(), installationMail.save, owner, { body })
    expect([saved.status, JSON.stringify(saved.body)]).toEqual([200, expect.not.stringContaining(login.password)])
    await write('Oi', 'Oi', 'de-longe@fora.test', other)
    expect((await peer.nextTo('de-longe@fora.test')).read.from).toMatchObject({ address: 'sistema@guiche.test' })
    expect((await call(product(), companyMail.read, admin)).body).toMatchObject({ hasFallback: true })
    expect((await call(product(), installationMail.test, owner, { body: { to: 'dona@fora.test' } })).status).toBe(200)
    await peer.nextTo('dona@fora.test')
  })

  it('one company’s password cannot be opened as another’s', async () => {
    await save()
    const { sealed } = JSON.parse(await stored())
    expect(() => product().platform.secrets.decrypt(sealed, `${tenantId + 1}/settings/mail`)).toThrow()
    expect(() => product().platform.secrets.decrypt(sealed, 'installation/mail')).toThrow()
  })
})
