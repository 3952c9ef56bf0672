import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { say, speak, spoken } from './words.ts'

test('speaks the channel’s language, else the visitor’s where it is known, else Portuguese', () => {
  expect(speak('auto', ['fr-FR', 'es-AR', 'en'])).toBe('es')
  expect([say('Enviar'), say('Remover {name}', { name: 'a.png' }), spoken()]).toEqual(['Enviar', 'Quitar a.png', 'es'])
  expect(speak('en', ['es'])).toBe('en')
  expect(say('{n} mensagens novas', { n: 3 })).toBe('3 new messages')
  expect(speak('auto', ['ja'])).toBe('pt')
  expect([say('Sem tradução'), spoken()]).toEqual(['Sem tradução', 'pt-BR'])
})

test('whatever is said is said in every language', () => {
  const said = globSync('src/widget/frame/*.{ts,tsx}').flatMap((file) =>
    file.endsWith('.test.ts')
      ? []
      : [...readFileSync(file, 'utf8').matchAll(/\bsay\(\s*'([^']+)'/g)].map(([, text]) => text!),
  )
  expect(said.length).toBeGreaterThan(40)
  speak('en', [])
  const same = new Set(['CPF', 'E-mail'])
  expect(said.filter((text) => say(text) === text && !same.has(text))).toEqual([])
  speak('pt', [])
})
