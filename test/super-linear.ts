import { CharSet, type Concatenation, type Element, isDisjointWith, JS, NFA, type NoParent } from 'refa'
import { analyse } from 'scslre'
import ts from 'typescript'

/** Regular expression of a module: its line (from 1), its literal (null if built at run time), and its source text. */
export type FoundPattern = { readonly line: number; readonly literal: string | null; readonly written: string }

/** Text that may begin a regular expression; most modules have none, and are not parsed. */
const MAY_BEGIN = /\bRegExp\b|(?:[=(,:[!&|?{};]|=>|\breturn)\s*\/(?![/*>])/

/** Every regular expression of a module, literals and `RegExp(…)` alike, in its order. */
export function patternsIn(file: string, source: string): FoundPattern[] {
  if (!MAY_BEGIN.test(source.replace(/^(import|export) .* from '.*'$/gm, ''))) return []
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const found: FoundPattern[] = []
  const visit = (node: ts.Node): void => {
    const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1
    if (ts.isRegularExpressionLiteral(node)) found.push({ line, literal: node.text, written: node.text })
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp')
      found.push({ line, literal: null, written: node.arguments?.[0]?.getText() ?? '' })
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

type Part = NoParent<Element>
type Sequence = NoParent<Concatenation>

/** Repetitions with a maximum count from here on are treated as unbounded; smaller ones cost at most that factor. */
const COUNTED = 300
/** Maximum number of state combinations searched per answer; a pattern that needs more is rejected. */
const MOST_SEARCHED = 100_000

/**
 * Returns why matching a pattern may take more than linear time; null if it cannot. A backtracking engine does so if one
 * text leads from a repetition back to itself, from it to another one, and from that back to itself (the search for a
 * beginning is such a repetition too), and if the rest may fail. In doubt, it may.
 */
export function whySuperLinear(literal: string): string | null {
  const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(literal) ?? []
  const [report] = analyse({ source, flags }, { maxReports: 1, assumeRejectingSuffix: false }).reports
  if (report) return `${report.type}: ${report.type === 'Trade' ? report.startQuant.raw : report.quant.raw}`
  if (!/[*+]|,\}/.test(source)) return null
  const parser = JS.Parser.fromLiteral({ source, flags })
  const { expression, maxCharacter } = parser.parse({ assertions: 'parse', backreferences: 'disable' })
  const any = CharSet.all(maxCharacter)
  const asserted: Asserted = { atEnd: false, backwards: false }
  const bare = (one: Sequence, isBegin: boolean) => withoutAssertions(one, { isBegin, canEnd: true, asserted }).elements
  const searched = expression.alternatives.flatMap((one): Sequence[] => [
    sequence(bare(one, true)),
    ...(flags.includes('y') ? [] : [sequence([...beforeAnchor(one.elements[0], any), ...bare(one, false)])]),
  ])
  if (asserted.backwards) return 'an endless repetition is looked back for'
  const isAlike = ([one, ...others]: readonly Sequence[]): boolean =>
    one !== undefined &&
    (others.some((other) => !isDisjointWith(automaton([one]), automaton([other]))) || isAlike(others))
  const automaton = (alternatives: readonly Sequence[]) =>
    NFA.fromRegex(alternatives, { maxCharacter }, { infinityThreshold: COUNTED })
  if (choicesRepeated(searched, false).some(isAlike)) return 'a repetition may read the same text as one or another'
  return ambiguityOf(automaton(searched), asserted.atEnd)
}

const sequence = (elements: readonly Part[]): Sequence => ({ type: 'Concatenation', elements: [...elements] })
const charsOf = (characters: CharSet): Part => ({ type: 'CharacterClass', characters })
const endless = (characters: CharSet): Part => ({
  type: 'Quantifier',
  lazy: false,
  min: 0,
  max: Number.POSITIVE_INFINITY,
  alternatives: [sequence([charsOf(characters)])],
})

/** Returns the characters that a search skips before a sequence: any, or (`^` with the `m` flag) any up to an end of line. */
function beforeAnchor(first: Part | undefined, any: CharSet): Part[] {
  const before = first && lookedBackFor(first)
  return before && !before.isAll ? [endless(any), charsOf(before.negate())] : [endless(any)]
}

/** Returns the characters that must not precede an anchor (`^`); undefined for any other part. */
function lookedBackFor(part: Part): CharSet | undefined {
  if (part.type !== 'Assertion' || part.kind !== 'behind' || !part.negate) return undefined
  const [only, ...others] = part.alternatives
  const [character, ...more] = only?.elements ?? []
  return others.length + more.length === 0 && character?.type === 'CharacterClass' ? character.characters : undefined
}

/** Assertions of a pattern: whether one can fail a match at its end, and whether one looks back without a limit. */
type Asserted = { atEnd: boolean; backwards: boolean }

type Place = { readonly isBegin: boolean; readonly canEnd: boolean; readonly asserted: Asserted }

/**
 * Returns the sequence without assertions: `^` holds at the beginning only, an unbounded assertion's content is read in its
 * place, and all others hold.
 */
function withoutAssertions({ elements }: Sequence, place: Place): Sequence {
  const { isBegin, asserted } = place
  return sequence(
    elements.flatMap((element, at): Part[] => {
      if (element.type === 'CharacterClass' || element.type === 'Unknown') return [element]
      const canEnd = place.canEnd && elements.slice(at + 1).every(isOptional)
      const alternatives = element.alternatives.map((one) => withoutAssertions(one, { isBegin, canEnd, asserted }))
      if (element.type !== 'Assertion') return [{ ...element, alternatives }]
      if (element.kind === 'behind') {
        asserted.backwards ||= alternatives.some(hasEndless)
        const before = lookedBackFor(element)
        return before?.isAll && !isBegin ? [charsOf(before.negate())] : []
      }
      asserted.atEnd ||= canEnd
      return alternatives.some(hasEndless)
        ? [{ type: 'Alternation', alternatives: [...alternatives, sequence([])] }]
        : []
    }),
  )
}

/** The alternatives between which an endless repetition may choose each time. */
const choicesRepeated = (sequences: readonly Sequence[], isRepeated: boolean): (readonly Sequence[])[] =>
  sequences.flatMap(({ elements }) =>
    elements.flatMap((part) => {
      if (part.type === 'CharacterClass' || part.type === 'Unknown') return []
      const isWithin = isRepeated || (part.type === 'Quantifier' && part.max >= COUNTED)
      return [...(isWithin ? [part.alternatives] : []), ...choicesRepeated(part.alternatives, isWithin)]
    }),
  )

const isOptional = (part: Part): boolean => {
  if (part.type === 'CharacterClass' || part.type === 'Unknown') return false
  if (part.type === 'Assertion' || (part.type === 'Quantifier' && part.min === 0)) return true
  return part.alternatives.some(({ elements }) => elements.every(isOptional))
}

const hasEndless = ({ elements }: Sequence): boolean =>
  elements.some((part) => {
    if (part.type === 'CharacterClass' || part.type === 'Unknown') return false
    return (part.type === 'Quantifier' && part.max >= COUNTED) || part.alternatives.some(hasEndless)
  })

/** States as numbers, with transitions by character class (a set of bits over the classes that the pattern distinguishes). */
type Graph = { readonly out: readonly ReadonlyMap<number, bigint>[]; readonly finals: ReadonlySet<number> }

function graphOf(nfa: NFA): Graph {
  const nodes = [...nfa.nodes()]
  const numbers = new Map(nodes.map((node, at) => [node, at]))
  let kinds: CharSet[] = [CharSet.all(nfa.maxCharacter)]
  const sets = new Map(nodes.flatMap((node) => [...node.out.values()].map((set) => [set.toRangesString(), set])))
  for (const set of sets.values())
    kinds = kinds.flatMap((kind) => [kind.intersect(set), kind.without(set)].filter((one) => !one.isEmpty))
  const bits = new Map(
    [...sets].map(([text, set]) => [
      text,
      kinds.reduce((all, kind, at) => (kind.isDisjointWith(set) ? all : all | (1n << BigInt(at))), 0n),
    ]),
  )
  return {
    out: nodes.map(
      ({ out }) => new Map([...out].map(([to, set]) => [numbers.get(to)!, bits.get(set.toRangesString())!])),
    ),
    finals: new Set([...nfa.finals].map((node) => numbers.get(node)!)),
  }
}

/**
 * Returns why a text can be read in two ways by unbounded repetitions; null if it cannot. `mayFail`: the end state is not
 * yet a match.
 */
function ambiguityOf(nfa: NFA, mayFail: boolean): string | null {
  const { out, finals } = graphOf(nfa)
  const reaches = out.map((_, from) => reachable(out, from))
  const loops = [...out.keys()].filter((state) => reaches[state]!.has(state))
  const around = (state: number) => (other: number) => reaches[state]!.has(other) && reaches[other]!.has(state)
  const known = new Set<number>()
  for (const last of loops) {
    const isWithin = around(last)
    if (!loops.some((state) => known.has(state) && isWithin(state))) {
      known.add(last)
      const apart = search(out, [last, last], [isWithin, isWithin]).filter(([one, other]) => one !== other)
      if (apart.some((states) => search(out, states, [isWithin, isWithin], { wanted: [last, last] }).length > 0))
        return `one text is read on two ways by one repetition (state ${last})`
    }
    if (finals.has(last) && !mayFail) continue
    for (const first of loops) {
      if (!reaches[first]!.has(last) || isWithin(first)) continue
      const between = (state: number) => reaches[first]!.has(state) && (state === last || reaches[state]!.has(last))
      // If the last state reaches a match, the way to it does not fail.
      const about = { wanted: [first, last, last], ...(mayFail ? {} : { matches: finals }) }
      if (search(out, [first, first, last], [around(first), between, isWithin], about).length > 0)
        return `one text is read by two repetitions (states ${first} and ${last})`
    }
  }
  return null
}

type Ways = { readonly states: readonly number[]; readonly met: readonly number[] }

/**
 * Returns the states that several states reach with the same characters, each within the states it may use; only `wanted` if
 * given. With `matches`, paths are dropped on which the last state could have reached one of them.
 */
function search(
  out: Graph['out'],
  from: readonly number[],
  mayUse: readonly ((state: number) => boolean)[],
  { wanted, matches }: { wanted?: readonly number[]; matches?: ReadonlySet<number> } = {},
): (readonly number[])[] {
  const seen = new Map<string, readonly number[]>()
  const waiting: Ways[] = [{ states: from, met: matches ? [from.at(-1)!] : [] }]
  for (let ways = waiting.pop(); ways; ways = waiting.pop()) {
    for (const { states, by } of stepsOf(out, ways.states, mayUse))
      for (let bits = by; bits !== 0n; bits &= bits - 1n) {
        const met = [...new Set(ways.met.flatMap((one) => leadingTo(out[one]!, bits & -bits)))].sort((a, b) => a - b)
        if (!met.some((one) => matches?.has(one))) {
          const name = `${states}/${met}`
          if (states.join() === wanted?.join()) return [states]
          if (!seen.has(name)) waiting.push({ states, met })
          seen.set(name, states)
          if (seen.size > MOST_SEARCHED) throw new Error('the pattern is too large to be judged')
        }
        if (!matches) break
      }
  }
  return wanted ? [] : [...seen.values()]
}

function stepsOf(
  out: Graph['out'],
  states: readonly number[],
  mayUse: readonly ((state: number) => boolean)[],
): { states: number[]; by: bigint }[] {
  let steps: { states: number[]; by: bigint }[] = [{ states: [], by: -1n }]
  for (const [at, state] of states.entries())
    steps = steps.flatMap((one) =>
      [...out[state]!]
        .filter(([to, by]) => mayUse[at]!(to) && (by & one.by) !== 0n)
        .map(([to, by]) => ({ states: [...one.states, to], by: by & one.by })),
    )
  return steps
}

const leadingTo = (out: ReadonlyMap<number, bigint>, kind: bigint): number[] =>
  [...out].filter(([, by]) => (by & kind) !== 0n).map(([to]) => to)

function reachable(out: Graph['out'], from: number): ReadonlySet<number> {
  const seen = new Set<number>()
  const waiting = [from]
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop())
    for (const to of out[state]!.keys())
      if (!seen.has(to)) {
        seen.add(to)
        waiting.push(to)
      }
  return seen
}
