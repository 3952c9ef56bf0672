import { z } from 'zod'
import { readOutside } from '#kit/outside.ts'

/** Names of a workflow's text output; the first present one counts. */
const NAMES = ['output', 'text', 'message', 'answer'] as const
const fields = z.record(z.string(), z.unknown())

/** Extracts the texts of a workflow's answer of any form: a text, a number, an object, or a list of these. */
export function textsOf(given: unknown): string[] {
  if (typeof given === 'number') return [String(given)]
  if (typeof given === 'string') return given.trim() ? [given] : []
  if (Array.isArray(given)) return given.flatMap(textsOf)
  const read = readOutside(fields, given)?.data
  if (!read) return []
  if (read['json'] !== undefined && !NAMES.some((name) => read[name] !== undefined)) return textsOf(read['json'])
  const found = NAMES.map((name) => read[name]).find((value) => value !== undefined)
  return found === undefined ? [] : textsOf(found)
}
