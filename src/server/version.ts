import { readFileSync } from 'node:fs'
import { checkout } from './checkout.ts'

/** Version in package.json. */
export const version: string = JSON.parse(readFileSync(new URL('package.json', checkout), 'utf8')).version
