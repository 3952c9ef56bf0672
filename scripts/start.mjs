import { build, buildServer, checkNode, findNode, install } from './prepare.mjs'
import { cache, environment, program } from './program.mjs'
import { attach, main } from './steps.mjs'

// Runs on Node 20.19 without any package: prepares what is missing and hands over to the product.
const [flag, ...rest] = process.argv.slice(2)
const flags = [undefined, '--seed', '--audit', '--backup', '--restore', '--dev', '--bench']

await main(async () => {
  if (!flags.includes(flag)) {
    console.error(
      `O npm start não conhece "${flag}". As configurações são variáveis de ambiente: veja docs/settings.md.`,
    )
    return 2
  }
  checkNode()
  await install({ dev: false })
  const node = findNode()
  if (flag === '--seed') return attach(node, ['db/seed.ts', ...rest], cache)
  if (flag === '--audit') return attach(node, ['scripts/audit-verify.ts', ...rest], cache)
  // A small nursery of the heap: a gigabyte that streams through leaves a few megabytes behind instead of seventy.
  if (flag === '--backup') return attach(node, ['--max-semi-space-size=2', 'scripts/backup.ts', ...rest], cache)
  if (flag === '--restore') return attach(node, ['--max-semi-space-size=2', 'scripts/restore.ts', ...rest], cache)
  if (flag === '--dev') return attach(node, ['scripts/dev.mjs'], cache)
  await build(node)
  await buildServer(node)
  if (flag === '--bench') return attach(node, ['bench/run.ts', ...rest], { ...cache, NODE_ENV: 'production' })
  return attach(node, program, environment, { restart: true })
})
