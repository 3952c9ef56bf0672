import { randomBytes } from 'node:crypto'
import { Refused } from './refused.ts'

type App = { readonly appId: string; readonly appSecret: string; readonly token: string; readonly wabaId: string }

/** Returns the platform's login: a page that redirects back with a code, and the exchange of that code for a token, once. */
export function metaLogin(app: App) {
  const codes = new Map<string, string>()
  const state = {
    /** The configurations of the app's login. */
    configs: ['cfg-1'],
    /** Whether the person cancels the login dialog. */
    isCancelled: false,
    /** Accounts that the person gives access to. */
    accounts: [app.wabaId],
  }
  return {
    state,
    /** Returns the URL that the login page redirects to; null if the page would not open. */
    open(query: URLSearchParams): string | null {
      const back = query.get('redirect_uri')
      const isOurs =
        query.get('client_id') === app.appId &&
        state.configs.includes(query.get('config_id') ?? '') &&
        query.get('response_type') === 'code' &&
        query.get('override_default_response_type') === 'true'
      if (!isOurs || !back) return null
      const to = new URL(back)
      to.searchParams.set('state', query.get('state') ?? '')
      if (state.isCancelled) {
        to.searchParams.set('error', 'access_denied')
        to.searchParams.set('error_description', 'Permissions error')
        return to.href
      }
      const code = `AQ${randomBytes(20).toString('hex')}`
      codes.set(code, back)
      to.searchParams.set('code', code)
      return to.href
    },
    /** Exchanges a code for a token: once, with the app's secret and the redirect address of the code. */
    exchange(query: URLSearchParams): object {
      const code = query.get('code') ?? ''
      const back = codes.get(code)
      codes.delete(code)
      const isOurs = query.get('client_id') === app.appId && query.get('client_secret') === app.appSecret
      if (!isOurs || back === undefined || back !== query.get('redirect_uri')) throw new Refused(100)
      return { access_token: app.token, token_type: 'bearer' }
    },
    scopes: () => [{ scope: 'whatsapp_business_management', target_ids: state.accounts }],
  }
}
