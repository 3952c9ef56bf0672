import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startMailLogin } from './mail-login.ts'

type Moment = { dateTime?: string | null; date?: string | null; timeZone?: string | null }
/** Event as stored by Google, with any fields that an app wrote. */
export type GoogleEvent = {
  id: string
  etag: string
  status: string
  updated: number
  start: Moment
  end: Moment
  [field: string]: unknown
}

/**
 * Starts Google's Calendar API v3 behind its login, as documented: pages, expiring sync tokens (410), taken ids (409),
 * versions (`If-Match`, 412), rejected tokens (401), scopes and quotas (403).
 */
export async function startGoogleCalendar({ email, now = () => new Date() }: { email: string; now?: () => Date }) {
  const login = await startMailLogin({ email, now })
  const events = new Map<string, GoogleEvent>()
  let version = 1
  /** Sync tokens older than this are over. */
  let oldest = 0
  const asked: { method: string; path: string; query: URLSearchParams; body: Record<string, unknown> }[] = []
  const state = {
    /** Responses to the next requests: a status, with Google's reason. */
    failures: [] as { status: number; reason?: string; method?: string }[],
    /** Events per page. */
    page: 250,
    /** Number of the next writes that are done but whose responses are lost. */
    lost: 0,
  }

  const put = (id: string, body: Record<string, unknown>): GoogleEvent => {
    version += 1
    const before = events.get(id)
    const link = (body['conferenceData'] as { createRequest?: object } | null | undefined)?.createRequest
    const meet = link ? { hangoutLink: `https://meet.google.com/${id.slice(0, 10)}` } : {}
    const event = {
      ...{ organizer: { email, self: true }, htmlLink: `https://calendar.google.com/event?eid=${id}` },
      ...{ status: 'confirmed', start: {}, end: {} },
      ...before,
      ...body,
      ...meet,
      ...(body['conferenceData'] === null ? { hangoutLink: undefined } : {}),
      ...{ id, etag: `"${version}"`, updated: version },
    }
    events.set(id, event as GoogleEvent)
    return event as GoogleEvent
  }

  function list(query: URLSearchParams): [number, object] {
    const sync = query.get('syncToken')
    if (sync !== null && ['timeMin', 'timeMax', 'q', 'orderBy'].some((name) => query.has(name)))
      return [400, refusal('invalid')]
    const since = sync === null ? 0 : Number(sync.replace('sync-', ''))
    if (sync !== null && since < oldest) return [410, refusal('fullSyncRequired')]
    const [min, max] = ['timeMin', 'timeMax'].map((name) => query.get(name))
    const all = [...events.values()]
      .filter(({ status, updated, start, end }) => {
        if (sync !== null) return updated > since
        const [from, to] = [start, end].map((at) => Date.parse(at?.dateTime ?? at?.date ?? ''))
        return status !== 'cancelled' && !(min && to! <= Date.parse(min)) && !(max && from! >= Date.parse(max))
      })
      .sort((a, b) => a.updated - b.updated)
    const offset = Number((query.get('pageToken') ?? 'page-0').replace('page-', ''))
    const items = all.slice(offset, offset + state.page)
    const isLast = offset + state.page >= all.length
    const rest = isLast ? { nextSyncToken: `sync-${version}` } : { nextPageToken: `page-${offset + state.page}` }
    return [200, { kind: 'calendar#events', accessRole: 'owner', summary: null, items, ...rest }]
  }

  function answer(method: string, id: string | null, etag: string | undefined, query: URLSearchParams, body: object) {
    if (id === null && method === 'GET') return list(query)
    if (id === null) {
      const { id: wanted, ...rest } = body as { id: string }
      if (!/^[a-v0-9]{5,1024}$/.test(wanted)) return [400, refusal('invalid')] as const
      if (events.has(wanted)) return [409, refusal('duplicate')] as const
      return [200, put(wanted, rest)] as const
    }
    const known = events.get(id)
    if (!known) return [404, refusal('notFound')] as const
    if (method === 'GET') return [200, known] as const
    if (known.status === 'cancelled') return [410, refusal('deleted')] as const
    if (etag !== undefined && etag !== known.etag) return [412, refusal('conditionNotMet')] as const
    if (method === 'PATCH') return [200, put(id, body as Record<string, unknown>)] as const
    put(id, { status: 'cancelled' })
    return [204, null] as const
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://x')
    const body = await bodyOf(request)
    const method = request.method ?? 'GET'
    asked.push({ method, path: url.pathname, query: url.searchParams, body: body as Record<string, unknown> })
    const json = (status: number, given: object | null) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(given && JSON.stringify(given))
    const token = (request.headers.authorization ?? '').replace('Bearer ', '')
    if (!login.tokens.has(token)) return json(401, refusal('authError'))
    const index = state.failures.findIndex((one) => one.method === undefined || one.method === method)
    const [failure] = index < 0 ? [] : state.failures.splice(index, 1)
    if (failure) return json(failure.status, refusal(failure.reason ?? 'backendError'))
    const [, calendar, id = null] = /^\/calendars\/([^/]+)\/events(?:\/([^/]+))?$/.exec(url.pathname) ?? []
    if (calendar !== 'primary') return json(404, refusal('notFound'))
    const [status, given] = answer(
      method,
      id && decodeURIComponent(id),
      request.headers['if-match'],
      url.searchParams,
      body,
    )
    if (state.lost > 0 && method !== 'GET') {
      state.lost -= 1
      return response.destroy()
    }
    return json(status, given)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    login,
    environment: { ...login.environment, GOOGLE_CALENDAR_URL: address },
    ...{ state, asked, events },
    /** Writes an event directly in Google's calendar. */
    write: (id: string, body: Record<string, unknown>) => put(id, body),
    /** Expires every sync token given so far. */
    forgetCursors: () => {
      version += 1
      oldest = version
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((done) => void server.close(() => done()))
      await login.close()
    },
  }
}

const refusal = (reason: string) => ({ error: { code: null, message: reason, errors: [{ domain: 'global', reason }] } })

async function bodyOf(request: IncomingMessage): Promise<object> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text === '' ? {} : (JSON.parse(text) as object)
}
