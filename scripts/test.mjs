import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build, checkNode, findNode, install } from './prepare.mjs'
import { attach, main, root } from './steps.mjs'

// `npm test` runs everything but the wide tests, `npm run test:wide` runs those; other arguments go to vitest alone.
const wide = process.argv.includes('--wide')
const reports = join(root, '.cache', 'reports')

await main(async () => {
  checkNode()
  await install({ dev: true })
  const node = findNode()
  await build(node)
  mkdirSync(reports, { recursive: true })
  const results = [await runVitest(node), await runPlaywright(node)]
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  const failed = results.reduce((sum, result) => sum + result.failed, 0)
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
})

async function runVitest(node) {
  const report = freshReport(wide ? 'vitest-wide.json' : 'vitest.json')
  const which = wide ? ['--project=wide*', '--passWithNoTests'] : ['--project=!wide*']
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await attach(node, ['node_modules/vitest/vitest.mjs', 'run', ...which, ...reporters])
  return count(code, report, (json) => ({ passed: json.numPassedTests, failed: json.numFailedTests }))
}

async function runPlaywright(node) {
  const report = freshReport(wide ? 'playwright-wide.json' : 'playwright.json')
  const which = wide ? ['--grep=@wide', '--pass-with-no-tests'] : ['--grep-invert=@wide']
  const cli = 'node_modules/@playwright/test/cli.js'
  const code = await attach(node, [cli, 'test', '--reporter=list,json', ...which], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  })
  return count(code, report, ({ stats }) => {
    if (stats.flaky > 0) console.log(`${stats.flaky} passed only when repeated: see above`)
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected }
  })
}

function freshReport(name) {
  const report = join(reports, name)
  rmSync(report, { force: true })
  return report
}

/** A runner that failed without a failed test (a file that does not load, no report at all) counts as one failure. */
function count(code, report, read) {
  const { passed, failed } = existsSync(report)
    ? read(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0 }
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed }
}
