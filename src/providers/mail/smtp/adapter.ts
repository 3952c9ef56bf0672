import { isIP } from 'node:net'
import { fieldIn, textFieldIn } from '#domain/keys.ts'
import { codeOf } from '#kit/errors.ts'
import type { ProviderValues } from '#kit/provider.ts'
import { type Mail, type MailProblem, type MailTools, type MakeMailAdapter, withoutLineBreaks } from '../port.ts'

const CONNECT_MS = 5000
const ANSWER_MS = 15_000

/** Time-out of a host name's look-up, in ms. */
const LOOKUP_MS = 5000

/** Creates the SMTP adapter: connects to the checked address, while TLS verifies the certificate of the host name. */
export const smtpAdapter: MakeMailAdapter = (values, tools) => ({
  async send(mail) {
    const failed = await attempt(values, tools, mail)
    return failed ? { ok: false, ...failed, text: textOf(failed, values) } : { ok: true }
  },
})

type Failed = { problem: MailProblem; status: number | null; hasLeft: boolean }

const NOT_SENT = { status: null, hasLeft: false } as const

async function attempt(values: ProviderValues, tools: MailTools, mail: Mail): Promise<Failed | null> {
  const address = await lookUp(String(values['emailHost']), tools)
  if ('problem' in address) return { ...address, ...NOT_SENT }
  // Without encryption mails go only to this machine or the allowed networks.
  if (values['emailSecure'] === 'none' && !tools.isNear(address.found)) return { problem: 'unprotected', ...NOT_SENT }
  return handOver(values, address.found, mail)
}

async function lookUp(host: string, { addressOf }: MailTools): Promise<{ found: string } | { problem: MailProblem }> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timeout')), LOOKUP_MS)
  })
  try {
    return { found: await Promise.race([addressOf(host), tooLong]) }
  } catch (error) {
    return { problem: codeOf(error) === 'ERR_ADDRESS_REFUSED' ? 'address' : 'host' }
  } finally {
    clearTimeout(timer)
  }
}

async function handOver(values: ProviderValues, address: string, mail: Mail): Promise<Failed | null> {
  const { createTransport } = await import('nodemailer')
  const { emailHost, emailPort, emailSecure, emailUser, emailPass } = values
  const host = String(emailHost)
  const transport = createTransport({
    host: address,
    ...(isIP(host) ? {} : { servername: host }),
    port: Number(emailPort),
    secure: emailSecure === 'tls',
    requireTLS: emailSecure === 'starttls',
    ignoreTLS: emailSecure === 'none',
    ...(emailUser ? { auth: { user: String(emailUser), pass: String(emailPass ?? '') } } : {}),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: ANSWER_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  })
  let hasLeft = false
  // The mail is not read before the server requests it.
  transport.use('stream', ({ message }, done) => {
    message.processFunc((stream) =>
      stream.once('end', () => {
        hasLeft = true
      }),
    )
    done()
  })
  const domain = mail.from.address.split('@')[1]
  try {
    await transport.sendMail({
      from: { name: withoutLineBreaks(mail.from.name), address: mail.from.address },
      to: { name: '', address: mail.to },
      subject: withoutLineBreaks(mail.subject),
      text: mail.text,
      ...(mail.html === undefined ? {} : { html: mail.html }),
      messageId: `<${mail.id}@${domain}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
    return null
  } catch (error) {
    return { ...explain(error), hasLeft }
  } finally {
    transport.close()
  }
}

const byCode: Readonly<Record<string, MailProblem>> = {
  EDNS: 'host',
  ENOTFOUND: 'host',
  ECONNREFUSED: 'refused',
  ECONNECTION: 'refused',
  ETIMEDOUT: 'timeout',
  EAUTH: 'login',
  ENOAUTH: 'login',
  ETLS: 'protection',
}

function explain(error: unknown): Omit<Failed, 'hasLeft'> {
  const [code, command, message] = [
    textFieldIn(error, 'code'),
    textFieldIn(error, 'command'),
    textFieldIn(error, 'message'),
  ]
  const responseCode = fieldIn(error, 'responseCode')
  const status = typeof responseCode === 'number' ? responseCode : null
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code) || /certificate|altnames/i.test(message))
    return { problem: 'certificate', status }
  if (/wrong version number|packet length|EPROTO/i.test(`${code} ${message}`)) return { problem: 'protection', status }
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/.test(message)) return { problem: 'refused', status }
  if (code === 'EENVELOPE') return { problem: command.startsWith('MAIL') ? 'sender' : 'recipient', status }
  return { problem: byCode[code] ?? 'other', status }
}

function textOf({ problem, status }: Failed, { emailHost, emailPort }: ProviderValues): string {
  const answer = status ? ` (resposta ${status})` : ''
  const texts: Record<MailProblem, string> = {
    address: `O endereço ${emailHost} não pode ser usado daqui: fica numa rede privada que não foi permitida.`,
    host: `O servidor ${emailHost} não foi encontrado. Confira o nome.`,
    refused: `Ninguém atende em ${emailHost}, porta ${emailPort}. Confira a porta.`,
    timeout: `O servidor ${emailHost} não respondeu a tempo. Confira a porta e a segurança.`,
    certificate: `O certificado de ${emailHost} não é confiável ou é de outro servidor.`,
    protection: 'A conexão não pôde ser protegida como escolhido. Confira a porta e a segurança.',
    unprotected: 'Sem proteção, um e-mail só vai a um servidor desta máquina ou de uma rede permitida.',
    login: `O servidor recusou o usuário ou a senha${answer}.`,
    sender: `O servidor não aceita este remetente${answer}.`,
    recipient: `O servidor não aceita este destinatário${answer}.`,
    other: `O servidor não aceitou o e-mail${answer}.`,
  }
  return texts[problem]
}
