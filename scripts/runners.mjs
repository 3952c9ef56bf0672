import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failed, repeated } from './names.mjs'
import { attach, root } from './steps.mjs'

const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js'

/**
 * Runs vitest and returns `{ passed, failed, names, files }`: its counts, the closing lines of failed or repeated tests, and
 * the duration of each file. The report remains in `.cache/reports`.
 */
export async function runVitest(node, name, args, env = {}) {
  const report = freshReport(`vitest-${name}`)
  const reporters = ['--reporter=default', '--reporter=./scripts/reporter.mjs']
  const code = await attach(node, ['node_modules/vitest/vitest.mjs', 'run', ...args, ...reporters], {
    ...env,
    TEST_REPORT: report,
  })
  return count(code, report, (told) => told)
}

/** Runs the journeys whose title and tags match the pattern. */
export async function runPlaywright(node, name, pattern) {
  const report = freshReport(`playwright-${name}`)
  const args = ['test', '--reporter=list,json', `--grep=${pattern}`, '--pass-with-no-tests']
  const code = await attach(node, [PLAYWRIGHT, ...args], { PLAYWRIGHT_JSON_OUTPUT_NAME: report })
  return count(code, report, ({ stats, suites }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    names: suites.flatMap(namesOf),
    files: suites.map((suite) => ({ file: `test/browser/${suite.file}`, ms: durationOf(suite) })),
  }))
}

/** Takes the reference pictures of the components, in at most 256 colours. */
export async function takePictures(node) {
  const folder = join(root, 'test', 'pictures')
  rmSync(folder, { recursive: true, force: true })
  const code = await attach(node, [PLAYWRIGHT, 'test', 'gallery', '--update-snapshots=all', '--reporter=dot'])
  const { default: sharp } = await import('sharp')
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    writeFileSync(file, await sharp(readFileSync(file)).png({ palette: true, effort: 10 }).toBuffer())
  }
  return code
}

/** The journeys of a suite that failed, or passed only when they were repeated. */
function namesOf({ file, specs = [], suites = [] }) {
  const words = { unexpected: failed, flaky: repeated }
  const own = specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status in words)
      .map(({ status, results }) => words[status](`${file} › ${title}`, results[0].error?.message)),
  )
  return [...own, ...suites.flatMap(namesOf)]
}

const sum = (numbers) => numbers.reduce((total, one) => total + one, 0)
const durationOf = ({ specs = [], suites = [] }) =>
  sum(specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ duration }) => duration)))) +
  sum(suites.map(durationOf))

function freshReport(name) {
  const reports = join(root, '.cache', 'reports')
  mkdirSync(reports, { recursive: true })
  const report = join(reports, `${name}.json`)
  rmSync(report, { force: true })
  return report
}

/** A runner that failed without a failed test (no report at all) counts as one failure. */
function count(code, report, read) {
  const told = existsSync(report)
    ? read(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0, names: [], files: [] }
  return { ...told, failed: code !== 0 && told.failed === 0 ? 1 : told.failed }
}
