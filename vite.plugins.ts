import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'

const packings = [
  { ending: 'br', pack: promisify(brotliCompress) },
  { ending: 'gz', pack: promisify(gzip) },
]

/** Writes each script, sheet and drawing packed as well, at its best and once: the server only picks what is understood. */
export function packedAssets(): Plugin {
  return {
    name: 'guiche-packed-assets',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      const texts = Object.values(bundle).filter(({ fileName }) => /^(assets\/.+|guiche)\.(js|css|svg)$/.test(fileName))
      for (const file of texts) {
        const source = Buffer.from(file.type === 'chunk' ? file.code : file.source)
        for (const { ending, pack } of packings)
          await writeFile(join(dir!, `${file.fileName}.${ending}`), await pack(source))
      }
    },
  }
}

/** Each Mantine component brings its own sheet, so a page loads the styles of what it draws, and nobody keeps a list. */
export function stylesOfComponents(): Plugin {
  return {
    name: 'guiche-styles-of-components',
    apply: 'build',
    transform: {
      filter: { id: /@mantine\/core\/esm\/(components|utils)\/.+\.module\.mjs$/ },
      handler(code, id) {
        const [, component] = /\/(\w+)\.module\.mjs$/.exec(id) ?? []
        return { code: `import '@mantine/core/styles/${component}.layer.css'\n${code}`, map: null }
      },
    },
  }
}

/** What only the server, OpenAPI and the tests read of an operation or an event. */
export const SERVED: readonly string[] = [
  'summary',
  'params',
  'query',
  'body',
  'returns',
  'errors',
  'mode',
  'audit',
  'payload',
]
const described = new Set(['contract', 'events'])

type Statement = ReturnType<Rolldown.PluginContext['parse']>['body'][number]
type Declared = Extract<Statement, { type: 'VariableDeclaration' }>['declarations'][number]['init']
type Argument = Extract<Declared, { type: 'CallExpression' }>['arguments'][number]
type Cut = { from: number; to: number; text: string }

/**
 * Leaves of the contracts what a browser calls them by: operations and events lose what only the server reads, and a
 * schema that nobody asks for any more is left out of the build.
 */
export function contractsAsCalled(): Plugin {
  return {
    name: 'guiche-contracts-as-called',
    apply: 'build',
    transform: {
      filter: { id: /\/src\/(features\/[^/]+\/[^/]+|kit\/[^/]+)\.ts$/ },
      handler(code) {
        const cuts: Cut[] = []
        for (const statement of this.parse(code).body) {
          const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
          if (declaration?.type !== 'VariableDeclaration') continue
          for (const { init } of declaration.declarations) {
            if (init?.type !== 'CallExpression' && init?.type !== 'ObjectExpression') continue
            cuts.push({ from: init.start, to: init.start, text: '/* @__PURE__ */ (() => (' })
            cuts.push({ from: init.end, to: init.end, text: '))()' })
            if (init.type !== 'CallExpression' || init.callee.type !== 'Identifier') continue
            if (described.has(init.callee.name)) cuts.push(...init.arguments.flatMap(servedParts))
          }
        }
        return { code: cuts.sort((a, b) => b.from - a.from).reduce(cutOut, code), map: null }
      },
    },
  }
}

const cutOut = (code: string, { from, to, text }: Cut) => code.slice(0, from) + text + code.slice(to)

function servedParts(operations: Argument): Cut[] {
  if (operations.type !== 'ObjectExpression') return []
  return operations.properties.flatMap((operation) => {
    if (operation.type !== 'Property' || operation.value.type !== 'ObjectExpression') return []
    const { properties, end } = operation.value
    return properties.flatMap((one, index): Cut[] =>
      one.type === 'Property' && one.key.type === 'Identifier' && SERVED.includes(one.key.name)
        ? [{ from: one.start, to: properties[index + 1]?.start ?? end - 1, text: '' }]
        : [],
    )
  })
}
