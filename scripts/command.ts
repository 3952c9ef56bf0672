import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Env, readEnv } from '#server/env.ts'
import { startProblem } from '#server/start-problem.ts'

/**
 * Runs a command with one path, given as `--name PATH` (relative to where npm was called). Errors are printed as one
 * sentence with exit code 1; signals end it in order.
 */
export async function runCommand(
  option: { name: string; usage: string },
  work: (env: Env, path: string) => Promise<void>,
): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  let env: Env | undefined
  try {
    const path = readPath(option.name)
    if (!path) throw new Error(option.usage)
    env = readEnv()
    env.DATA_DIR = resolve(env.DATA_DIR)
    await work(env, resolve(process.env.INIT_CWD ?? '.', path))
  } catch (error) {
    console.error(env ? startProblem(error, env) : (error as Error).message)
    process.exitCode = 1
  }
}

function readPath(name: string): string | undefined {
  try {
    return parseArgs({ options: { [name]: { type: 'string' } } }).values[name]
  } catch {
    return undefined
  }
}

/** Numbers and sizes as a person reads them. */
export const shown = {
  number: (value: number): string => value.toLocaleString('pt-BR'),
  size: (bytes: number): string => `${(bytes / 1e6).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} MB`,
}

/** Prints the files of a backup that have a row but no content, or different content. */
export function warnOfFiles({ missing, damaged }: { missing: string[]; damaged: string[] }): void {
  if (missing.length > 0) console.error(`Faltavam no disco ${missing.length} arquivos:\n  ${missing.join('\n  ')}`)
  if (damaged.length > 0)
    console.error(`Não eram mais o que foram ${damaged.length} arquivos:\n  ${damaged.join('\n  ')}`)
}
