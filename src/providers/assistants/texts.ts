import { z } from 'zod'
import { readOutside } from '#kit/outside.ts'

/** Where workflows put their words, the first that is there. */
const NAMES = ['output', 'text', 'message', 'answer'] as const
const fields = z.record(z.string(), z.unknown())

/** What an answer of a workflow says, whatever its form: a text, an object, or several of either. */
export function textsOf(given: unknown): string[] {
  if (typeof given === 'string') return given.trim() ? [given] : []
  if (Array.isArray(given)) return given.flatMap(textsOf)
  const read = readOutside(fields, given)?.data
  if (!read) return []
  if (read['json'] !== undefined && !NAMES.some((name) => read[name] !== undefined)) return textsOf(read['json'])
  const found = NAMES.map((name) => read[name]).find((value) => value !== undefined)
  return found === undefined ? [] : textsOf(found)
}
