import type { ProviderField } from '#kit/provider.ts'
import { type ChannelConfig, noCapabilities } from '../config.ts'

const MB = 1_000_000
const caption = 60_000

const host = (label: string): ProviderField => ({
  ...{ kind: 'text', label, format: 'host', max: 253, required: true, missing: 'Informe o servidor.', asksAgain: true },
})
const port = (of: string, is: Readonly<Record<string, number>>): ProviderField => ({
  ...{ kind: 'number', label: 'Porta', required: true, whole: true, min: 1, max: 65_535 },
  ...{ default: is['tls']!, usual: { of, is } },
})
const protection = (): ProviderField => ({
  kind: 'choice',
  label: 'Segurança',
  hint: 'Sem TLS, o servidor só pode ser de uma rede permitida (OUTBOUND_ALLOW).',
  required: true,
  options: { tls: 'TLS', starttls: 'STARTTLS', none: 'Sem proteção' },
  default: 'tls',
  asksAgain: ['none'],
})

/** A mailbox: read by IMAP, which changes nothing in it, and answered by SMTP. */
export const webmailConfig: ChannelConfig = {
  id: 'webmail',
  types: [{ type: 'webmail', name: 'WebMail' }],
  look: { icon: 'email', color: 'amber' },
  isUnfinished: true,
  isPersistent: true,
  fields: {
    from: { kind: 'email', label: 'Endereço de e-mail', required: true },
    fromName: { kind: 'text', label: 'Nome de quem envia', max: 100 },
    user: { kind: 'text', label: 'Usuário', hint: 'Vazio onde é o próprio endereço.', max: 254, asksAgain: true },
    pass: {
      kind: 'secret',
      label: 'Senha',
      hint: 'Com verificação em duas etapas, uma senha de app.',
      required: true,
      again: 'Informe a senha de novo: um servidor, o usuário ou a segurança mudou.',
    },
    imapHost: host('Servidor IMAP'),
    imapSecure: protection(),
    imapPort: port('imapSecure', { tls: 993, starttls: 143, none: 143 }),
    host: host('Servidor SMTP'),
    secure: protection(),
    port: port('secure', { tls: 465, starttls: 587, none: 25 }),
    replyTo: { kind: 'email', label: 'Responder para', hint: 'Vazio onde é o mesmo endereço.' },
    signature: { kind: 'longtext', label: 'Assinatura', max: 2000 },
    days: {
      kind: 'number',
      label: 'Trazer os e-mails dos últimos dias',
      hint: 'Na primeira conexão; 0 traz só o que chegar a partir dela.',
      ...{ whole: true, min: 0, max: 30, default: 0 },
    },
  },
  capabilities: {
    ...noCapabilities,
    maxTextLength: 60_000,
    files: {
      image: { maxBytes: 25 * MB, caption },
      video: { maxBytes: 25 * MB, caption },
      audio: { maxBytes: 25 * MB, caption },
      document: { maxBytes: 25 * MB, caption },
    },
    threads: true,
    settledWithin: 60,
  },
}
