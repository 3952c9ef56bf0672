import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkNode, findNode, install } from './prepare.mjs'
import { capture, main, root, seconds } from './steps.mjs'

const longest = 500
const generated = ['db/types.ts']
const bin = (path) => join('node_modules', path)

/** Static checks: each step returns its errors as text, or nothing. */
const steps = {
  types: (node) => typeCheck(node, 'tsconfig.json'),
  'types of the rules': (node) => typeCheck(node, 'src/domain/tsconfig.json'),
  'types of the widget': (node) => typeCheck(node, 'src/widget/tsconfig.json'),
  'types of the worker': (node) => typeCheck(node, 'src/worker/tsconfig.json'),
  'format and lint': () => run(bin('.bin/biome'), ['check', '--error-on-warnings', '--diagnostic-level=warn']),
  walls: checkWalls,
  'unused code': (node) => run(node, [bin('knip/bin/knip.js'), '--no-progress']),
  'file sizes': checkSizes,
}

await main(async () => {
  checkNode()
  await install({ dev: true })
  const node = findNode()
  const start = performance.now()
  const waiting = Object.entries(steps)
  const failures = []
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, check] = next
      const begun = performance.now()
      const complaint = await check(node)
      console.log(`${complaint ? '✗' : '✓'} ${name} ${seconds(begun)}`)
      if (complaint) failures.push(`\n${name}\n${complaint}`)
    }
  }
  await Promise.all([work(), work()])
  for (const failure of failures) console.log(failure)
  console.log(`check: ${failures.length === 0 ? 'ok' : `${failures.length} failed`}, ${seconds(start)}`)
  return failures.length === 0 ? 0 : 1
})

async function run(program, args) {
  const { code, output } = await capture(program, args)
  return code === 0 ? undefined : output.trim() || `exit code ${code}`
}

// Each checker reads most of the project again: two take two thirds of the time and memory of the usual four on two cores.
function typeCheck(node, project) {
  return run(node, [bin('typescript-native/bin/tsc'), '--noEmit', '--checkers', '2', '--project', project])
}

/** Fails if a rule set examined no module, since it would then find nothing. */
async function checkWalls(node) {
  const cruiser = bin('dependency-cruiser/bin/dependency-cruiser.mjs')
  const folders = ['src', 'db', 'test', 'bench'].filter((folder) => existsSync(join(root, folder)))
  const { output } = await capture(node, [cruiser, ...folders, '--output-type', 'json'])
  if (!output.startsWith('{')) return output.trim()
  const { summary, modules } = JSON.parse(output)
  const own = modules.filter(({ source }) => source.startsWith('src/'))
  if (own.length < 10) return `only ${own.length} modules examined`
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).join('\n')
}

async function checkSizes() {
  const { output } = await capture('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  const files = output.split('\n').filter((file) => /\.(tsx?|m?js|cjs|css)$/.test(file) && existsSync(join(root, file)))
  if (files.length === 0) return 'no files examined'
  return files
    .filter((file) => !generated.includes(file))
    .map((file) => ({ file, lines: readFileSync(join(root, file), 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > longest)
    .map(({ file, lines }) => `${file}: ${lines} lines, at most ${longest}`)
    .join('\n')
}
