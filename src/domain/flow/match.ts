import { RE2JS } from 're2js'
import { optionNamed } from '../answers.ts'
import { itemAt } from '../present.ts'
import type { AssistantExit, Comparison, FlowNode, Test } from './flow.ts'
import { foldText } from './fold.ts'

/** Answer that a flow evaluates; `text` is empty for messages without text. */
export type Answer = { readonly text: string }

/** Facts of a conversation that conditions may test. */
export type Known = {
  readonly isOpen: boolean
  readonly channelType: string
  readonly tagIds: readonly number[]
  readonly variables: Readonly<Record<string, string>>
  /** Result of the node's assistant; null if it was not called. */
  readonly exit: AssistantExit | null
  /** Options of the node, with variables filled in. */
  readonly options: readonly string[]
}

const patterns = new Map<string, RE2JS | null>()
const MOST_PATTERNS = 1000

/** Compiles a pattern with matching in linear time (RE2: no look-around, no back-references); null if invalid. */
export function patternOf(source: string): RE2JS | null {
  const known = patterns.get(source)
  if (known !== undefined) return known
  if (patterns.size >= MOST_PATTERNS) patterns.clear()
  let pattern: RE2JS | null
  try {
    pattern = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE)
  } catch {
    pattern = null
  }
  patterns.set(source, pattern)
  return pattern
}

/**
 * Whether a text matches one of the values by the comparison; patterns are matched against the text as written and without
 * accents.
 */
export function compares(text: string, comparison: Comparison, values: readonly string[]): boolean {
  if (comparison === 'regex')
    return values.some((source) => {
      const pattern = patternOf(source)
      return pattern !== null && [text.trim(), foldText(text)].some((tried) => pattern.matcher(tried).find())
    })
  const folded = foldText(text)
  return values.some((value) => {
    const wanted = foldText(value)
    if (comparison === 'equals') return folded === wanted
    if (wanted === '') return false
    if (comparison === 'contains') return folded.includes(wanted)
    return comparison === 'startsWith' ? folded.startsWith(wanted) : folded.endsWith(wanted)
  })
}

/**
 * Returns the possible meanings of an answer: the text itself, and the text and number of the option that it names
 * (`optionNamed`) or begins (lists truncate long titles).
 */
export function meanings(text: string, options: readonly string[]): readonly string[] {
  const beginning = /^(.{8,})…$/s.exec(text.trim())?.[1]
  const begun = beginning === undefined ? -1 : options.findIndex((one) => foldText(one).startsWith(foldText(beginning)))
  const number = optionNamed(text, options) ?? begun + 1
  return number === 0 ? [text] : [text, itemAt(options, number - 1), String(number)]
}

/** Returns the options that a node offers. */
export const optionsOf = ({ interactions }: FlowNode): readonly string[] =>
  interactions.flatMap((interaction) => (interaction.does === 'options' ? interaction.options : []))

/** Returns the first condition of a node that holds for an answer, or (null) without one; undefined if none does. */
export function firstHolding(
  node: FlowNode,
  answer: Answer | null,
  known: Known,
): FlowNode['conditions'][number] | undefined {
  const texts = answer === null || answer.text === '' ? [] : meanings(answer.text, known.options)
  return node.conditions.find(({ test, unknown }) => unknown === undefined && isSatisfied(test, texts, known))
}

function isSatisfied(test: Test, texts: readonly string[], known: Known): boolean {
  const { isOpen, channelType, tagIds, variables, exit } = known
  switch (test.of) {
    case 'any':
      return true
    case 'answer':
      return texts.some((text) => compares(text, test.comparison, test.values))
    case 'variable': {
      const value = Object.hasOwn(variables, test.name) ? variables[test.name] : undefined
      return compares(value ?? '', test.comparison, test.values)
    }
    case 'hours':
      return test.isOpen === isOpen
    case 'channel':
      return test.types.includes(channelType)
    case 'tags':
      return test.tagIds.some((id) => tagIds.includes(id))
    case 'assistant':
      return test.exits.some((one) => one === exit)
  }
}
