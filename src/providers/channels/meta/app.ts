import { refusalOf } from '../meta-errors.ts'
import { type Graph, GraphRefusal } from './graph.ts'
import { answers } from './schemas.ts'

/** Field values of the app at Meta. */
export type AppSettings = Readonly<Record<string, string>>

/** Problem that keeps a connection from being used, as a sentence. */
export type Problem = { readonly ok: false; readonly problem: string }

/** Text for an app that Meta does not know. */
export const NO_SUCH_APP = 'A Meta não conhece este aplicativo com esta chave secreta.'
const OTHER_APP = 'O token é de outro aplicativo da Meta. Gere-o com o aplicativo que está em Configurações.'
const NO_APP = 'Preencha antes o aplicativo da Meta: sem ele as mensagens dos contatos não chegam.'

/** Returns the access token of an app itself. */
export const appToken = (settings: AppSettings): string => `${settings['appId']}|${settings['appSecret']}`

/** Returns the problem of an app, or of a token that is not the app's or lacks permissions; null if there is none. */
export async function whyNotToken(
  graph: Graph,
  settings: AppSettings,
  token: string,
  scopes: readonly string[],
): Promise<Problem | null> {
  const without = whyNotApp(settings)
  if (without) return without
  try {
    const { data = {} } = await graph.ask(answers.tokenAbout, ['debug_token'], {
      ...{ query: { input_token: token }, token: appToken(settings) },
    })
    if (!data.is_valid) return { ok: false, problem: refusalOf(190).text }
    const missing = scopes.filter((scope) => !data.scopes?.includes(scope))
    return missing.length > 0 ? { ok: false, problem: `O token não tem a permissão ${missing.join(' nem ')}.` } : null
  } catch (error) {
    // With another app's subscription, that app would receive the contacts' messages.
    if (error instanceof GraphRefusal && error.code === 100) return { ok: false, problem: OTHER_APP }
    // This call is authenticated by the app's secret, not the token.
    return problemOf(error, NO_SUCH_APP, [190])
  }
}

/** Returns the problem that no event arrives without an app; null if it is set. */
export const whyNotApp = (settings: AppSettings): Problem | null =>
  settings['appSecret'] ? null : { ok: false, problem: NO_APP }

/** Returns the problem of a failed call as a sentence; an error code more specific than the query has a sentence of its own. */
export function problemOf(error: unknown, problem: string, codes: readonly number[] = [100]): Problem {
  if (!(error instanceof GraphRefusal)) return { ok: false, problem: 'A Meta não respondeu. Tente de novo.' }
  const isOurs = error.code === null || codes.includes(error.code)
  return { ok: false, problem: isOurs ? problem : refusalOf(error.code, error.status).text }
}
