import { expect, test } from 'vitest'
import { caOf, rootOf, webUrl } from './network.ts'

const root = 'ab'.repeat(32)
const ca = '-----BEGIN CERTIFICATE-----'

test('another root key and other certificates are believed of another server alone', () => {
  const environment = { WHATSAPP_WEB_ROOT: root, WHATSAPP_WEB_CA: ca }
  expect([webUrl(environment), rootOf(environment), caOf(environment)]).toEqual([
    'wss://web.whatsapp.com/ws/chat',
    undefined,
    undefined,
  ])
  const other = { ...environment, WHATSAPP_WEB_URL: 'ws://127.0.0.1:1/ws/chat' }
  expect([webUrl(other), rootOf(other), caOf(other)]).toEqual([other.WHATSAPP_WEB_URL, root, ca])
})
