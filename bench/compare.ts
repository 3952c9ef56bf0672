import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Results } from './report.ts'
import { workloads } from './workloads.ts'

const root = join(import.meta.dirname, '..')
const TURNS = 2
/** Ratios closer to one than this say nothing on a machine like ours. */
const UNDECIDED = 0.1

/**
 * Measures another state of the product (a git ref) and this one in turn, twice each, by this state's methods and with
 * its packages, and prints the ratio of every figure.
 */
export async function compare(
  ref: string,
  sizes: string,
  only = workloads.map(({ key }) => key).join(),
): Promise<void> {
  const folder = join(root, '.cache', 'bench')
  const other = join(folder, 'other')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await run('git', ['worktree', 'prune'])
  await run('git', ['worktree', 'add', '--force', '--detach', other, ref])
  try {
    symlinkSync(join(root, 'node_modules'), join(other, 'node_modules'))
    rmSync(join(other, 'bench'), { recursive: true, force: true })
    cpSync(join(root, 'bench'), join(other, 'bench'), { recursive: true })
    const build = "import('./scripts/prepare.mjs').then(({ build }) => build(process.execPath))"
    if (only.includes('frontEnd') || only.includes('builder')) await run(process.execPath, ['-e', build], other)
    const measure = async (state: string, json: string): Promise<Results> => {
      await run(process.execPath, ['bench/run.ts', sizes, `--only=${only}`, `--json=${json}`], state)
      return JSON.parse(readFileSync(json, 'utf8')) as Results
    }
    const before: Results[] = []
    const after: Results[] = []
    for (let turn = 1; turn <= TURNS; turn++) {
      console.log(`== ${ref}, ${turn} of ${TURNS}`)
      before.push(await measure(other, join(folder, 'before.json')))
      console.log(`== this state, ${turn} of ${TURNS}`)
      after.push(await measure(root, join(folder, 'after.json')))
    }
    console.log(comparison(ref, before, after))
  } finally {
    await run('git', ['worktree', 'remove', '--force', other])
  }
}

async function run(program: string, args: string[], cwd = root): Promise<void> {
  const [code] = (await once(spawn(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] }), 'close')) as [
    number,
  ]
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`)
}

/** The figures of both states with their ratios as a table; each is the mean of its turns. */
export function comparison(ref: string, before: readonly Results[], after: readonly Results[]): string {
  const [was, is] = [before.map(figuresOf), after.map(figuresOf)]
  const mean = (turns: readonly Map<string, number>[], name: string) =>
    turns.reduce((sum, turn) => sum + turn.get(name)!, 0) / turns.length
  const rows = [...was[0]!.keys()].map((name) => {
    const [then, now] = [mean(was, name), mean(is, name)]
    const ratio = now / then
    const verdict = Math.abs(ratio - 1) < UNDECIDED ? ' (undecided)' : ''
    return `| ${name} | ${then.toPrecision(4)} | ${now.toPrecision(4)} | ×${ratio.toFixed(2)}${verdict} |`
  })
  return [`| | ${ref} | this state | ratio |`, '| --- | --- | --- | --- |', ...rows].join('\n')
}

function figuresOf({ sizes, start, fanOut, frontEnd, builder, linked, mail, webchat }: Results): Map<string, number> {
  const figures = new Map<string, number>()
  for (const { size, measured } of sizes)
    for (const [key, { perSecond, p50, p99 }] of Object.entries(measured)) {
      figures.set(`${key} at ${size}, per second`, perSecond)
      figures.set(`${key} at ${size}, p50 ms`, p50)
      figures.set(`${key} at ${size}, p99 ms`, p99)
    }
  if (start) {
    figures.set('start, CPU ms', start.cpu)
    figures.set('memory at rest, MB', start.memory)
  }
  if (fanOut) {
    figures.set('fan-out, events per second', fanOut.ours.safe)
    figures.set('fan-out, µs per delivery', fanOut.ours.cost)
  }
  for (const { name, unit, value } of [frontEnd, builder, linked, mail, webchat].flatMap((all) => all ?? []))
    figures.set(`${name}, ${unit}`, value)
  return figures
}
