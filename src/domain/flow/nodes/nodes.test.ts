import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { readInteraction } from '../read.ts'
import { INTERACTIONS } from './index.ts'
import type { FormField } from './kind.ts'

const written = Object.entries(INTERACTIONS).filter(([, { isAvailable }]) => isAvailable)

test('each kind has a file of its own, named after it', () => {
  const files = globSync('*.ts', { cwd: import.meta.dirname }).map((file) => basename(file, '.ts'))
  const kinds = new Set(written.map(([type]) => readInteraction({ type }).does))
  const kebab = (does: string) => does.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const beside = ['fields', 'index', 'kind', 'nodes.test', 'nothing', 'sample.test']
  expect(files.toSorted()).toEqual([...[...kinds].map(kebab), ...beside].toSorted())
})

/** A value of a field that is not its usual one. */
function sampleOf(field: FormField): unknown {
  switch (field.kind) {
    case 'number':
      return field.usual === field.max ? field.min : field.max
    case 'switch':
      return !field.usual
    case 'choice':
      return field.options.map(([key]) => key).findLast((key) => key !== field.usual && key !== 'custom')
    case 'lines':
      return ['um']
    case 'headers':
      return [{ key: 'X', value: 'y' }]
    case 'moment':
      return '2026-01-01T10:00'
    default:
      return 7
  }
}

test.each(written)('what the form of %s asks for is read, beside and below its data', (type, { form }) => {
  expect(form.length).toBeGreaterThan(0)
  const nothing = JSON.stringify(readInteraction({ id: 'a', type, data: {} }))
  for (const field of form)
    for (const key of [field.key, ...(field.also ?? [])]) {
      const value = sampleOf(field)
      expect(JSON.stringify(readInteraction({ id: 'a', type, data: { [key]: value } })), key).not.toBe(nothing)
      expect(JSON.stringify(readInteraction({ id: 'a', type, [key]: value })), key).not.toBe(nothing)
    }
})
