import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errors as ofConnections } from '#features/connections/errors.ts'
import { errors as ofConversations } from '#features/ledger/errors.ts'
import { webchat } from '#features/webchat/contract.ts'
import { errorCatalogue } from '#kit/errors.ts'
import { explained, localized, speak, spoken, t } from './labels.ts'

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

test('what the server answers is said in every language; what a company wrote stays as written', () => {
  const codes = ['ERR_VALIDATION', ...Object.values(webchat).flatMap(({ errors = [] }) => errors)]
  speak('es', [])
  const catalogue = { ...errorCatalogue, ...ofConnections, ...ofConversations }
  const texts = [...new Set(codes)].map((code) => catalogue[code as keyof typeof catalogue].text)
  expect(texts.length).toBeGreaterThan(8)
  expect(texts.filter((text) => explained(text, 'Não foi possível enviar.') === t('Não foi possível enviar.'))).toEqual(
    [],
  )
  expect(explained('O que ninguém traduziu.', 'Não foi possível enviar.')).toBe('No se pudo enviar.')
  const question = ['Avalie este atendimento:', '0 - Ruim', '4 - Nota da casa'].join('\n')
  expect(localized(question)).toBe(['¿Cómo fue esta atención?', '0 - Malo', '4 - Nota da casa'].join('\n'))
  speak('pt', [])
  expect([localized(question), explained('Dito em português.', '')]).toEqual([question, 'Dito em português.'])
})
