import { checkNode, findNode, install } from './prepare.mjs'
import { attach, main } from './steps.mjs'

// `npm run chaos -- --rounds 20 --seed 7`: faults under load, and whether the books balance afterwards.
await main(async () => {
  checkNode()
  await install({ dev: true })
  return attach(findNode(), ['test/chaos/run.ts', ...process.argv.slice(2)])
})
