import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { answerCallback } from './callbacks.ts'

const settings = { appSecret: 'segredo' }
const url = 'https://guiche.test/api/hooks/x'
const asked = { algorithm: 'HMAC-SHA256', user_id: '218471', issued_at: 1_291_836_800 }

function signed(payload: object, { secret = 'segredo', form = 'application/x-www-form-urlencoded' } = {}) {
  const encoded = Buffer.from(JSON.stringify(payload)).toString('base64url')
  const signature = createHmac('sha256', secret).update(encoded).digest('base64url')
  return post(`signed_request=${signature}.${encoded}`, form)
}
const post = (body: string, type = 'application/x-www-form-urlencoded') =>
  answerCallback(settings, {
    ...{ method: 'POST', url, query: {}, headers: { 'content-type': type } },
    body: new TextEncoder().encode(body),
  })
const state = (code: string, of = settings) =>
  answerCallback(of, { method: 'GET', url, query: { code }, headers: {}, body: new Uint8Array() })

test('who takes back a permission, or wants data deleted, gets a code whose state can be asked', () => {
  const result = signed(asked)
  expect(result).toMatchObject({ isGenuine: true, events: [], unread: ['signed_request'] })
  const { url: where, confirmation_code: code } = JSON.parse((result as { answer: { body: string } }).answer.body)
  expect(where).toBe(`${url}?code=${code}`)
  expect(code).not.toContain(asked.user_id)
  expect(state(code)).toMatchObject({ isGenuine: true, answer: { body: expect.stringContaining('Pedido concluído') } })
  for (const wrong of ['', 'x', `${code}0`, code.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'))])
    expect(state(wrong)).toMatchObject({ isGenuine: false })
  expect(state(code, { appSecret: '' })).toMatchObject({ isGenuine: false })
})

test.each([
  ['another secret', signed(asked, { secret: 'outro' })],
  ['another algorithm', signed({ ...asked, algorithm: 'none' })],
  ['nobody', signed({ algorithm: 'HMAC-SHA256' })],
  ['no signature', post('signed_request=.e30')],
  ['no request', post('')],
])('is refused: %s', (_, result) => expect(result).toEqual({ isGenuine: false }))

test('what is no form, and no question for a state, is an event or a handshake', () => {
  expect(signed(asked, { form: 'application/json' })).toBeNull()
  const handshake = { method: 'GET', url, query: { 'hub.mode': 'subscribe' }, headers: {} } as const
  expect(answerCallback(settings, { ...handshake, body: new Uint8Array() })).toBeNull()
})
