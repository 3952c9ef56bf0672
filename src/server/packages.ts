import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)

/** Whether an optional package is installed; a package that is installed later is found at the next start. */
export function isInstalled(name: string): boolean {
  try {
    resolve(`${name}/package.json`)
    return true
  } catch {
    return false
  }
}
