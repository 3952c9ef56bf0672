import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { failed, repeated } from './names.mjs'
import { root } from './steps.mjs'

/** Reporter of vitest that writes the result of a run as JSON to the file named by `TEST_REPORT`. */
export default class {
  onTestRunEnd(modules, unhandled) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const stateIs = (state) => tests.filter((one) => one.result().state === state)
    const names = [
      ...stateIs('failed').map((one) => failed(nameOf(one), firstError(one))),
      ...stateIs('passed')
        .filter((one) => one.diagnostic()?.flaky)
        .map((one) => repeated(nameOf(one), firstError(one))),
      // A file that does not load has no failed test, nor has an uncaught error.
      ...modules.flatMap((module) => module.errors().map(({ message }) => failed(fileOf(module), message))),
      ...unhandled.map(({ message }) => failed('outside of a test', message)),
    ]
    const report = {
      passed: stateIs('passed').length,
      failed: names.filter((name) => name.startsWith('failed: ')).length,
      names,
      files: modules.map((module) => {
        const { collectDuration, duration } = module.diagnostic()
        return { file: fileOf(module), project: module.project.name, ms: Math.round(collectDuration + duration) }
      }),
      tests: tests.map((one) => ({ name: nameOf(one), ms: Math.round(one.diagnostic()?.duration ?? 0) })),
    }
    writeFileSync(process.env.TEST_REPORT, JSON.stringify(report))
  }
}

const fileOf = (module) => relative(root, module.moduleId)
const nameOf = (one) => `${fileOf(one.module)} › ${one.fullName}`
const firstError = (one) => one.result().errors?.[0]?.message
