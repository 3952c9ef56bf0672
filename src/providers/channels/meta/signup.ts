import { type ChannelTools, type GrantedAccount, type SignupDesk, sendFailure } from '../port.ts'
import { failureOf, GraphRefusal, openGraph } from './graph.ts'
import { answers } from './schemas.ts'

type Settings = Readonly<Record<string, string>>
const SCOPE = 'whatsapp_business_management'
const NO_LOGIN = 'A Meta não aceitou o login, ou ele venceu. Comece de novo.'
const NO_ACCOUNT = 'O login não deu acesso a nenhuma conta do WhatsApp Business. Comece de novo e escolha uma.'
const MOST_ACCOUNTS = 20

/** Returns the embedded signup without Meta's script: its dialog as a page, and the exchange of the code that it returns. */
export function signupDesk(tools: ChannelTools, settings: Settings): SignupDesk {
  const { appId = '', appSecret = '', configId = '', version = '' } = settings
  const host = (tools.environment['META_LOGIN_URL'] ?? '').replace(/\/$/, '')
  const byToken = (token: string) => openGraph(tools, version, token)
  return {
    address({ state, back }) {
      if (!appId || !appSecret || !configId) return null
      const query = new URLSearchParams({
        ...{ client_id: appId, config_id: configId, response_type: 'code', override_default_response_type: 'true' },
        ...{ redirect_uri: back, state, extras: JSON.stringify({ setup: {}, sessionInfoVersion: '3' }) },
      })
      return `${host}/v${version.replace(/^v/i, '')}/dialog/oauth?${query}`
    },
    async exchange({ code, back }) {
      const app = byToken(`${appId}|${appSecret}`)
      const query = { client_id: appId, client_secret: appSecret, code, redirect_uri: back }
      const { access_token: token } = await refusing(
        app.ask(answers.token, ['oauth', 'access_token'], { query }),
        NO_LOGIN,
      )
      if (!token) throw sendFailure('refused', NO_LOGIN)
      const { data = {} } = await refusing(
        app.ask(answers.tokenAbout, ['debug_token'], { query: { input_token: token } }),
        NO_LOGIN,
      )
      if (!data.is_valid || data.app_id !== appId) throw sendFailure('refused', NO_LOGIN)
      const scopes = (data.granular_scopes ?? []).filter(({ scope }) => scope === SCOPE)
      const accounts = [...new Set(scopes.flatMap(({ target_ids: ids = [] }) => ids))].slice(0, MOST_ACCOUNTS)
      const found: GrantedAccount[] = []
      for (const wabaId of accounts) {
        const fields = { fields: 'id,display_phone_number,verified_name', limit: '200' }
        const numbers = byToken(token).ask(answers.numbers, [wabaId, 'phone_numbers'], { query: fields })
        for (const { id, display_phone_number: label = id, verified_name: name = '' } of (await refusing(numbers)).data)
          found.push({
            ...{ account: id, type: 'waba', name: name || label, label },
            values: { tokenAPI: id, wabaId, bmToken: token, wabaVersion: '' },
          })
      }
      if (found.length === 0) throw sendFailure('refused', NO_ACCOUNT)
      return found
    },
  }
}

// All refusals of a login get the same sentence, if given.
const refusing = <T>(work: Promise<T>, problem?: string): Promise<T> =>
  work.catch((error: unknown) => {
    throw problem && error instanceof GraphRefusal && error.status < 500
      ? sendFailure('refused', problem)
      : failureOf(error, true)
  })
