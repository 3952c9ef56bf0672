import { join } from 'node:path'
import { build, type Plugin } from 'vite'

const root = join(import.meta.dirname, '..', '..')

// One line among the features, and a folder more where each feature's errors, permissions and settings are found.
const named = (feature: string): Plugin => ({
  name: 'guiche-with-feature',
  enforce: 'pre',
  transform: {
    filter: { id: /\/src\/web\/(features\.tsx|errors\.ts|registries\.ts)$/ },
    handler(code, id) {
      const changed = id.endsWith('features.tsx')
        ? code.replace(
            /^const features.* = \[$/m,
            `import { ${feature}Web } from '#test/features/${feature}/web/index.ts'\n$&\n  ${feature}Web,`,
          )
        : code.replaceAll(/'\.\.\/features\/\*\/(\w+\.ts)'/g, `['../features/*/$1', '/test/features/${feature}/$1']`)
      if (changed === code) throw new Error(`${id} names features in another way`)
      return { code: changed, map: null }
    },
  },
})

// Every channel that is still being built among the others, as it will be offered.
const offered: Plugin = {
  name: 'guiche-with-unfinished',
  enforce: 'pre',
  transform: {
    filter: { id: /\/src\/providers\/channels\/configs\.ts$/ },
    handler: (code) => ({
      code: `${code}
for (const module of Object.values(import.meta.glob('./**/config.ts', { eager: true })))
  for (const config of Object.values(module))
    if (config?.isUnfinished) {
      delete config.isUnfinished
      channelConfigs.push(config)
    }`,
      map: null,
    }),
  },
}

// They are drawn from their configs, not from what was written out of those that are offered.
const looks: Plugin = {
  name: 'guiche-looks-of-unfinished',
  enforce: 'post',
  transform: {
    filter: { id: /\/src\/providers\/channels\/looks\.ts$/ },
    handler: () => ({
      code: `import { channelConfigs } from './configs.ts'
import { lookOf } from './config.ts'
export const channelLooks = channelConfigs.map(lookOf)`,
      map: null,
    }),
  },
}

const buildWith = async (plugins: Plugin[], outDir: string): Promise<void> => {
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error',
    plugins,
    build: { outDir, emptyOutDir: true },
  })
}

/** Builds the browser's side as it is with a feature of the tests in it, into a folder. */
export const buildWithFeature = (feature: string, outDir: string): Promise<void> => buildWith([named(feature)], outDir)

/** Builds it as it will be when the channels that are still being built are offered, into a folder. */
export const buildWithUnfinished = (outDir: string): Promise<void> => buildWith([offered, looks], outDir)
