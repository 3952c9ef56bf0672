import { namesIn } from '../messages/template.ts'
import { APPOINTMENTS } from './appointment.ts'
import { callTexts } from './calls.ts'
import { edgesIn, type FlowDocument, nodesIn } from './document.ts'
import {
  type Action,
  COMPARISONS,
  type Comparison,
  type Condition,
  type Configurations,
  type Direction,
  type Flow,
  type FlowMedia,
  type FlowNode,
  type Interaction,
  type OutsideCall,
  type Test,
} from './flow.ts'
import { idOf, isObject, isSet, type JsonObject, numberOf, objectsIn, textOf, textsOf } from './json.ts'
import { interactionKind } from './kinds.ts'

/** The flow that a document describes; fields may stand beside or below `data`, and what is missing has its default. */
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

/** The texts of a node that variables may stand in. */
export const nodeTexts = (node: FlowNode): readonly string[] => [
  ...node.interactions.flatMap(interactionTexts),
  ...node.conditions.flatMap(({ action }) => (action.to === 'close' ? [action.text] : [])),
]

function interactionTexts(interaction: Interaction): readonly string[] {
  const { does } = interaction
  if (does === 'message' || does === 'note' || does === 'schedule' || does === 'textMessage') return [interaction.text]
  if (interaction.does === 'options') return [interaction.text, ...interaction.options]
  if (interaction.does === 'media') return [interaction.media.caption]
  return interaction.does === 'call' ? callTexts(interaction.call) : []
}

/** The texts of a flow's configurations that variables may stand in. */
export const textsIn = (configurations: Configurations): readonly string[] => {
  const { welcome, farewell, feedback, silence } = configurations
  return [
    ...[welcome, farewell, feedback.text, silence?.text ?? '', silence?.warning ?? ''],
    ...directionsIn(configurations).flatMap((direction) => (direction.to === 'close' ? [direction.text] : [])),
  ]
}

const directionsIn = ({ silence, tries, firstInteraction, outOpenHours }: Configurations): readonly Direction[] =>
  [silence?.direction, tries.direction, firstInteraction, outOpenHours].filter((direction) => direction != null)

/** The users to whom a flow leads. */
export const usersIn = ({ nodes, configurations }: Pick<Flow, 'nodes' | 'configurations'>): readonly number[] => {
  const actions = [...nodes.values()].flatMap(({ conditions }) => conditions.map(({ action }) => action))
  return [...actions, ...directionsIn(configurations)].flatMap((one) => (one.to === 'user' ? (one.userId ?? []) : []))
}

const namesOf = (node: FlowNode): readonly string[] => [
  ...nodeTexts(node).flatMap(namesIn),
  ...node.conditions.flatMap(({ test }) => (test.of === 'variable' ? [test.name] : [])),
]

/** Fields beside `data`, and those below it, which win. */
export const fieldsOf = (value: JsonObject): JsonObject => {
  const data = value['data']
  return isObject(data) ? { ...value, ...data } : value
}

/** The configurations that a node of that type carries. */
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

/** One interaction as the engine reads it. */
export function readInteraction(value: JsonObject): Interaction {
  const data = value['data']
  // A `type` below `data` is the medium's, never the interaction's.
  const fields = { ...fieldsOf(value), type: isObject(data) ? data['type'] : undefined }
  const type = textOf(value['type'])
  return { id: textOf(value['id']), type, ...readDoing(type, typeof data === 'string' ? { message: data } : fields) }
}

type Done<T = Interaction> = T extends Interaction ? Omit<T, 'id' | 'type'> : never

function readDoing(type: string, fields: JsonObject): Done {
  switch (type) {
    case 'MessageField':
      return { does: 'message', text: textOf(fields['message']) }
    case 'MessageOptionsField':
      return { does: 'options', text: textOf(fields['message']), options: textsOf(fields['values']) }
    case 'MediaField':
      return { does: 'media', media: readMedia(fields) }
    case 'ScheduleField':
      return {
        does: 'schedule',
        // With whom it is about, below it.
        text: [
          textOf(fields['scheduleMessage']),
          isSet(fields['includeContactInfo']) ? '{{name}}\n{{phoneNumber}}' : '',
        ]
          .filter((part) => part.trim() !== '')
          .join('\n\n'),
        media: [fields['fileId'], fields['media'], fields['mediaUrl']].some(textOf) ? readMedia(fields) : null,
        when: {
          type: APPOINTMENTS.find((name) => name === fields['scheduleType']) ?? 'custom',
          date: textOf(fields['scheduleDate']).trim(),
          delayMs: within(numberOf(fields['delayBeforeSend']) ?? 0, 0, MOST_WAIT_MINUTES) * 60_000,
        },
      }
    case 'SmsField':
      return { does: 'textMessage', text: textOf(fields['smsMessage']), connectionId: idOf(fields['smsService']) }
    case 'DelayField':
      return { does: 'delay', ms: within(numberOf(fields['time']) ?? 0, 0, MOST_DELAY_SECONDS) * 1000 }
    case 'TagField':
      return { does: 'tag', tagId: idOf(fields['tag']) }
    case 'KanbanField':
      return { does: 'stage', kanban: idOf(fields['kanban']) }
    case 'ReasonsField':
      return { does: 'reason', reasonId: idOf(fields['reasonId'] ?? fields['reason']) }
    case 'NotesField':
      return { does: 'note', text: textOf(fields['noteText'] ?? fields['notes']) }
    case 'ChatFlowField':
      return { does: 'flow', chatFlowId: idOf(fields['chatFlow'] ?? fields['chatFlowId']) }
    case 'ChatBotBlockField':
      return { does: 'block', isBlocked: fields['chatbotBlocked'] === undefined || isSet(fields['chatbotBlocked']) }
    case 'WebhookField':
      return { does: 'call', call: readCall({ webhookUrl: fields['webhook'], saveAs: fields['saveAs'] }) }
    case 'WebhookAllField':
      return { does: 'call', call: readCall(fields) }
    default: {
      const kind = interactionKind(type)
      return { does: 'nothing', isKnown: kind !== null, isLast: kind?.isLast ?? false }
    }
  }
}

const readMedia = (fields: JsonObject): FlowMedia => ({
  fileId: textOf(fields['fileId']) || null,
  name: textOf(fields['name']),
  type: textOf(fields['type']),
  caption: textOf(fields['caption']),
})

const MOST_DELAY_SECONDS = 24 * 3600
const MOST_WAIT_MINUTES = 24 * 60
const within = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

function readCall(fields: JsonObject): OutsideCall {
  const bodyType = fields['bodyType']
  return {
    url: textOf(fields['webhookUrl'] ?? fields['webhook']).trim(),
    method: textOf(fields['httpMethod']).trim().toUpperCase() || 'GET',
    headers: objectsIn(fields['headers'])
      .map(({ key, value }) => ({ key: textOf(key).trim(), value: textOf(value) }))
      .filter(({ key }) => key !== ''),
    bodyType: bodyType === 'json' || bodyType === 'form' ? bodyType : 'none',
    body: textOf(fields['bodyContent']),
    timeoutMs: within(numberOf(fields['timeout']) ?? 10_000, 1000, 60_000),
    repeats: within(Math.trunc(numberOf(fields['retryAttempts']) ?? 0), 0, 5),
    repeatAfterMs: within(numberOf(fields['retryDelay']) ?? 5000, 1000, 30_000),
    saveAs: textOf(fields['saveAs']).trim(),
  }
}

/** One condition as the engine reads it. */
export function readCondition(value: JsonObject): Condition {
  const fields = fieldsOf(value)
  const unknown = unknownOf(fields)
  const read = { id: textOf(value['id']), test: readTest(fields), action: readAction(fields) }
  return unknown === undefined ? read : { ...read, unknown }
}

/** What of a condition's kind is none of ours. */
function unknownOf(fields: JsonObject): string | undefined {
  if (fields['type'] === 'US') return undefined
  const outside = (name: string, known: readonly string[]) =>
    [textOf(fields[name])].find((text) => text !== '' && !known.includes(text))
  const kind = outside('type', ['R']) ?? outside('on', ['answer', 'variable', 'hours', 'channel', 'tags'])
  const isCompared = !['hours', 'channel', 'tags'].includes(textOf(fields['on']))
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
    default:
      return { of: 'answer', comparison, values }
  }
}

function readAction(fields: JsonObject): Action {
  switch (numberOf(fields['action'])) {
    case 1:
      return { to: 'queue', queueId: idOf(fields['queueId']) }
    case 2:
      return { to: 'user', userId: idOf(fields['userIdDestination']) }
    case 3:
      return { to: 'close', text: textOf(fields['closeTicket']) }
    case 4:
      return { to: 'channel', connectionId: idOf(fields['channelDestination']) }
    default:
      return { to: 'node', nodeId: textOf(fields['nextStepId']) }
  }
}

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

/** To whom a conversation goes that nobody directed: the connection's queue and user. */
export const UNDIRECTED: Direction = { to: 'queue', queueId: null }

const USUAL_TRIES = 3
const USUAL_SILENCE_MINUTES = 10
const MOST_SILENCE_MINUTES = 30 * 24 * 60

/** Configurations as the engine reads them; what is missing has its default. */
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

/** What a node captures, by name; what its calls bring ends in a point. */
export const capturedBy = ({ capture, interactions }: Pick<FlowNode, 'capture' | 'interactions'>): string[] => [
  ...(capture ? [capture.key] : []),
  ...interactions.flatMap((one) => (one.does === 'call' && one.call.saveAs !== '' ? [`${one.call.saveAs}.`] : [])),
]
