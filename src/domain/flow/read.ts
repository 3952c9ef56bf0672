import { namesIn } from '../messages/template.ts'
import { edgesIn, type FlowDocument, nodesIn } from './document.ts'
import {
  type Action,
  ASSISTANT_EXITS,
  COMPARISONS,
  type Comparison,
  type Condition,
  type Configurations,
  type Direction,
  type Flow,
  type FlowNode,
  type Interaction,
  type Test,
  UNDIRECTED,
} from './flow.ts'
import { idOf, isObject, isSet, type JsonObject, numberOf, objectsIn, textOf, textsOf } from './json.ts'
import { readDirected, within } from './nodes/fields.ts'
import { capturesOf, interactionTexts, readDoing } from './nodes/index.ts'

/** Reads a flow from its document; fields may be beside or below `data`, missing ones get defaults. */
export function readFlow(document: FlowDocument): Flow {
  const nodes = nodesIn(document)
  const starts = new Set(['start', ...nodes.filter(({ type }) => type === 'start').map(({ id }) => textOf(id))])
  const steps = nodes.filter(({ type }) => type !== 'start' && type !== 'configurations').map(readNode)
  const first = edgesIn(document).find(({ from }) => starts.has(textOf(from)))
  const settings = nodes.find(({ type }) => type === 'configurations')
  const configurations = readConfigurations(settings ? settingsOf(settings) : {})
  return {
    firstNode: first ? textOf(first['to']) : null,
    nodes: new Map(steps.map((node) => [node.id, node])),
    configurations,
    variables: new Set([...steps.flatMap(namesOf), ...textsIn(configurations).flatMap(namesIn)]),
  }
}

/** Returns the texts of a node that may contain variables. */
export const nodeTexts = (node: FlowNode): readonly string[] => [
  ...node.interactions.flatMap(interactionTexts),
  ...node.conditions.flatMap(({ action }) => (action.to === 'close' ? [action.text] : [])),
]

/** Returns the texts of a flow's configurations that may contain variables. */
export const textsIn = (configurations: Configurations): readonly string[] => {
  const { welcome, farewell, feedback, silence } = configurations
  return [
    ...[welcome, farewell, feedback.text, silence?.text ?? '', silence?.warning ?? ''],
    ...directionsIn(configurations).flatMap((direction) => (direction.to === 'close' ? [direction.text] : [])),
  ]
}

const directionsIn = ({ silence, tries, firstInteraction, outOpenHours }: Configurations): readonly Direction[] =>
  [silence?.direction, tries.direction, firstInteraction, outOpenHours].filter((direction) => direction != null)

/** Returns the users that a flow assigns tickets to. */
export const usersIn = ({ nodes, configurations }: Pick<Flow, 'nodes' | 'configurations'>): readonly number[] => {
  const actions = [...nodes.values()].flatMap(({ conditions }) => conditions.map(({ action }) => action))
  return [...actions, ...directionsIn(configurations)].flatMap((one) => (one.to === 'user' ? (one.userId ?? []) : []))
}

const namesOf = (node: FlowNode): readonly string[] => [
  ...nodeTexts(node).flatMap(namesIn),
  ...node.conditions.flatMap(({ test }) => (test.of === 'variable' ? [test.name] : [])),
]

/** Merges the top-level fields with those below `data`, which take precedence. */
export const fieldsOf = (value: JsonObject): JsonObject => {
  const data = value['data']
  return isObject(data) ? { ...value, ...data } : value
}

/** Returns the configurations of a settings node. */
export function settingsOf(node: JsonObject): JsonObject {
  const fields = fieldsOf(node)
  const { configurations } = fields
  return isObject(configurations) ? configurations : fields
}

function readNode(value: JsonObject): FlowNode {
  const fields = fieldsOf(value)
  const key = textOf(fields['variableKey']).trim()
  const conditions = objectsIn(fields['conditions']).map((one, index) => ({ ...readCondition(one), index }))
  const isPattern = ({ test }: Condition) => 'comparison' in test && test.comparison === 'regex'
  return {
    id: textOf(value['id']),
    name: textOf(value['name']) || textOf(fields['name']),
    interactions: objectsIn(fields['interactions']).map(readInteraction),
    conditions: [...conditions.filter(isPattern), ...conditions.filter((condition) => !isPattern(condition))],
    wait: fields['wait'] !== false,
    capture: key === '' ? null : { key, isNumber: fields['variableType'] === 'number' },
  }
}

/** Reads an interaction into the engine's form. */
export function readInteraction(value: JsonObject): Interaction {
  const data = value['data']
  // A `type` below `data` is the medium's, never the interaction's.
  const fields = { ...fieldsOf(value), type: isObject(data) ? data['type'] : undefined }
  const type = textOf(value['type'])
  return readDoing(textOf(value['id']), type, typeof data === 'string' ? { message: data } : fields)
}

/** Reads a condition into the engine's form. */
export function readCondition(value: JsonObject): Condition {
  const fields = fieldsOf(value)
  const unknown = unknownOf(fields)
  const read = { id: textOf(value['id']), test: readTest(fields), action: readAction(fields) }
  return unknown === undefined ? read : { ...read, unknown }
}

/** Returns the first unsupported value of a condition; undefined if all are known. */
function unknownOf(fields: JsonObject): string | undefined {
  if (fields['type'] === 'US') return undefined
  const outside = (name: string, known: readonly string[]) =>
    [textOf(fields[name])].find((text) => text !== '' && !known.includes(text))
  const kind = outside('type', ['R']) ?? outside('on', ['answer', 'variable', 'hours', 'channel', 'tags', 'assistant'])
  const isCompared = !['hours', 'channel', 'tags', 'assistant'].includes(textOf(fields['on']))
  return kind ?? (isCompared ? outside('comparisonType', COMPARISONS) : undefined)
}

function readTest(fields: JsonObject): Test {
  if (fields['type'] === 'US') return { of: 'any' }
  const values = textsOf(fields['condition'] ?? fields['values'])
  const asked = fields['comparisonType']
  const comparison: Comparison = COMPARISONS.find((name) => name === asked) ?? 'equals'
  switch (fields['on']) {
    case 'variable':
      return { of: 'variable', name: textOf(fields['variable']).trim(), comparison, values }
    case 'hours':
      return { of: 'hours', isOpen: !values.includes('closed') }
    case 'channel':
      return { of: 'channel', types: values }
    case 'tags':
      return { of: 'tags', tagIds: values.flatMap((text) => idOf(text) ?? []) }
    case 'assistant':
      return { of: 'assistant', exits: ASSISTANT_EXITS.filter((exit) => values.includes(exit)) }
    default:
      return { of: 'answer', comparison, values }
  }
}

const readAction = (fields: JsonObject): Action =>
  readDirected(numberOf(fields['action']), fields) ?? { to: 'node', nodeId: textOf(fields['nextStepId']) }

function readDirection(fields: JsonObject): Direction | null {
  const destiny = fields['destiny']
  switch (numberOf(fields['type'])) {
    case 1:
      return { to: 'queue', queueId: idOf(destiny) }
    case 2:
      return { to: 'user', userId: idOf(destiny) }
    case 3:
      return { to: 'close', text: idOf(destiny) === null ? textOf(destiny) : '' }
    case 4:
      return { to: 'channel', connectionId: idOf(destiny) }
    default:
      return null
  }
}

const USUAL_TRIES = 3
const USUAL_SILENCE_MINUTES = 10
const MOST_SILENCE_MINUTES = 30 * 24 * 60

/** Reads configurations into the engine's form; missing ones get defaults. */
export function readConfigurations(value: JsonObject): Configurations {
  const part = (name: string): JsonObject => {
    const found = value[name]
    return isObject(found) ? fieldsOf(found) : {}
  }
  const silent = part('notResponseMessage')
  const silence = readDirection(silent)
  const minutes = within(numberOf(silent['time']) ?? USUAL_SILENCE_MINUTES, 1 / 60, MOST_SILENCE_MINUTES)
  const tries = part('maxRetryBotMessage')
  const feedback = part('notOptionsSelectMessage')
  const distribution = textOf(part('autoDistributeTickets')['type']) || textOf(value['autoDistributeTickets'])
  const closing = value['answerCloseTicket']
  const startsOn = part('startsOn')['type']
  return {
    welcome: textOf(part('welcomeMessage')['message']),
    farewell: textOf(part('farewellMessage')['message']),
    feedback: { text: textOf(feedback['message']), returnsToStart: feedback['stepReturn'] === 'S' },
    silence: silence && {
      afterMs: Math.round(minutes * 60_000),
      direction: silence,
      text: textOf(silent['message']),
      warning: isSet(silent['messageWarningEnabled']) ? textOf(silent['messageWarning']) : '',
    },
    tries: {
      most: within(Math.trunc(numberOf(tries['number']) ?? USUAL_TRIES), 1, 99),
      direction: readDirection(tries) ?? UNDIRECTED,
    },
    firstInteraction: readDirection(part('firstInteraction')),
    outOpenHours: readDirection(part('outOpenHours')),
    keyword: (textOf(part('keyword')['message']) || textOf(value['keyword'])).trim(),
    startsOn: startsOn === 'entry' || startsOn === 'closing' ? startsOn : null,
    distribution: distribution === 'R' || distribution === 'B' || distribution === 'S' ? distribution : 'N',
    closingAnswers: isObject(closing) ? textsOf(closing['message'] ?? closing['words']) : textsOf(closing),
  }
}

/** Returns the variable names that a node stores; those of its calls end in a point. */
export const capturedBy = ({ capture, interactions }: Pick<FlowNode, 'capture' | 'interactions'>): string[] => [
  ...(capture ? [capture.key] : []),
  ...interactions.flatMap(capturesOf),
]
