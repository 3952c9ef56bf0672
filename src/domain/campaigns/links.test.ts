import { expect, it } from 'vitest'
import { isPreview, linksIn, withLinks } from './links.ts'

it.each([
  ['Veja https://loja.com.br/mesa.', ['https://loja.com.br/mesa']],
  ['(https://a.b/c?d=1&e=2) e http://x.y!', ['https://a.b/c?d=1&e=2', 'http://x.y']],
  ['https://loja.com.br/{{firstName}} e https://b.c', ['https://b.c']],
  ['sem link', []],
])('finds the addresses of “%s”', (text, links) => {
  expect(linksIn(text)).toEqual(links)
})

it('replaces addresses by their place and leaves the rest', () => {
  const text = 'https://a.b, https://c.d/{{var1}} e https://e.f.'
  expect(withLinks(text, (at) => `[${at}]`)).toBe('[0], https://c.d/{{var1}} e [1].')
})

it.each([
  ['WhatsApp/2.23', true],
  ['facebookexternalhit/1.1', true],
  ['Mozilla/5.0 (Linux; Android 14) Chrome/120', false],
])('knows that %s makes previews: %s', (agent, is) => {
  expect(isPreview(agent)).toBe(is)
})
