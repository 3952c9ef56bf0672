import { reachProblem } from '#domain/connections/reach.ts'
import { AppError, required } from '#kit/errors.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { outboundFetch } from '#server/outbound.ts'
import { findChannel, type StoredChannel } from './queries.ts'

/** Maximum number of bytes read from a page; the code is at its end. */
const PAGE_BYTES = 5_000_000
const TIMES = { connectMs: 5_000, answerMs: 10_000 }

type Tried = { ok: boolean; text: string }
const wrong = (text: string): Tried => ({ ok: false, text })

/** Fetches a page of the company's site like a browser, and returns what keeps the channel from appearing. */
export async function trySite({ platform, tenantId }: SlowCtx, id: number, url: string): Promise<Tried> {
  await platform.limits.use('providerTest', `${tenantId} site`)
  const row = required(await platform.db.read(tenantId, (db) => findChannel(db, id)), 'ERR_NO_WAPP_FOUND')
  const { token, domains = [] } = row.config as StoredChannel
  const ask = (address: string) =>
    outboundFetch({ allow: platform.env.OUTBOUND_ALLOW }, address, {
      ...{ ...TIMES, maxBytes: PAGE_BYTES, tooLong: 'cut' },
      headers: { accept: 'text/html,*/*;q=0.8', 'accept-encoding': 'identity' },
    }).catch((error: unknown) => whyNot(error, address))

  const page = await ask(url)
  if ('ok' in page) return page
  if (page.status >= 400) return wrong(`A página respondeu com um erro (${page.status}). Confira o endereço.`)
  const at = new URL(page.url)
  if (!isAllowed(domains, at)) return wrong(`${at.host} não está entre os sites permitidos. Acrescente-o e salve.`)
  const tags = page.body.toString('utf8').match(/<script\b[^<>]*>/gi) ?? []
  const tag = tags.find((one) => one.includes(token))
  if (!tag)
    return tags.some((one) => one.includes('/widget/guiche.js'))
      ? wrong('O código desta página é de outro canal, ou de antes da troca. Cole o atual.')
      : wrong('O código não está no HTML desta página. Se um gerenciador de tags o coloca, confira abrindo a página.')
  const [, src = ''] = /\bsrc\s*=\s*["']?([^"'\s>]+)/i.exec(tag) ?? []
  if (!URL.canParse(src, at))
    return wrong('Falta o endereço no código desta página. Copie o código inteiro e cole de novo.')
  const from = new URL(src, at)
  if (at.protocol === 'https:' && from.protocol === 'http:')
    return wrong(
      'A página é https e o código é http: os navegadores não o carregam. Abra este sistema por https e copie o código.',
    )
  const script = await ask(from.href)
  if ('ok' in script) return script
  const isScript = script.status === 200 && /javascript/.test(script.headers['content-type'] ?? '')
  return isScript
    ? { ok: true, text: 'A página tem o código deste canal, e o endereço dele responde.' }
    : wrong(`Em ${from.href} não está o balão. Copie o código e cole de novo.`)
}

// Redirects are followed on the page's own host only.
function whyNot(error: unknown, address: string): Tried {
  const { host, hostname } = new URL(address)
  if (!(error instanceof AppError)) throw error
  const refused = error.code === 'ERR_ADDRESS_REFUSED' && error.details?.['host']
  return refused && refused !== hostname
    ? wrong(`${host} leva a ${refused}. Teste o endereço em que a página fica.`)
    : wrong(reachProblem(host, error))
}

/** Whether a page is on one of a channel's sites; an empty list permits all. */
const isAllowed = (domains: readonly string[], { hostname, port }: URL): boolean =>
  domains.length === 0 ||
  domains.some((domain) => {
    const [name = '', on = ''] = domain.split(':')
    return on === port && (name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name)
  })
