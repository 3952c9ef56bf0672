import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const packings = [
  { ending: 'br', pack: promisify(brotliCompress) },
  { ending: 'gz', pack: promisify(gzip) },
]

/**
 * Also writes each script, style sheet and drawing compressed, at the best level, so that the server only selects an
 * encoding.
 */
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

/**
 * Modules of a built file, as `.vite/chunks.json` lists them beside the manifest; paths are relative to the root of the
 * project (`/src/…`).
 */
export type BuiltChunk = {
  readonly fileName: string
  readonly name: string
  readonly isEntry: boolean
  readonly isDynamicEntry: boolean
  readonly facadeModuleId: string | null
  readonly moduleIds: readonly string[]
  readonly imports: readonly string[]
  readonly dynamicImports: readonly string[]
  readonly css: readonly string[]
}

/** Lists the chunks of the build and their modules, for the tests of sizes. */
export function chunkList(): Plugin {
  const path = (id: string) => `/${relative(import.meta.dirname, id)}`
  return {
    name: 'guiche-chunk-list',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      const chunks = Object.values(bundle).flatMap((file): BuiltChunk[] => {
        if (file.type !== 'chunk') return []
        return [
          {
            fileName: file.fileName,
            name: file.name,
            isEntry: file.isEntry,
            isDynamicEntry: file.isDynamicEntry,
            facadeModuleId: file.facadeModuleId && path(file.facadeModuleId),
            moduleIds: file.moduleIds.map(path),
            imports: file.imports,
            dynamicImports: file.dynamicImports,
            css: [...(file.viteMetadata?.importedCss ?? [])],
          },
        ]
      })
      await writeFile(join(dir!, '.vite/chunks.json'), JSON.stringify(chunks))
    },
  }
}

/** Replaces the channels' configs by the parts that the first screens need. */
export function channelLooks(): Plugin {
  return {
    name: 'guiche-channel-looks',
    apply: 'build',
    transform: {
      filter: { id: /\/src\/providers\/channels\/looks\.ts$/ },
      async handler(_, id) {
        const { channelLooks: looks } = (await import(pathToFileURL(id).href)) as { channelLooks: object[] }
        return { code: `export const channelLooks = ${JSON.stringify(looks)}`, map: null }
      },
    },
  }
}

/**
 * Imports each Mantine component's own style sheet, so that a page loads only the styles it draws, without a hand-written
 * list.
 */
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
