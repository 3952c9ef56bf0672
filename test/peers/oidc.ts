import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** Account at the provider. */
export type Account = { sub: string; email: string; name: string; isVerified?: boolean }

/** Deviation of the next identity tokens from valid ones. */
export type Lie = {
  issuer?: string
  audience?: string
  nonce?: string
  expiredSeconds?: number
  /** Signed by a key that the provider never published. */
  isForged?: boolean
  /** Error with which the provider refuses the identity. */
  refusal?: string
}

type Request = { redirectUri: string; state: string; nonce: string; challenge: string }
type Grant = Request & { account: Account }

export const CLIENT = { id: 'guiche-teste', secret: 'segredo-do-cliente-1968' }

/**
 * Starts an OpenID provider on this machine: discovery, authorization with a page to choose an account, PKCE, token and
 * keys. It knows one client with its redirect addresses; each code is valid once.
 */
export async function startOidc(options: { redirectUris: string[]; accounts: Account[] }) {
  const { redirectUris, accounts } = options
  const [keys, others] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const published = { ...(await exportJWK(keys.publicKey)), kid: 'chave-1', alg: 'RS256', use: 'sig' }
  const requests = new Map<string, Request>()
  const grants = new Map<string, Grant>()
  const asked: string[] = []
  let lie: Lie = {}
  let issuer = ''

  const routes: Record<string, (url: URL, request: IncomingMessage, response: ServerResponse) => unknown> = {
    'GET /.well-known/openid-configuration': (_, __, response) =>
      json(response, 200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      }),
    'GET /jwks': (_, __, response) => json(response, 200, { keys: [published] }),
    'GET /authorize': ({ searchParams: given }, _, response) => {
      const redirectUri = given.get('redirect_uri') ?? ''
      const isWhole =
        given.get('client_id') === CLIENT.id &&
        redirectUris.includes(redirectUri) &&
        given.get('response_type') === 'code' &&
        given.get('scope')?.split(' ').includes('openid') &&
        given.get('code_challenge_method') === 'S256'
      if (!isWhole) return json(response, 400, { error: 'invalid_request' })
      const id = randomUUID()
      const [state, nonce, challenge] = ['state', 'nonce', 'code_challenge'].map((name) => given.get(name) ?? '')
      requests.set(id, { redirectUri, state: state!, nonce: nonce!, challenge: challenge! })
      const links = accounts.map(({ sub, email }) => `<p><a href="/approve?id=${id}&as=${sub}">${email}</a></p>`)
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(`<html lang="pt-BR"><title>Provedor</title><h1>Escolha uma conta</h1>${links.join('')}
        <p><a href="/approve?id=${id}">Cancelar</a></p></html>`)
    },
    'GET /approve': ({ searchParams: given }, _, response) => {
      const request = requests.get(given.get('id') ?? '')
      requests.delete(given.get('id') ?? '')
      if (!request) return json(response, 400, { error: 'invalid_request' })
      const account = accounts.find(({ sub }) => sub === given.get('as'))
      const back = new URL(request.redirectUri)
      back.searchParams.set('state', request.state)
      back.searchParams.set('iss', issuer)
      if (account) {
        const code = randomUUID()
        grants.set(code, { ...request, account })
        back.searchParams.set('code', code)
      } else back.searchParams.set('error', 'access_denied')
      response.writeHead(302, { location: back.href }).end()
    },
    'POST /token': async (_, request, response) => {
      const given = new URLSearchParams(await bodyOf(request))
      if (lie.refusal) return json(response, 400, { error: lie.refusal, error_description: lie.refusal })
      const code = given.get('code') ?? ''
      const grant = grants.get(code)
      grants.delete(code)
      const [id, secret] = clientOf(request, given)
      if (id !== CLIENT.id || secret !== CLIENT.secret) return json(response, 401, { error: 'invalid_client' })
      const verifier = createHash('sha256')
        .update(given.get('code_verifier') ?? '')
        .digest('base64url')
      const isRight = grant?.redirectUri === given.get('redirect_uri') && grant?.challenge === verifier
      if (!grant || !isRight) return json(response, 400, { error: 'invalid_grant' })
      const { sub, email, name, isVerified = true } = grant.account
      const now = Math.floor(Date.now() / 1000)
      const idToken = await new SignJWT({ email, email_verified: isVerified, name, nonce: lie.nonce ?? grant.nonce })
        .setProtectedHeader({ alg: 'RS256', kid: 'chave-1' })
        .setIssuer(lie.issuer ?? issuer)
        .setAudience(lie.audience ?? CLIENT.id)
        .setSubject(sub)
        .setIssuedAt(now - (lie.expiredSeconds ?? 0) - 60)
        .setExpirationTime(now + 300 - (lie.expiredSeconds ? lie.expiredSeconds + 300 : 0))
        .sign(lie.isForged ? others.privateKey : keys.privateKey)
      json(response, 200, { access_token: randomUUID(), token_type: 'Bearer', expires_in: 300, id_token: idToken })
    },
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', issuer)
    asked.push(`${request.method} ${url.pathname}`)
    const route = routes[`${request.method} ${url.pathname}`]
    if (route) void route(url, request, response)
    else json(response, 404, { error: 'not_found' })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    issuer,
    /** Requests to the provider, in order. */
    asked,
    /** Changes the identity tokens from now on, until the next call; without an argument they are valid. */
    lie: (next: Lie = {}) => {
      lie = next
    },
    /** Opens the address as a browser, chooses an account (none cancels), and returns the redirect URL. */
    async visit(address: string, sub?: string): Promise<URL> {
      const page = await (await fetch(address)).text()
      const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, link]) => link!)
      const link = links.find((one) => (sub ? one.endsWith(`&as=${sub}`) : !one.includes('&as=')))
      if (!link) throw new Error(`no such account at the provider: ${page}`)
      const answer = await fetch(new URL(link, issuer), { redirect: 'manual' })
      return new URL(answer.headers.get('location')!)
    },
    close: () => new Promise<void>((done) => void server.close(() => done())),
  }
}

function json(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

// RFC 6749, 2.3.1: in the header, or in the body.
function clientOf({ headers }: IncomingMessage, given: URLSearchParams): (string | null)[] {
  const [, basic] = headers.authorization?.split(' ') ?? []
  if (!basic) return [given.get('client_id'), given.get('client_secret')]
  return Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent)
}
