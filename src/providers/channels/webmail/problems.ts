import { fieldIn, textFieldIn } from '#domain/keys.ts'
import { AppError } from '#kit/errors.ts'
import { isSendFailure } from '../port.ts'
import type { MailServer } from './account.ts'

/** Responses to a valid login that the server cannot accept now (RFC 5530). */
const BUSY = new Set(['UNAVAILABLE', 'LIMIT', 'INUSE', 'SERVERBUG'])

/** Whether a server refused user or password, so that a retry is useless and could lock the account. */
export function isLoginRefused(error: unknown): boolean {
  if (fieldIn(error, 'authenticationFailed')) return !BUSY.has(textFieldIn(error, 'serverResponseCode').toUpperCase())
  const [code, responseCode] = [textFieldIn(error, 'code'), Number(fieldIn(error, 'responseCode') ?? 535)]
  return (code === 'EAUTH' || code === 'ENOAUTH') && responseCode >= 500
}

/** Returns a sentence on what is wrong with a server's settings. */
export function problemOf(error: unknown, { host, port }: MailServer, name: 'IMAP' | 'SMTP'): string {
  if (isSendFailure(error)) return error.message
  const [code, message] = [textFieldIn(error, 'code'), textFieldIn(error, 'message')]
  if (error instanceof AppError && error.code === 'ERR_ADDRESS_REFUSED')
    return `O endereço ${host} não pode ser usado daqui: fica numa rede privada que não foi permitida (OUTBOUND_ALLOW).`
  if (isLoginRefused(error)) return `O servidor ${name} recusou o usuário ou a senha.`
  if (fieldIn(error, 'authenticationFailed') || code === 'EAUTH')
    return `O servidor ${name} não deixa entrar agora. Tente de novo daqui a pouco.`
  const { reason = '' } = error instanceof AppError ? (error.details ?? {}) : {}
  const found = PROBLEMS.find(([pattern]) => pattern.test(`${reason} ${code} ${message}`))
  return found?.[1](host, port) ?? `A conexão com ${host} caiu antes da resposta. Confira a porta e a segurança.`
}

const PROBLEMS: readonly (readonly [RegExp, (host: string, port: number) => string])[] = [
  [/ENOTFOUND|EDNS|EAI_AGAIN|ENODATA/, (host) => `O servidor ${host} não foi encontrado. Confira o nome.`],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|certificate|altnames/i,
    (host) => `O certificado de ${host} não é confiável ou é de outro servidor.`,
  ],
  [
    /wrong version number|packet length|EPROTO|ETLS|STARTTLS|tlsFailed/i,
    (host) => `A conexão com ${host} não pôde ser protegida como escolhido. Confira a porta e a segurança.`,
  ],
  [
    /^connection |ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/,
    (host, port) => `Ninguém atende em ${host}, porta ${port}. Confira a porta.`,
  ],
  [/timeout|ETIMEDOUT/i, (host) => `O servidor ${host} não respondeu a tempo. Confira a porta e a segurança.`],
]
