import type { z } from 'zod'
import { parseJson, readOutside } from '#kit/outside.ts'
import { numberOrText, record, textOrNumber as text } from '#kit/outside-fields.ts'
import type { ProviderValues } from '#kit/provider.ts'
import {
  type ChannelTools,
  type GrantedAccount,
  type RenewedSecret,
  type SendFailure,
  type SignupDesk,
  sendFailure,
} from '../port.ts'

/** Issuer of mailbox tokens, which replace a password. */
type Issuer = {
  readonly name: string
  readonly clientId: string
  readonly clientSecret: string
  readonly page: string
  readonly tokens: string
  readonly scopes: readonly string[]
  /** Further parameters of the login page. */
  readonly extra: Readonly<Record<string, string>>
  readonly servers: string
  /** Scopes that mailbox access requires. */
  readonly needed: readonly string[]
  /** Lifetime of a refresh token in ms; null: until it is revoked. */
  readonly validMs: number | null
}
type Tools = Pick<ChannelTools, 'fetch' | 'environment' | 'settings' | 'now'>

/** Time before its expiry at which a token counts as expired, in ms. */
const MARGIN_MS = 120_000
const DAY_MS = 86_400_000
const MOST_ANSWER = 100_000
const GMAIL = 'https://mail.google.com/'
const OUTLOOK = ['https://outlook.office.com/IMAP.AccessAsUser.All', 'https://outlook.office.com/SMTP.Send']

function issuerOf(login: string, { environment, settings }: Pick<Tools, 'environment' | 'settings'>): Issuer | null {
  const text = (name: string) => String(settings[name] ?? '').trim()
  if (login === 'google')
    return {
      ...{ name: 'Google', clientId: text('googleId'), clientSecret: text('googleSecret') },
      ...{ page: environment['GOOGLE_LOGIN_URL'] ?? '', tokens: environment['GOOGLE_TOKEN_URL'] ?? '' },
      ...{ scopes: [GMAIL, 'openid', 'email'], needed: [GMAIL], validMs: null },
      // A refresh token is issued only with a new consent.
      extra: { access_type: 'offline', prompt: 'select_account consent' },
      servers: environment['GMAIL_SERVERS'] ?? '',
    }
  if (login !== 'microsoft') return null
  const origin = (environment['MICROSOFT_LOGIN_URL'] ?? '').replace(/\/$/, '')
  const base = `${origin}/${encodeURIComponent(text('microsoftTenant') || 'common')}/oauth2/v2.0`
  return {
    ...{ name: 'Microsoft', clientId: text('microsoftId'), clientSecret: text('microsoftSecret') },
    ...{ page: `${base}/authorize`, tokens: `${base}/token`, validMs: 90 * DAY_MS },
    ...{ scopes: [...OUTLOOK, 'offline_access', 'openid', 'email', 'profile'], needed: OUTLOOK },
    extra: { prompt: 'select_account' },
    servers: environment['OUTLOOK_SERVERS'] ?? '',
  }
}

const answer = record({
  ...{ access_token: text, expires_in: numberOrText, refresh_token: text, scope: text, id_token: text, error: text },
})
type Answer = z.output<typeof answer>

type Failed = SendFailure & { readonly isRevoked?: true }

const RECONNECT = 'Reconecte: entre de novo com a conta em Configurações › Gmail e Microsoft 365.'
const revoked = (name: string) =>
  Object.assign(
    sendFailure('unreachable', `O ${name} não aceita mais esta autorização. ${RECONNECT}`, { stops: 'token' }),
    { isRevoked: true as const },
  )

/** Requests tokens (RFC 6749). Fails like a send, with `stops` if only a person can help. */
async function ask(issuer: Issuer, form: Readonly<Record<string, string>>, { fetch }: Tools): Promise<Answer> {
  const { name, clientId, clientSecret, tokens } = issuer
  if (!clientId || !clientSecret)
    throw sendFailure('unreachable', `Faltam o ID e a chave do aplicativo do ${name} nas configurações.`, {
      stops: 'token',
    })
  const { status, body } = await fetch(tokens, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({ ...form, client_id: clientId, client_secret: clientSecret }).toString(),
    maxBytes: MOST_ANSWER,
  }).catch(() => {
    throw sendFailure('unreachable', `O ${name} não respondeu.`)
  })
  const login = readOutside(answer, read(body))?.data ?? {}
  if (status === 200 && login.access_token) return login
  if (login.error === 'invalid_grant') throw revoked(name)
  if (status >= 400 && status < 500 && status !== 429)
    throw sendFailure('unreachable', `O ${name} não aceitou o ID ou a chave do aplicativo. Confira as configurações.`, {
      stops: 'token',
    })
  throw sendFailure('unreachable', `O ${name} não respondeu.`)
}

function read(body: Uint8Array): unknown {
  try {
    return parseJson(body)
  } catch {
    return {}
  }
}

const claims = record({ email: text, preferred_username: text, upn: text })

/**
 * Returns the mail address in an ID token. The token came over TLS from its issuer, so the signature needs no check (OpenID
 * Connect Core, 3.1.3.7).
 */
function addressIn({ id_token: token = '' }: Answer): string {
  const given = read(Buffer.from(token.split('.')[1] ?? '', 'base64url'))
  const { email, preferred_username: name, upn } = readOutside(claims, given)?.data ?? {}
  return ([email, name, upn].find((one) => one?.includes('@')) ?? '').toLowerCase()
}

const SECURITY: Readonly<Record<number, 'tls' | 'starttls'>> = {
  993: 'tls',
  465: 'tls',
  143: 'starttls',
  587: 'starttls',
}

function serversOf(servers: string): ProviderValues {
  const [[imapHost, imapPort], [host, port]] = servers.split(',').map((one) => {
    const [name = '', number = ''] = one.split(':')
    return [name, Number(number)] as const
  }) as [readonly [string, number], readonly [string, number]]
  const [imapSecure, secure] = [SECURITY[imapPort] ?? 'none', SECURITY[port] ?? 'none']
  return { imapHost, imapPort, imapSecure, host, port, secure }
}

/** Returns the logins at Google and Microsoft that connect a mailbox: authorization code with PKCE. */
export const mailLogins = (tools: Tools): SignupDesk => ({
  address({ login, state, back, challenge }) {
    const issuer = issuerOf(login, tools)
    if (!issuer?.clientId || !issuer.clientSecret) return null
    const query = new URLSearchParams({
      ...{ client_id: issuer.clientId, redirect_uri: back, response_type: 'code', scope: issuer.scopes.join(' ') },
      ...{ state, code_challenge: challenge, code_challenge_method: 'S256', ...issuer.extra },
    })
    return `${issuer.page}?${query}`
  },
  async exchange({ login, code, back, verifier }): Promise<GrantedAccount[]> {
    const issuer = issuerOf(login, tools)!
    const { name } = issuer
    const form = { grant_type: 'authorization_code', code, redirect_uri: back, code_verifier: verifier }
    const answer = await ask(issuer, form, tools).catch((error: Failed) => {
      throw error.isRevoked
        ? sendFailure('refused', `O ${name} não aceitou o login, ou ele venceu. Comece de novo.`)
        : error
    })
    const given = new Set((answer.scope ?? '').toLowerCase().split(' '))
    if (issuer.needed.some((one) => !given.has(one.toLowerCase())))
      throw sendFailure('refused', `O acesso à caixa de e-mail não foi permitido no ${name}. Entre de novo e marque-o.`)
    const from = addressIn(answer)
    if (!from) throw sendFailure('refused', `O ${name} não disse de quem é a conta. Entre de novo.`)
    if (!answer.refresh_token)
      throw sendFailure(
        'refused',
        `O ${name} não deu um acesso que dure. Retire lá o acesso do aplicativo e entre de novo.`,
      )
    const values = { login, from, user: '', pass: '', refreshToken: answer.refresh_token, ...serversOf(issuer.servers) }
    return [{ account: from, type: 'webmail', name: from, label: from, values }]
  },
})

/** Tests whether the OAuth apps in the settings are known, by refreshing an invalid token: only a known app gets that error. */
export async function testLogins(tools: Tools): Promise<{ ok: true } | { ok: false; problem: string }> {
  const filled = ['google', 'microsoft'].flatMap((login) => issuerOf(login, tools) ?? []).filter((one) => one.clientId)
  if (filled.length === 0)
    return { ok: false, problem: 'Preencha o ID e a chave do aplicativo do Google ou da Microsoft.' }
  for (const issuer of filled) {
    const problem = await ask(issuer, { grant_type: 'refresh_token', refresh_token: 'x' }, tools).then(
      () => null,
      (error: Failed) => (error.isRevoked ? null : error.message),
    )
    if (problem !== null) return { ok: false, problem }
  }
  return { ok: true }
}

/** Access tokens of a mailbox, valid for about an hour and refreshed on expiry. */
export type MailTokens = {
  readonly name: string
  /** Returns the current access token; a new one if it equals `refused`. */
  access(refused?: string): Promise<string>
  renew(): Promise<RenewedSecret | null>
}

/** Returns the tokens of a mailbox connected by a login; null if it has a password. */
export function tokensOf(values: ProviderValues, tools: Tools): MailTokens | null {
  const issuer = issuerOf(String(values['login'] ?? ''), tools)
  if (!issuer) return null
  const secret = String(values['refreshToken'] ?? '')
  let known: { readonly token: string; readonly until: number } | null = null
  let asking: Promise<string> | null = null
  const refresh = () => ask(issuer, { grant_type: 'refresh_token', refresh_token: secret }, tools)
  const renewed = async () => {
    const { access_token: token, expires_in: seconds = 3600 } = await refresh()
    known = { token: token!, until: tools.now().getTime() + Number(seconds) * 1000 - MARGIN_MS }
    return token!
  }
  return {
    name: issuer.name,
    async access(refused) {
      if (known && known.token !== refused && known.until > tools.now().getTime()) return known.token
      asking ??= renewed().finally(() => {
        asking = null
      })
      return asking
    },
    async renew() {
      if (issuer.validMs === null) return null
      const { refresh_token: next } = await refresh()
      return next ? { field: 'refreshToken', secret: next, until: tools.now().getTime() + issuer.validMs } : null
    },
  }
}

/** Creates the error of a mailbox whose server refuses all of its tokens. */
export const refusedToken = ({ name }: Pick<MailTokens, 'name'>) => revoked(name)
