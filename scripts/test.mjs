import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build, buildServer, checkNode, compile, findNode, install } from './prepare.mjs'
import { drawn, ROUNDS, testFiles, VARIANTS } from './rounds.mjs'
import { runPlaywright, runVitest, takePictures } from './runners.mjs'
import { main, root } from './steps.mjs'

// `npm test` runs everything but the rounds, `npm run test:wide` all rounds or those given by name; names of features limit
// either to their tests. In `days` and `pools` a file runs in a randomly drawn variant of that round, with `--all` in each.
// `--clock=<ISO moment>` runs rules and API on one day; `--pictures` takes the pictures of the components again, which the
// round of the screens compares.
const args = process.argv.slice(2)
const wide = args.includes('--wide')
const all = args.includes('--all')
const clock = args.find((one) => one.startsWith('--clock='))?.slice('--clock='.length)
const names = args.filter((one) => !['--wide', '--all', '--pictures'].includes(one) && !one.startsWith('--clock='))
const rounds = wide ? names.filter((one) => ROUNDS.includes(one)) : []
const only = names.filter((one) => !rounds.includes(one))
const now = new Date()

await main(async () => {
  const features = readdirSync(join(root, 'src', 'features'))
  const unknown = only.filter((one) => !features.includes(one))
  if (unknown.length > 0) {
    const known = wide ? [...ROUNDS, ...features] : features
    console.error(
      `Não há funcionalidade${wide ? ' nem rodada' : ''} "${unknown.join('", "')}": há ${known.join(', ')}.`,
    )
    return 2
  }
  checkNode()
  await install({ dev: true })
  const node = findNode()
  await build(node)
  await buildServer(node)
  await compile(node)
  if (args.includes('--pictures')) return takePictures(node)
  return close(await run(node))
})

async function run(node) {
  if (clock) return [await runOnDay(node, 'day', clock, ['--project=unit', '--project=api'])]
  if (only.length > 0) {
    const folders = ['--passWithNoTests', ...only.map((feature) => `src/features/${feature}/`)]
    return [
      await runVitest(node, 'feature', [wide ? '--project=wide*' : '--project=!wide*', ...folders]),
      await runPlaywright(node, 'feature', journeys(wide ? '(?=.*@wide)' : '')),
    ]
  }
  if (!wide)
    return [
      await runVitest(node, 'all', ['--project=!wide*']),
      await runPlaywright(node, 'all', journeys('(?!.*@wide)')),
    ]
  const results = []
  for (const round of rounds.length > 0 ? rounds : ROUNDS) {
    console.log(`== round: ${round}`)
    results.push(...(await runRound(node, round)))
  }
  return results
}

/** Returns a pattern for the journeys of the selected features: in the file named after the feature, or with its tag. */
function journeys(breadth) {
  const theirs = only.map((feature) => `(?=.*(\\b${feature}\\.spec\\.ts|@${feature}( |$)))`)
  return `^${breadth}(${theirs.join('|')})`
}

async function runRound(node, round) {
  if (round === 'screens') return [await runPlaywright(node, round, journeys('(?=.*@wide)'))]
  const variants = VARIANTS.filter((variant) => variant.round === round)
  if (variants.length === 0) return [await runVitest(node, round, [`--project=wide-${round}`])]
  const results = []
  for (const variant of variants) {
    const files = all ? [] : testFiles().filter((file) => drawn(file, now) === variant)
    const which = ['--project=wide-unit', '--project=wide-api', ...files]
    results.push(
      variant.moment
        ? await runOnDay(node, variant.name, variant.moment(now), which)
        : await runVitest(node, variant.name, which, { TEST_DB_POOL: String(variant.pool) }),
    )
  }
  return results
}

/** The tests of rules and API with the clocks of the processes and of the database moved to a moment. */
async function runOnDay(node, name, moment, which) {
  const shift = Math.round(new Date(moment).getTime() - Date.now())
  if (Number.isNaN(shift)) throw new Error(`--clock: "${moment}" não é um momento (ISO 8601).`)
  console.log(`== on another day: ${new Date(moment).toISOString()}`)
  const { href } = new URL('../test/setup/clock.ts', import.meta.url)
  return runVitest(node, name, which, {
    TEST_CLOCK_SHIFT_MS: String(shift),
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${href}`.trim(),
  })
}

/** Prints slow, failed and repeated tests and the totals; returns the exit code. */
function close(results) {
  const slowest = results.flatMap(({ files }) => files).sort((a, b) => b.ms - a.ms)
  console.log('slowest files:')
  for (const { file, ms } of slowest.slice(0, 10)) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s ${file}`)
  for (const line of results.flatMap((result) => result.names)) console.log(line)
  const sum = (key) => results.reduce((total, result) => total + result[key], 0)
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
  return sum('failed') === 0 ? 0 : 1
}
