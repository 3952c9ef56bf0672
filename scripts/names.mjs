import { stripVTControlCharacters } from 'node:util'

/** The line of the closing lines that names what failed. */
export const failed = (test, message) => `failed: ${test}: ${inOneLine(message)}`

/** The line that names what passed, but not the first time. */
export const repeated = (test, message) => `passed only when repeated: ${test}: ${inOneLine(message)}`

function inOneLine(message = '') {
  return stripVTControlCharacters(message).split('\n', 6).join(' ').slice(0, 300)
}
