import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bareTexts, exempt } from './bare-text.ts'

const root = join(import.meta.dirname, '..')
const textsOf = (source: string) => bareTexts('a.tsx', source).map(({ text }) => text)

test.each([
  ['<p>Sem contato com o servidor.</p>', 'Sem contato com o servidor.'],
  ['<p>{name} saiu</p>', 'saiu'],
  ['<b>{online ? "Sem contato" : t("Sem internet.")}</b>', 'Sem contato'],
  ['<Field label="fila" />', 'fila'],
  ['<Field hint={isNew ? "opcional" : undefined} />', 'opcional'],
  ['<button aria-label={`Fechar $' + '{name}`} />', 'Fechar {}'],
  ['<List words={["fila", t("filas")]} />', 'fila'],
  ['notify({ tone: "pos", title: "Pronto" })', 'Pronto'],
  ['const states = { open: "Conectado" }', 'Conectado'],
  ['const refused = "não"', 'não'],
  ['t("Olá, {name}", { name: name || "Visitante" })', 'Visitante'],
])('a bare text is found: %s', (source, text) => expect(textsOf(source)).toEqual([text]))

test.each([
  't("Conectado")',
  'plural(count, "fila", "filas")',
  '<p className="Erro">{t("Olá")} · {name}</p>',
  'if (event.key === "Enter") open("/contatos")',
  'throw new Error("no part has this name")',
  'console.warn("the worker is not there")',
  'const colour = "color-mix(in oklab, var(--g-ink) 20%, white)"',
  '<Kbd shortcut="Ctrl Enter" of={`queue $' + '{id}`} />',
])('what nobody reads is left alone: %s', (source) => expect(textsOf(source)).toEqual([]))

test('every text of the interface goes through t()', () => {
  const files = globSync('src/{web,features/*/web}/**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.*'] })
  expect(files.length).toBeGreaterThan(300)
  const bare = files
    .filter((file) => !exempt.test(file))
    .flatMap((file) =>
      bareTexts(file, readFileSync(join(root, file), 'utf8')).map(({ line, text }) => `${file}:${line} ${text}`),
    )
  expect(bare).toEqual([])
})
