import { memberOf } from '#domain/present.ts'
import type { ProviderField } from '#kit/provider.ts'
import { type ChannelConfig, noCapabilities } from '../config.ts'

const MB = 1_000_000
const caption = 60_000

// With a Google or Microsoft login there is nothing to fill in, as the servers are known.
const onlyFor = { of: 'login', is: ['password'] }

const host = (label: string): ProviderField => ({
  onlyFor,
  ...{ kind: 'text', label, format: 'host', max: 253, required: true, missing: 'Informe o servidor.', asksAgain: true },
})
const port = (of: string, is: Readonly<Record<string, number>>): ProviderField => ({
  onlyFor,
  ...{ kind: 'number', label: 'Porta', required: true, whole: true, min: 1, max: 65_535 },
  ...{ default: memberOf(is, 'tls'), usual: { of, is } },
})
const protection = (): ProviderField => ({
  onlyFor,
  kind: 'choice',
  label: 'Segurança',
  hint: 'Sem TLS, o servidor só pode ser de uma rede permitida (OUTBOUND_ALLOW).',
  required: true,
  options: { tls: 'TLS', starttls: 'STARTTLS', none: 'Sem proteção' },
  default: 'tls',
  asksAgain: ['none'],
})

/** Config of a mailbox: read by IMAP, without changing it, and answered by SMTP. */
export const webmailConfig: ChannelConfig = {
  id: 'webmail',
  types: [{ type: 'webmail', name: 'WebMail' }],
  look: { icon: 'email', color: 'amber' },
  isPersistent: true,
  continues: 'others',
  renews: 'refreshToken',
  environment: ['GOOGLE_LOGIN_URL', 'GOOGLE_TOKEN_URL', 'MICROSOFT_LOGIN_URL', 'GMAIL_SERVERS', 'OUTLOOK_SERVERS'],
  settings: {
    name: 'Gmail e Microsoft 365',
    fields: {
      googleId: { kind: 'text', label: 'Google: ID do cliente', max: 200 },
      googleSecret: { kind: 'secret', label: 'Google: chave secreta do cliente' },
      microsoftId: { kind: 'text', label: 'Microsoft: ID do aplicativo (cliente)', max: 200 },
      microsoftSecret: { kind: 'secret', label: 'Microsoft: valor do segredo do cliente' },
      microsoftTenant: {
        ...{ kind: 'text', label: 'Microsoft: ID do diretório (locatário)', max: 100 },
        hint: 'Em branco, serve para contas de qualquer organização.',
      },
    },
    signup: { logins: { google: 'Google', microsoft: 'Microsoft' }, back: '/gmail/callbackUrlBack' },
  },
  about: {
    does: 'A caixa de e-mail da empresa: cada assunto vira um atendimento.',
    asks: 'O endereço e a senha de app, ou uma conta do Google ou da Microsoft.',
    takes: '5 minutos',
    isOfficial: true,
  },
  fields: {
    from: { kind: 'email', label: 'Endereço de e-mail', required: true, isAccount: true },
    fromName: { kind: 'text', label: 'Nome de quem envia', max: 100 },
    login: {
      kind: 'choice',
      label: 'Como o Guichê entra',
      hint: 'Contas do Google e da Microsoft são conectadas em Configurações › Gmail e Microsoft 365.',
      required: true,
      options: { password: 'Usuário e senha', google: 'Login do Google', microsoft: 'Login da Microsoft' },
      default: 'password',
    },
    refreshToken: {
      kind: 'secret',
      label: 'Autorização',
      required: true,
      missing: 'Entre com a conta em Configurações › Gmail e Microsoft 365.',
      again: 'Entre de novo com a conta em Configurações › Gmail e Microsoft 365.',
      onlyFor: { of: 'login', is: ['google', 'microsoft'] },
    },
    user: {
      ...{ kind: 'text', label: 'Usuário', hint: 'Em branco onde é o próprio endereço.', max: 254 },
      ...{ asksAgain: true, onlyFor },
    },
    pass: {
      kind: 'secret',
      label: 'Senha',
      hint: 'Com verificação em duas etapas, uma senha de app.',
      required: true,
      missing: 'Informe a senha.',
      onlyFor,
      again: 'Informe a senha de novo: um servidor, o usuário ou a segurança mudou.',
    },
    imapHost: host('Servidor IMAP'),
    imapSecure: protection(),
    imapPort: port('imapSecure', { tls: 993, starttls: 143, none: 143 }),
    host: host('Servidor SMTP'),
    secure: protection(),
    port: port('secure', { tls: 465, starttls: 587, none: 25 }),
    replyTo: { kind: 'email', label: 'Responder para', hint: 'Em branco onde é o mesmo endereço.' },
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
