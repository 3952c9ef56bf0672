import type { z } from 'zod'
import { AppError } from '#kit/errors.ts'
import { parseJson, readOutside } from '#kit/outside.ts'
import { flag, numberOrText, record, textOrNumber as text } from '#kit/outside-fields.ts'
import {
  CalendarFailure,
  type CalendarTools,
  type ChangePage,
  type EventDraft,
  type MakeCalendarAdapter,
  type RemoteEvent,
} from '../port.ts'
import { bodyOf, changeOf, eventOf, eventPage } from './events.ts'
import { reasonOf, refusalOf } from './refusals.ts'

/** Time before its expiry at which a token counts as expired, in ms. */
const MARGIN_MS = 120_000
const PAGE = '250'
const SCOPE = 'https://www.googleapis.com/auth/calendar.events'
const WIDER = 'https://www.googleapis.com/auth/calendar'

const answer = record({
  ...{ access_token: text, expires_in: numberOrText, refresh_token: text, scope: text, id_token: text, error: text },
})
const claims = record({ email: text, email_verified: flag })

/** Parses a response body; {} if it is no JSON. */
async function read(response: Response): Promise<unknown> {
  try {
    return parseJson(await response.text())
  } catch {
    return {}
  }
}

const unreached = () => new CalendarFailure('later', 'O Google não respondeu.')

function failedCall(error: unknown): never {
  for (let one = error; one instanceof Error; one = one.cause)
    if (one instanceof AppError && one.code === 'ERR_ADDRESS_REFUSED')
      throw new CalendarFailure('setup', 'O endereço do Google Agenda não pode ser chamado daqui (OUTBOUND_ALLOW).')
  throw unreached()
}

/** Returns the token source of an account (RFC 6749); expired tokens are refreshed. */
function tokensOf(
  { id, secret, refreshToken }: Readonly<Record<'id' | 'secret' | 'refreshToken', string>>,
  { fetch, now, environment }: CalendarTools,
) {
  let known: { readonly token: string; readonly until: number } | null = null
  let asking: Promise<string> | null = null
  async function ask(form: Readonly<Record<string, string>>): Promise<z.output<typeof answer>> {
    const response = await fetch(environment['GOOGLE_TOKEN_URL'] ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({ ...form, client_id: id, client_secret: secret }).toString(),
    }).catch(failedCall)
    const login = readOutside(answer, await read(response))?.data ?? {}
    if (response.ok && login.access_token) return login
    if (login.error === 'invalid_grant')
      throw new CalendarFailure('revoked', 'O Google não aceita mais esta autorização. Entre de novo com a conta.')
    if (response.status >= 400 && response.status < 500 && response.status !== 429)
      throw new CalendarFailure('setup', 'O Google não aceitou o ID ou a chave secreta do cliente. Confira os dois.')
    throw unreached()
  }
  const renewed = async () => {
    const { access_token: token, expires_in: seconds = 3600 } = await ask({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    })
    known = { token: token!, until: now().getTime() + seconds * 1000 - MARGIN_MS }
    return token!
  }
  return {
    ask,
    /** Returns the current access token; a new one in place of `refused`. */
    async access(refused?: string): Promise<string> {
      if (!refreshToken) throw new CalendarFailure('revoked', 'Entre com a conta do Google.')
      if (known && known.token !== refused && known.until > now().getTime()) return known.token
      asking ??= renewed().finally(() => {
        asking = null
      })
      return asking
    },
  }
}

type Call = {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly query?: Readonly<Record<string, string>>
  readonly json?: object
  readonly etag?: string
}

/** Adapter of a Google account's calendar (Calendar API v3), with the login of its app. */
export const googleAdapter: MakeCalendarAdapter = (values, tools) => {
  const text = (name: string) => String(values[name] ?? '').trim()
  const [id, secret, refreshToken] = [text('googleClientId'), text('googleClientSecret'), text('refreshToken')]
  const tokens = tokensOf({ id, secret, refreshToken }, tools)
  const base = (tools.environment['GOOGLE_CALENDAR_URL'] ?? '').replace(/\/$/, '')
  const events = `${base}/calendars/${encodeURIComponent(text('calendarId') || 'primary')}/events`

  async function send(url: string, { method = 'GET', query = {}, json, etag }: Call, token: string): Promise<Response> {
    const address = Object.keys(query).length > 0 ? `${url}?${new URLSearchParams(query)}` : url
    return tools
      .fetch(address, {
        method,
        headers: {
          ...{ authorization: `Bearer ${token}`, accept: 'application/json' },
          ...(json ? { 'content-type': 'application/json' } : {}),
          ...(etag ? { 'if-match': etag } : {}),
        },
        ...(json ? { body: JSON.stringify(json) } : {}),
      })
      .catch(failedCall)
  }

  /** Calls Google; fails with a `CalendarFailure` unless successful. A refused token is refreshed once. */
  async function call(url: string, of: Call): Promise<unknown> {
    const token = await tokens.access()
    let response = await send(url, of, token)
    if (response.status === 401) response = await send(url, of, await tokens.access(token))
    const given = response.status === 204 ? {} : await read(response)
    if (response.ok) return given
    throw refusalOf(response.status, reasonOf(given), of.query?.['syncToken'] !== undefined)
  }

  const one = async (url: string, of: Call): Promise<RemoteEvent> => {
    const event = eventOf(await call(url, of))
    if (!event) throw new CalendarFailure('later', 'O Google respondeu o que não é um evento.')
    return event
  }
  const of = (remoteId: string) => `${events}/${encodeURIComponent(remoteId)}`
  const messaging = (notifies: boolean) => ({ sendUpdates: notifies ? 'all' : 'none', conferenceDataVersion: '1' })

  return {
    loginPage({ state, back, challenge }) {
      const query = new URLSearchParams({
        ...{ client_id: id, redirect_uri: back, response_type: 'code', scope: `${SCOPE} openid email`, state },
        ...{ code_challenge: challenge, code_challenge_method: 'S256' },
        // A refresh token is issued only with a new consent.
        ...{ access_type: 'offline', prompt: 'select_account consent' },
      })
      return `${tools.environment['GOOGLE_LOGIN_URL']}?${query}`
    },
    async exchange({ code, back, verifier }) {
      const form = { grant_type: 'authorization_code', code, redirect_uri: back, code_verifier: verifier }
      const login = await tokens.ask(form).catch((error: unknown) => {
        if (!(error instanceof CalendarFailure) || error.problem !== 'revoked') throw error
        throw new CalendarFailure('refused', 'O Google não aceitou o login, ou ele venceu. Comece de novo.')
      })
      const given = new Set((login.scope ?? '').split(' '))
      if (!given.has(SCOPE) && !given.has(WIDER))
        throw new CalendarFailure('refused', 'O acesso à agenda não foi permitido. Entre de novo e marque-o.')
      if (!login.refresh_token)
        throw new CalendarFailure(
          'refused',
          'O Google não deu um acesso que dure. Retire lá o acesso do aplicativo e entre de novo.',
        )
      return { refreshToken: login.refresh_token, email: emailIn(login.id_token ?? '') }
    },
    async changes({ cursor, from, to, next }): Promise<ChangePage> {
      const span = { timeMin: new Date(from).toISOString(), timeMax: new Date(to).toISOString() }
      const query = {
        ...{ maxResults: PAGE, singleEvents: 'true' },
        ...(cursor === null ? span : { syncToken: cursor }),
        ...(next === null ? {} : { pageToken: next }),
      }
      const page = readOutside(eventPage, await call(events, { query }))?.data ?? {}
      const mayWrite = page.accessRole === undefined || ['owner', 'writer'].includes(page.accessRole)
      return {
        changes: (page.items ?? []).flatMap((item) => changeOf(item, mayWrite) ?? []),
        next: page.nextPageToken ?? null,
        cursor: page.nextSyncToken ?? null,
      }
    },
    async find(remoteId) {
      const found = await call(of(remoteId), {}).catch((error: unknown) => {
        if (error instanceof CalendarFailure && error.problem === 'gone') return null
        throw error
      })
      return found === null ? null : (changeOf(found)?.event ?? null)
    },
    insert: (remoteId, draft: EventDraft) =>
      one(events, {
        method: 'POST',
        query: messaging(draft.notifies),
        json: { id: remoteId, ...bodyOf(remoteId, draft) },
      }),
    update: (remoteId, etag, draft) =>
      one(of(remoteId), { method: 'PATCH', query: messaging(draft.notifies), json: bodyOf(remoteId, draft), etag }),
    async remove(remoteId, etag, notifies) {
      await call(of(remoteId), { method: 'DELETE', query: { sendUpdates: notifies ? 'all' : 'none' }, etag })
    },
  }
}

/**
 * Returns the e-mail address in an ID token. The token came over TLS from its issuer, so the signature needs no check
 * (OpenID Connect Core, 3.1.3.7).
 */
function emailIn(token: string): string {
  try {
    const given = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url'))
    return (readOutside(claims, given)?.data.email ?? '').toLowerCase()
  } catch {
    return ''
  }
}
