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

/** Builds the browser's side as it is with a feature of the tests in it, into a folder. */
export async function buildWithFeature(feature: string, outDir: string): Promise<void> {
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error',
    plugins: [named(feature)],
    build: { outDir, emptyOutDir: true },
  })
}
