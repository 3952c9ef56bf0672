import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { speak, spoken, t } from './labels.ts'

test('speaks the channel’s language, else the visitor’s where it is known, else Portuguese', () => {
  expect(speak('auto', ['fr-FR', 'es-AR', 'en'])).toBe('es')
  expect([t('Enviar'), t('Remover {name}', { name: 'a.png' }), spoken()]).toEqual(['Enviar', 'Quitar a.png', 'es'])
  expect(speak('en', ['es'])).toBe('en')
  expect(t('{n} mensagens novas', { n: 3 })).toBe('3 new messages')
  expect(speak('auto', ['ja'])).toBe('pt')
  expect([t('Sem tradução'), spoken()]).toEqual(['Sem tradução', 'pt-BR'])
})

test('whatever is said is said in every language', () => {
  const texts = globSync('src/widget/frame/*.{ts,tsx}').flatMap((file) =>
    file.endsWith('.test.ts')
      ? []
      : [...readFileSync(file, 'utf8').matchAll(/\bt\(\s*'([^']+)'/g)].map(([, text]) => text!),
  )
  expect(texts.length).toBeGreaterThan(40)
  speak('en', [])
  const same = new Set(['CPF', 'E-mail'])
  expect(texts.filter((text) => t(text) === text && !same.has(text))).toEqual([])
  speak('pt', [])
})
