import { TEMPLATE_VARIABLES, unknownVariables } from '../messages/template.ts'
import { lookUp } from '../present.ts'
import { cycles, judgedIn, leavesFlow } from './cycles.ts'
import type { Action, Comparison, Condition, Direction, Flow, FlowNode, Interaction, Test } from './flow.ts'
import { foldText } from './fold.ts'
import { compares, patternOf } from './match.ts'
import { complaintsOf, interactionKind, isLast } from './nodes/index.ts'
import { type Existing, FLOW_PROBLEMS, type FlowProblem, type ProblemCode } from './problems.ts'
import { capturedBy, nodeTexts, textsIn } from './read.ts'

/** Returns all problems of a flow, errors first; empty if it can be published. */
export function check(flow: Flow, existing: Existing): FlowProblem[] {
  const found = [...checkStart(flow), ...checkCycles(flow, existing), ...checkConfigurations(flow, existing)]
  const reached = reachable(flow)
  const safe = leadingToPeople(flow)
  const known = knownVariables(flow, existing)
  for (const node of flow.nodes.values()) {
    found.push(...checkNode(flow, node, existing, known))
    if (!reached.has(node.id)) found.push(problem('unreachable', node, 'não é alcançada por nenhum caminho.'))
    else if (!safe.has(node.id)) found.push(problem('noPerson', node, 'não tem caminho até uma pessoa.'))
  }
  return found.toSorted((a, b) => Number(a.level === 'warning') - Number(b.level === 'warning'))
}

const plain = (code: ProblemCode, nodeId: string | null, text: string): FlowProblem => {
  return { code, level: FLOW_PROBLEMS[code], nodeId, text }
}

const problem = (code: ProblemCode, { id, name }: FlowNode, text: string): FlowProblem =>
  plain(code, id, `A etapa “${name || id}” ${text}`)

function checkStart({ firstNode, nodes }: Flow): FlowProblem[] {
  if (firstNode === null) return [plain('noStart', null, 'O início não leva a nenhuma etapa.')]
  return nodes.has(firstNode) ? [] : [plain('missingTarget', null, 'O início leva a uma etapa que não existe.')]
}

function checkCycles(flow: Flow, { chatFlowId, flows }: Existing): FlowProblem[] {
  const all = new Map([...flows, [chatFlowId, flow]])
  return cycles(all, chatFlowId).map((nodeId) =>
    problem('endlessCycle', lookUp(flow.nodes, nodeId), 'faz parte de uma volta que nunca espera pelo cliente.'),
  )
}

function checkConfigurations({ configurations, nodes }: Flow, existing: Existing): FlowProblem[] {
  const { silence, tries, firstInteraction, outOpenHours } = configurations
  const directions = [
    ['A ausência de resposta', silence?.direction],
    ['O máximo de tentativas', tries.direction],
    ['O primeiro atendimento', firstInteraction],
    ['O fora do horário', outOpenHours],
  ] as const
  const wrong = directions.flatMap(([name, direction]) => {
    // Without a queue, the connection's queue is used.
    if (!direction || (direction.to === 'queue' && direction.queueId === null)) return []
    const missing = missingIn(direction, existing)
    return missing ? [plain(missing[0], null, `${name} ${missing[1]}`)] : []
  })
  const names = unknownIn(textsIn(configurations), knownVariables({ nodes }, existing))
  const unknown = names.map((name) =>
    plain('unknownVariable', null, `As configurações usam {{${name}}}, que ninguém preenche.`),
  )
  return [...wrong, ...unknown]
}

function missingIn(action: Direction, existing: Existing): readonly [ProblemCode, string] | null {
  const { queueIds, userIds, connectionIds } = existing
  const has = (ids: ReadonlySet<number>, id: number | null) => id !== null && ids.has(id)
  if (action.to === 'queue' && !has(queueIds, action.queueId))
    return ['deletedQueue', 'leva a uma fila que não existe.']
  if (action.to === 'user' && !has(userIds, action.userId)) return ['deletedUser', 'leva a um usuário que não existe.']
  if (action.to === 'channel' && !has(connectionIds, action.connectionId))
    return ['deletedChannel', 'leva a um canal que não existe.']
  return null
}

function checkNode(flow: Flow, node: FlowNode, existing: Existing, known: ReadonlySet<string>): FlowProblem[] {
  const found = [
    ...node.interactions.flatMap((interaction, index) => checkInteraction(node, interaction, index, existing)),
    ...node.conditions.flatMap(({ action }) => checkAction(flow, node, action, existing)),
    ...node.conditions.flatMap((condition, index) =>
      checkTest(node, condition, node.conditions.slice(0, index), existing),
    ),
    ...unknownIn([...nodeTexts(node), ...testedIn(node)], known).map((name) =>
      problem('unknownVariable', node, `usa {{${name}}}, que ninguém preenche.`),
    ),
  ]
  const hasOtherwise =
    node.wait ||
    node.conditions.length === 0 ||
    leavesFlow(node) ||
    judgedIn(node).some(({ test }) => test.of === 'any')
  return hasOtherwise
    ? found
    : [...found, problem('noOtherwise', node, 'não diz o que fazer quando nenhuma condição vale.')]
}

function checkInteraction(node: FlowNode, interaction: Interaction, index: number, existing: Existing): FlowProblem[] {
  const kind = interactionKind(interaction.type)
  const label = kind?.label ?? interaction.type
  return [
    ...(isLast(interaction) && index < node.interactions.length - 1
      ? [problem('afterLast', node, `tem algo depois de “${label}”, que precisa ser o último.`)]
      : []),
    ...complaintsOf(interaction, existing).map(([code, text]) => problem(code, node, text)),
    ...(kind === null ? [problem('unknownKind', node, `tem “${label}”, que não é conhecido e é pulado.`)] : []),
    ...(kind && !kind.isAvailable
      ? [problem('unavailable', node, `tem “${label}”, que ainda não está disponível.`)]
      : []),
  ]
}

function checkAction({ nodes }: Flow, node: FlowNode, action: Action, existing: Existing): FlowProblem[] {
  if (action.to === 'node')
    return nodes.has(action.nodeId) ? [] : [problem('missingTarget', node, 'leva a uma etapa que não existe.')]
  const missing = missingIn(action, existing)
  return missing ? [problem(missing[0], node, missing[1])] : []
}

function checkTest(
  node: FlowNode,
  { test, unknown }: Condition,
  before: readonly Condition[],
  { tagIds }: Existing,
): FlowProblem[] {
  if (unknown !== undefined)
    return [problem('unknownKind', node, `tem uma condição “${unknown}”, que não é conhecida e é pulada.`)]
  if (test.of === 'tags' && test.tagIds.some((id) => !tagIds.has(id)))
    return [problem('deletedTag', node, 'pergunta por uma etiqueta que não existe.')]
  const refused =
    'comparison' in test && test.comparison === 'regex' ? test.values.find((one) => patternOf(one) === null) : undefined
  if (refused !== undefined) return [problem('badPattern', node, `tem um padrão que não pode ser usado: ${refused}`)]
  const earlier = before.flatMap((one) => (one.unknown === undefined ? [one.test] : []))
  if (isCovered(test, earlier))
    return [problem('shadowedCondition', node, 'tem uma condição que nunca vale, porque outra vem antes.')]
  const isEmpty = 'values' in test && test.values.length === 0
  return isEmpty ? [problem('emptyCondition', node, 'tem uma condição sem respostas, que nunca vale.')] : []
}

/** Whether every answer that satisfies a test also satisfies an earlier one. */
function isCovered(test: Test, earlier: readonly Test[]): boolean {
  const parts = partsOf(test)
  return (
    earlier.some(({ of }) => of === 'any') ||
    (parts.length > 0 && parts.every((part) => earlier.some((one) => covers(one, part))))
  )
}

/** Splits a test into tests of one value each; the original holds if any of them does. */
function partsOf(test: Test): readonly Test[] {
  if (test.of === 'answer' || test.of === 'variable') return test.values.map((value) => ({ ...test, values: [value] }))
  if (test.of === 'channel') return test.types.map((type) => ({ ...test, types: [type] }))
  if (test.of === 'assistant') return test.exits.map((exit) => ({ ...test, exits: [exit] }))
  return test.of === 'tags' ? test.tagIds.map((id) => ({ ...test, tagIds: [id] })) : [test]
}

function covers(earlier: Test, test: Test): boolean {
  if (earlier.of === 'answer') return test.of === 'answer' && coversAll(test, earlier)
  if (earlier.of === 'variable') return test.of === 'variable' && earlier.name === test.name && coversAll(test, earlier)
  if (earlier.of === 'hours') return test.of === 'hours' && earlier.isOpen === test.isOpen
  if (earlier.of === 'assistant')
    return test.of === 'assistant' && test.exits.every((exit) => earlier.exits.includes(exit))
  if (earlier.of === 'channel') return test.of === 'channel' && test.types.every((type) => earlier.types.includes(type))
  return earlier.of === 'tags' && test.of === 'tags' && test.tagIds.every((id) => earlier.tagIds.includes(id))
}

type Compared = { readonly comparison: Comparison; readonly values: readonly string[] }

const coversAll = ({ comparison, values }: Compared, earlier: Compared): boolean =>
  values.every((value) => {
    if (comparison === 'equals') return compares(value, earlier.comparison, earlier.values)
    if (comparison === 'regex') return earlier.comparison === 'regex' && earlier.values.includes(value)
    return (
      (earlier.comparison === 'contains' || earlier.comparison === comparison) &&
      earlier.values.some((other) => compares(foldText(value), earlier.comparison, [other]))
    )
  })

const testedIn = ({ conditions }: FlowNode): readonly string[] =>
  conditions.flatMap(({ test }) => (test.of === 'variable' ? [`{{${test.name}}}`] : []))

/**
 * Returns the known names for braces: standard and company variables, captured answers, and (with a point) results of
 * calls.
 */
function knownVariables({ nodes }: Pick<Flow, 'nodes'>, { variables }: Existing): ReadonlySet<string> {
  const all = [...nodes.values()]
  return new Set([...Object.keys(TEMPLATE_VARIABLES), ...variables, ...all.flatMap(capturedBy)])
}

const unknownIn = (texts: readonly string[], known: ReadonlySet<string>): string[] => [
  ...new Set(texts.flatMap((text) => unknownVariables(text, known))),
]

function reachable({ firstNode, nodes }: Flow): ReadonlySet<string> {
  const reached = new Set<string>()
  const next = firstNode === null ? [] : [firstNode]
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    const node = nodes.get(id)
    if (!node || reached.has(id)) continue
    reached.add(id)
    next.push(...targetsOf(node))
  }
  return reached
}

const targetsOf = (node: FlowNode): string[] =>
  judgedIn(node).flatMap(({ action }) => (action.to === 'node' ? [action.nodeId] : []))

/** Returns the ids of the nodes from which a conversation can reach people. */
function leadingToPeople({ nodes, configurations }: Flow): ReadonlySet<string> {
  const isEnd = (node: FlowNode) =>
    // A flow that ends without a direction leads to the connection's queue; a started flow is checked itself.
    node.conditions.length === 0 ||
    leavesFlow(node) ||
    judgedIn(node).some(({ action }) => action.to === 'queue' || action.to === 'user' || action.to === 'channel') ||
    (node.wait ? configurations.tries.direction.to !== 'close' : !judgedIn(node).some(({ test }) => test.of === 'any'))
  const before = new Map<string, string[]>()
  for (const node of nodes.values())
    for (const target of targetsOf(node)) before.set(target, [...(before.get(target) ?? []), node.id])
  const safe = new Set<string>()
  const next = [...nodes.values()].filter(isEnd).map(({ id }) => id)
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    if (safe.has(id)) continue
    safe.add(id)
    next.push(...(before.get(id) ?? []))
  }
  return safe
}
