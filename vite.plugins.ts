import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

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

/** Writes out what the first screens know of channels, in place of all that their configs say. */
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
