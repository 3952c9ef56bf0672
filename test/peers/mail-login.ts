import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Permission given to an app: the mailbox and the scope. */
type Grant = { readonly email: string; readonly scope: string }
type Asked = Grant & { readonly back: string; readonly challenge: string; readonly client: string }

export const GOOGLE_APP = { id: 'guiche.apps.example', secret: 'segredo-google' }
export const MICROSOFT_APP = { id: 'b1f9-guiche', secret: 'segredo-microsoft', tenant: 'empresa.example' }

/**
 * Starts the mailbox logins of Google and Microsoft, as documented: a one-time authorization code with PKCE, and an access
 * token for an hour, renewed with a refresh token. Microsoft returns a new refresh token each time.
 */
export async function startMailLogin({ email, now = () => new Date() }: { email: string; now?: () => Date }) {
  const codes = new Map<string, Asked>()
  const lasting = new Map<string, Grant>()
  const valid = new Map<string, number>()
  const state = {
    email,
    /** Scopes that the person does not permit. */
    withheld: [] as string[],
    /** Whether no refresh token is returned, as after an earlier permission without a new consent. */
    isOnce: false,
    /** Number of the next token requests that fail. */
    failures: 0,
    holdsSeconds: 3600,
  }
  /** Parameters of the token requests; `called` lists every requested address. */
  const asked: URLSearchParams[] = []
  const called: string[] = []

  const token = (email: string, { scope }: Pick<Grant, 'scope'>) => {
    const made = `ya29.${randomUUID()}`
    valid.set(made, now().getTime() + state.holdsSeconds * 1000)
    const claims = Buffer.from(JSON.stringify({ email, sub: '1' })).toString('base64url')
    return {
      ...{ access_token: made, expires_in: state.holdsSeconds, token_type: 'Bearer', scope },
      id_token: `e30.${claims}.assinatura`,
    }
  }

  function give(form: URLSearchParams, app: { id: string; secret: string }, isRotated: boolean): [number, object] {
    asked.push(form)
    if (state.failures > 0) {
      state.failures--
      return [503, { error: 'temporarily_unavailable' }]
    }
    if (form.get('client_id') !== app.id || form.get('client_secret') !== app.secret)
      return [401, { error: 'invalid_client' }]
    if (form.get('grant_type') === 'refresh_token') {
      const known = form.get('refresh_token') ?? ''
      const grant = lasting.get(known)
      if (!grant) return [400, { error: 'invalid_grant' }]
      const next = isRotated ? `1//${randomUUID()}` : undefined
      if (next) lasting.set(next, grant)
      return [200, { ...token(grant.email, grant), ...(next ? { refresh_token: next } : {}) }]
    }
    const code = form.get('code') ?? ''
    const grant = codes.get(code)
    codes.delete(code)
    const shown = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight = grant && grant.challenge === shown && grant.back === form.get('redirect_uri')
    if (!isRight || form.get('grant_type') !== 'authorization_code') return [400, { error: 'invalid_grant' }]
    const kept = `1//${randomUUID()}`
    lasting.set(kept, grant)
    return [200, { ...token(grant.email, grant), ...(state.isOnce ? {} : { refresh_token: kept }) }]
  }

  function authorize(query: URLSearchParams, app: { id: string }): string | null {
    const [back, client, challenge] = ['redirect_uri', 'client_id', 'code_challenge'].map((one) => query.get(one) ?? '')
    const isWhole =
      client === app.id && query.get('response_type') === 'code' && query.get('code_challenge_method') === 'S256'
    if (!isWhole || challenge!.length !== 43) return null
    const wanted = (query.get('scope') ?? '').split(' ')
    const scope = wanted.filter((one) => !state.withheld.includes(one) && one !== 'offline_access').join(' ')
    const code = `4/${randomUUID()}`
    codes.set(code, { email: state.email, scope, back: back!, challenge: challenge!, client: client! })
    const to = new URL(back!)
    // Google adds who it was and what was permitted.
    for (const [name, value] of Object.entries({ state: query.get('state') ?? '', code, scope, authuser: '0' }))
      to.searchParams.set(name, value)
    return to.href
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://x')
    called.push(`${request.method} ${request.url}`)
    const json = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const isMicrosoft = url.pathname.startsWith(`/${MICROSOFT_APP.tenant}/oauth2/v2.0/`)
    const app = isMicrosoft ? MICROSOFT_APP : GOOGLE_APP
    const step = url.pathname.slice(url.pathname.lastIndexOf('/') + 1)
    if (request.method === 'POST' && step === 'token') {
      const [status, body] = give(new URLSearchParams(await bodyOf(request)), app, isMicrosoft)
      return json(status, body)
    }
    const to = step === 'auth' || step === 'authorize' ? authorize(url.searchParams, app) : null
    if (to === null) return json(400, { error: 'invalid_request' })
    return response.writeHead(302, { location: to }).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    address,
    environment: {
      ...{ GOOGLE_LOGIN_URL: `${address}/o/oauth2/v2/auth`, GOOGLE_TOKEN_URL: `${address}/token` },
      MICROSOFT_LOGIN_URL: address,
    },
    ...{ state, asked, called },
    /** Access tokens that a mail server accepts at present. */
    tokens: { has: (one: string) => (valid.get(one) ?? 0) > now().getTime() },
    /** Expires all access tokens given so far. */
    expire: () => valid.clear(),
    /** Revokes the person's permission. */
    revoke: () => {
      lasting.clear()
      valid.clear()
    },
    /** Opens the login page and returns the URL that it redirects the browser to. */
    async visit(page: string): Promise<URL> {
      const answer = await fetch(page, { redirect: 'manual' })
      const to = answer.headers.get('location')
      if (!to) throw new Error(`the login refused: ${await answer.text()}`)
      return new URL(to)
    },
    close: () => new Promise<void>((done) => void server.close(() => done())),
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
