import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWebPages } from '#test/peers/web-pages.ts'
import { call, withProduct } from '#test/server.ts'
import { webchatOn } from '#test/webchat.ts'
import { webchatChannels } from './contract.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const { company, form } = webchatOn(product)

let site: Awaited<ReturnType<typeof startWebPages>>
beforeAll(async () => {
  site = await startWebPages()
})
afterAll(() => site.close())

/** Creates a channel; `said` returns the test result of a URL, `code` a page that contains the channel. */
async function testing(domains: string[] = []) {
  const { token, channel } = await company(product(), { domains })
  const params = { id: channel.id }
  const said = async (url: string) =>
    (await call(product(), webchatChannels.test, token, { params, body: { url } })).body
  const code = (of = channel.token, src = `${site.origin}/widget/guiche.js`) =>
    `<!doctype html><title>Loja</title><body><script async src="${src}" data-token="${of}"></script></body>`
  return { token, channel, params, said, code }
}

it('finds the channel on a page that shows it', async () => {
  site.show('/widget/guiche.js', { body: ';', type: 'text/javascript' })
  const { said, code } = await testing([site.origin.slice('http://'.length)])
  expect(await said(site.show('/', { body: code() }))).toMatchObject({ ok: true })
})

it('says what keeps a page from showing it', async () => {
  const { said, code, token, channel, params } = await testing()
  const page = site.show('/com', { body: code() })
  const wrong = (text: string) => ({ ok: false, text: expect.stringContaining(text) })
  expect(await said(site.show('/sem', { body: '<p>Loja</p>' }))).toEqual(wrong('não está no HTML desta página'))
  expect(await said(site.show('/outro', { body: code('x'.repeat(43)) }))).toEqual(wrong('de outro canal'))
  expect(await said(site.show('/erro', { body: code(), status: 500 }))).toEqual(wrong('(500)'))
  const elsewhere = { body: '', status: 302, headers: { location: 'http://www.loja.test/' } }
  expect(await said(site.show('/vai', elsewhere))).toEqual(wrong('www.loja.test'))
  const strange = code(channel.token, `${site.origin}/nada.js`)
  expect(await said(site.show('/nada', { body: strange }))).toEqual(wrong(`${site.origin}/nada.js`))
  const closed = await startWebPages()
  await closed.close()
  expect(await said(closed.origin)).toEqual(wrong('Ninguém atende'))
  expect(await said('http://10.0.0.1/')).toEqual(wrong('não pode ser usado daqui'))
  expect(await said('loja.invalid')).toEqual(wrong('não foi encontrado'))
  const silent = code(channel.token, `${closed.origin}/widget/guiche.js`)
  expect(await said(site.show('/mudo', { body: silent }))).toEqual(wrong('Ninguém atende'))

  const body = { ...form, domains: ['loja.com.br', '*.loja.com.br'] }
  expect((await call(product(), webchatChannels.update, token, { params, body })).status).toBe(200)
  expect(await said(page)).toEqual(wrong('não está entre os sites permitidos'))
})

it('tries the channels of one’s own company alone, and addresses only', async () => {
  const [one, two] = [await testing(), await testing()]
  const ask = (params: { id: number }, url: string) =>
    call(product(), webchatChannels.test, one.token, { params, body: { url } })
  expect((await ask(two.params, site.origin)).body).toMatchObject({ error: 'ERR_NO_WAPP_FOUND' })
  for (const url of ['', 'ftp://loja.com.br', 'https://ana@loja.com.br', 'a loja', '%%'])
    expect((await ask(one.params, url)).body).toMatchObject({ error: 'ERR_VALIDATION' })
})
