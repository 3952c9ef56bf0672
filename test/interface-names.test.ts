import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Names in texts of the interface that differ from docs/glossary.md, each with the right name. */
const otherNames: readonly (readonly [found: RegExp, name: string])[] = [
  [/\bdemandas?\b/i, 'motivo'],
  [/\bconexões\b|\b(outra|uma|escolha a|nova|esta|cada) conexão\b/i, 'canal'],
  [/\btickets?\b/i, 'atendimento'],
  [/\bdelet(ar|a|ou|ado|ada)\b/i, 'excluir'],
  [/\bfechamentos?\b/i, 'despedida'],
  [/\beventos? separados?\b/i, 'mensagem com erro'],
]

/** Exceptions: texts worded by the specification, and other senses such as connections of a network or a database. */
const given = [
  'Para fechar o atendimento, defina a demanda.',
  'Deletar Todos',
  'Previsão de fechamento',
  'Ticket médio',
  'Fechamento',
  'Deletar tudo',
  'Outro programa assumiu esta conexão',
  'Deletar forçadamente…',
  'Deletar {name} forçadamente?',
  'O contato tem oportunidades no funil. Só um administrador o exclui com todas elas, por “Deletar forçadamente”.',
  'O contato tem atendimentos. Só um administrador o exclui com todos eles, por “Deletar forçadamente”.',
]

/** Sources of the texts of the interface; the words of a ticket's log come from the specification. */
const sources = [
  'src/web/**',
  'src/features/*/web/**',
  'src/features/*/*',
  'src/domain/**',
  'src/providers/**/config',
].map((path) => `${path}.{ts,tsx}`)
const exclude = ['**/*.test.*', '**/*contract.ts', '**/tickets/logs.ts']

/** Returns the texts of a module that have a blank or begin with a capital, and so may be visible. */
function textsOf(file: string): string[] {
  const texts: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    const isText =
      ts.isStringLiteral(node) ||
      ts.isNoSubstitutionTemplateLiteral(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node)
    if (isText && /^[A-ZÀ-Ý]|\p{L} \p{L}/u.test(node.text)) texts.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest))
  return texts
}

test('a thing has one name in the whole interface', () => {
  const files = globSync(sources, { cwd: root, exclude })
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap((file) =>
    textsOf(file).flatMap((text) =>
      given.includes(text)
        ? []
        : otherNames.flatMap(([word, name]) =>
            word.test(text.replace(/\{\w+\}/g, '')) ? [`${file}: “${text}” is “${name}”`] : [],
          ),
    ),
  )
  expect(found).toEqual([])
})

test.each(['Escolha a conexão.', 'Conexões', 'Ticket criado', 'Deletar contato', 'Sem demanda'])(
  '“%s” is found',
  (text) => {
    expect(otherNames.some(([word]) => word.test(text))).toBe(true)
  },
)
