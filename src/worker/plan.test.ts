import { expect, test } from 'vitest'
import { planFor } from './plan.ts'

const origin = 'https://guiche.test'
const plan = (path: string, mode = 'navigate', method = 'GET') =>
  planFor({ method, mode, url: new URL(path, origin).href }, origin)

test.each([
  ['/', '/'],
  ['/atendimento/7?timestamp=1', '/'],
  ['/configuracoes/geral', '/'],
  ['/apito', '/'],
  ['/login', '/login'],
  ['/login?tokenSetup=x', '/login'],
  ['/reset/abc', '/login'],
  ['/auth/google/callback?code=1', '/login'],
  ['/loginha', '/'],
])('the page %s is stood in for by %s', (path, page) => {
  expect(plan(path)).toBe(page)
})

test.each(['cors', 'no-cors', 'same-origin'])('hashed files are kept, whoever asks (%s)', (mode) => {
  expect(plan('/assets/main-3f2a.js', mode)).toBe('asset')
})

test.each([
  ['/api/tickets', 'cors'],
  ['/api/files/7/foto.png?signature=x', 'no-cors'],
  ['/api/files/7/foto.png?signature=x', 'navigate'],
  ['/api/docs', 'navigate'],
  ['/socket.io/?transport=polling', 'cors'],
  ['/widget/frame?token=x', 'navigate'],
  ['/sw.js', 'same-origin'],
  ['/favicon.svg', 'no-cors'],
  ['https://other.test/assets/x.js', 'no-cors'],
  ['https://other.test/', 'navigate'],
])('%s (%s) is left alone', (path, mode) => {
  expect(plan(path, mode)).toBeNull()
})

test('what is not a GET is left alone', () => {
  expect(plan('/assets/x.js', 'cors', 'POST')).toBeNull()
  expect(plan('/', 'navigate', 'POST')).toBeNull()
})
