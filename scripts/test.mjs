import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { build, buildServer, checkNode, compile, findNode, install } from './prepare.mjs'
import { attach, main, root } from './steps.mjs'

// `npm test` runs everything but the wide tests, `npm run test:wide` runs those, and the rules and the API in their whole
// breadth on other days; `--clock=<ISO moment>` runs the latter alone, on one day; names of features leave theirs of any of these. `--pictures`
// takes the pictures of the components anew, which the wide tests compare.
const args = process.argv.slice(2)
const wide = args.includes('--wide')
const clock = args.find((one) => one.startsWith('--clock='))?.slice('--clock='.length)
const only = args.filter((one) => one !== '--wide' && one !== '--pictures' && !one.startsWith('--clock='))
const reports = join(root, '.cache', 'reports')

await main(async () => {
  const features = readdirSync(join(root, 'src', 'features'))
  const unknown = only.filter((one) => !features.includes(one))
  if (unknown.length > 0) {
    console.error(`Não há funcionalidade "${unknown.join('", "')}": há ${features.join(', ')}.`)
    return 2
  }
  checkNode()
  await install({ dev: true })
  const node = findNode()
  await build(node)
  await buildServer(node)
  await compile(node)
  mkdirSync(reports, { recursive: true })
  if (args.includes('--pictures')) return takePictures(node)
  const results = clock ? [] : [await runVitest(node), await runPlaywright(node)]
  if (clock) results.push(await runOnDay(node, clock, ['--project=unit', '--project=api']))
  // Each quarter of the tests has one of the four days, and another on the next day of the calendar.
  const days = wide && !clock && only.length === 0 ? otherDays() : []
  for (const [index, moment] of days.entries())
    results.push(
      await runOnDay(node, moment, [
        ...['--project=wide-unit', '--project=wide-pools'],
        `--shard=${((index + new Date().getUTCDate()) % 4) + 1}/4`,
      ]),
    )
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  const failed = results.reduce((sum, result) => sum + result.failed, 0)
  for (const { names } of results) for (const name of names) console.log(name)
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
})

/** Days on which something may go wrong: tomorrow, a leap day, the last minute of a year in São Paulo, a year on. */
function otherDays() {
  const now = new Date()
  const leap = nextLeapYear(now.getUTCFullYear() + 1)
  return [
    new Date(now.getTime() + 86_400_000).toISOString(),
    `${leap}-02-29T12:00:00-03:00`,
    `${now.getUTCFullYear()}-12-31T23:59:00-03:00`,
    new Date(now.getTime() + 365 * 86_400_000).toISOString(),
  ]
}

function nextLeapYear(year) {
  return new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1 ? year : nextLeapYear(year + 1)
}

/** The tests of rules and API with the clocks of the processes and of the database moved to a moment. */
async function runOnDay(node, moment, which) {
  const shift = Math.round(new Date(moment).getTime() - Date.now())
  if (Number.isNaN(shift)) throw new Error(`--clock: "${moment}" não é um momento (ISO 8601).`)
  console.log(`== on another day: ${moment}`)
  const { href } = new URL('../test/setup/clock.ts', import.meta.url)
  return runVitest(node, `vitest-${moment.slice(0, 10)}.json`, which, {
    TEST_CLOCK_SHIFT_MS: String(shift),
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${href}`.trim(),
  })
}

async function runVitest(node, name = wide ? 'vitest-wide.json' : 'vitest.json', projects, env) {
  const report = freshReport(name)
  // What a feature has in its whole breadth stands in no quarter of its own.
  const ours = only.length > 0 ? ['--project=wide*'] : ['--project=wide', '--project=wide-alone']
  const which = projects ?? (wide ? ours : ['--project=!wide*'])
  if ((wide && !projects) || only.length > 0)
    which.push('--passWithNoTests', ...only.map((feature) => `src/features/${feature}/`))
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await attach(node, ['node_modules/vitest/vitest.mjs', 'run', ...which, ...reporters], env)
  return count(code, report, ({ numPassedTests, numFailedTests, testResults }) => ({
    passed: numPassedTests,
    failed: numFailedTests,
    names: testResults.flatMap(({ name, status, message, assertionResults }) => {
      const tests = assertionResults
        .filter((one) => one.status === 'failed')
        .map((one) => `${one.fullName}: ${inOneLine(one.failureMessages[0])}`)
      // A file that does not load has no test that failed.
      if (status === 'failed' && tests.length === 0) tests.push(inOneLine(message))
      return tests.map((test) => `failed: ${relative(root, name)} › ${test}`)
    }),
  }))
}

async function runPlaywright(node) {
  const report = freshReport(wide ? 'playwright-wide.json' : 'playwright.json')
  // Those of a feature stand in the file that bears its name or bear its tag; who asks for one gets the wide ones, too.
  const theirs = only.map((feature) => `(?=.*(\\b${feature}\\.spec\\.ts|@${feature}( |$)))`)
  const breadth = wide ? '(?=.*@wide)' : only.length > 0 ? '' : '(?!.*@wide)'
  const which = [`--grep=^${breadth}(${theirs.join('|')})`, '--pass-with-no-tests']
  const cli = 'node_modules/@playwright/test/cli.js'
  const code = await attach(node, [cli, 'test', '--reporter=list,json', ...which], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  })
  return count(code, report, ({ stats, suites }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    names: suites.flatMap(journeysThatFailed),
  }))
}

/** The journeys of a suite that failed, or passed only when they were repeated. */
function journeysThatFailed({ file, specs = [], suites = [] }) {
  const words = { unexpected: 'failed', flaky: 'passed only when repeated' }
  const own = specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status in words)
      .map(({ status, results }) => `${words[status]}: ${file} › ${title}: ${inOneLine(results[0].error?.message)}`),
  )
  return [...own, ...suites.flatMap(journeysThatFailed)]
}

/** What a test failed of, as it stands in one line without colours. */
function inOneLine(message = '') {
  return stripVTControlCharacters(message).split('\n', 6).join(' ').slice(0, 300)
}

/** Pictures of what the components look like now, in at most 256 colours, as those to compare with. */
async function takePictures(node) {
  const folder = join(root, 'test', 'pictures')
  rmSync(folder, { recursive: true, force: true })
  const cli = 'node_modules/@playwright/test/cli.js'
  const code = await attach(node, [cli, 'test', 'gallery', '--update-snapshots=all', '--reporter=dot'])
  const { default: sharp } = await import('sharp')
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    writeFileSync(file, await sharp(readFileSync(file)).png({ palette: true, effort: 10 }).toBuffer())
  }
  return code
}

function freshReport(name) {
  const report = join(reports, name)
  rmSync(report, { force: true })
  return report
}

/**
 * What a runner counted, with the names of what failed. One that failed without a failed test (a file that does not
 * load, no report at all) counts as one failure.
 */
function count(code, report, read) {
  const { passed, failed, names } = existsSync(report)
    ? read(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0, names: [] }
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, names }
}
