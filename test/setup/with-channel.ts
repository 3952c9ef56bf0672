import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

const root = join(import.meta.dirname, '..', '..')
/** Entries of the checkout that the build of the browser's side does not read. */
const LEFT_OUT = /^(\..*|bench|dist|docs|node_modules|test|test-results)$/

// A line more in a list, with the import that it needs.
function addLine(file: string, name: string, from: string, end: RegExp, line: string): void {
  const code = readFileSync(file, 'utf8')
  const added = code.replace(end, `${line}$&`)
  if (added === code) throw new Error(`${file} is another list`)
  writeFileSync(file, `import { ${name} } from '${from}'\n${added}`)
}

/**
 * Applies the channel recipe to a copy of the checkout: adds a folder of `test/channels` to the channels and to the two
 * lists. Builds the browser's side of that copy and returns its path.
 */
export async function buildWithChannel(channel: string, copy: string): Promise<string> {
  mkdirSync(copy, { recursive: true })
  for (const name of readdirSync(root))
    if (!LEFT_OUT.test(name)) cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const channels = join(copy, 'src/providers/channels')
  for (const file of ['config.ts', 'adapter.ts'])
    cpSync(join(root, 'test/channels', channel, file), join(channels, channel, file), { recursive: true })
  addLine(join(channels, 'configs.ts'), `${channel}Config`, `./${channel}/config.ts`, /^\]$/m, `  ${channel}Config,\n`)
  addLine(
    join(channels, 'adapters.ts'),
    `${channel}Adapter`,
    `./${channel}/adapter.ts`,
    /^\}$/m,
    `  ${channel}: ${channel}Adapter,\n`,
  )
  const outDir = join(copy, 'dist', 'web')
  await build({
    root: copy,
    configFile: join(copy, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
  })
  return join(copy, 'dist')
}
