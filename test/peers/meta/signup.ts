import { randomBytes } from 'node:crypto'
import { Refused } from './refused.ts'

type App = { readonly appId: string; readonly appSecret: string; readonly token: string; readonly wabaId: string }

/** The login of the platform: a page that sends people back with a code, and what the code is worth, once. */
export function metaLogin(app: App) {
  const codes = new Map<string, string>()
  const state = {
    /** The configurations of the app's login. */
    configs: ['cfg-1'],
    /** Whoever comes closes the dialog. */
    isCancelled: false,
    /** The accounts that whoever comes gives access to. */
    accounts: [app.wabaId],
  }
  return {
    state,
    /** Where the page of the login sends somebody; null where it would not open. */
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
    /** What a code is worth: once, with the app's secret and the address to which it was sent. */
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
