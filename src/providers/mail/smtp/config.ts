import type { ProviderConfig } from '#kit/provider.ts'

/** Config of the SMTP server for outgoing mail; without a user, no login. */
export const smtpConfig = {
  id: 'smtp',
  name: 'SMTP',
  fields: {
    emailHost: {
      kind: 'text',
      label: 'Servidor SMTP',
      format: 'host',
      max: 253,
      required: true,
      missing: 'Informe o servidor.',
      asksAgain: true,
    },
    emailPort: {
      kind: 'number',
      label: 'Porta',
      required: true,
      whole: true,
      min: 1,
      max: 65_535,
      default: 587,
      usual: { of: 'emailSecure', is: { starttls: 587, tls: 465, none: 25 } },
    },
    emailSecure: {
      kind: 'choice',
      label: 'Segurança',
      hint: 'Sem TLS, o servidor só pode ser desta máquina ou de uma rede permitida.',
      required: true,
      options: { starttls: 'STARTTLS', tls: 'TLS', none: 'Sem proteção' },
      inView: true,
      default: 'starttls',
      asksAgain: ['none'],
    },
    emailUser: { kind: 'text', label: 'Usuário', max: 254, asksAgain: true },
    emailPass: {
      kind: 'secret',
      label: 'Senha',
      again: 'Informe a senha de novo: o servidor, o usuário ou a segurança mudou.',
    },
  },
} as const satisfies ProviderConfig
