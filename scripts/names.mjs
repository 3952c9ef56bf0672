import { stripVTControlCharacters } from 'node:util'

/** Returns the closing line that names a failed test. */
export const failed = (test, message) => `failed: ${test}: ${inOneLine(message)}`

/** Returns the closing line that names a test that passed only when repeated. */
export const repeated = (test, message) => `passed only when repeated: ${test}: ${inOneLine(message)}`

function inOneLine(message = '') {
  return stripVTControlCharacters(message).split('\n', 6).join(' ').slice(0, 300)
}
