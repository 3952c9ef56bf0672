import { type Action, type AssistantExit, type Condition, type Flow, type FlowNode, UNDIRECTED } from './flow.ts'
import { compares, firstHolding, type Known, meanings, optionsOf } from './match.ts'
import { isRepeated, perform, takeCalled as takeAsked, takeLeave, takeSpoken } from './nodes/index.ts'
import {
  awaitAnswer,
  direct,
  effect,
  explain,
  finish,
  giveUp,
  MOST_STEPS,
  nodeOf,
  type Run,
  rendered,
  sendText,
  update,
  valuesOf,
} from './run.ts'
import {
  type AnswerEvent,
  type Branch,
  type CalledEvent,
  type FlowEffect,
  type FlowEvent,
  type FlowFacts,
  type FlowSession,
  factsAfter,
} from './session.ts'
import { numberIn, remember, rememberCall } from './variables.ts'

/** Answers that follow a misunderstood one within this time count as the same attempt. */
const SAME_TRY_MS = 3000
/** Maximum number of queued messages of a session, since they are stored with it. */
const MOST_UNHEARD = 100
const NOTHING_SPENT = { nodes: 0, messages: 0 }

/**
 * Applies an event to a session; deterministic in flow, session, event and facts. `flow` is the session's flow; for the
 * event `flow`, the requested one. Always ends or waits, whatever the flow contains.
 */
export function step(
  flow: Flow,
  session: FlowSession,
  event: FlowEvent,
  facts: FlowFacts,
): { readonly session: FlowSession; readonly effects: readonly FlowEffect[] } {
  if (session.end !== null) return { session, effects: [] }
  const run: Run = { flow, facts, at: event.at, session, effects: [] }
  handle(run, event)
  work(run)
  return { session: run.session, effects: run.effects }
}

function handle(run: Run, event: FlowEvent): void {
  const { waiting } = run.session
  switch (event.type) {
    case 'start':
      if (run.session.nodeId === null) start(run)
      break
    case 'answer':
      receive(run, event)
      break
    case 'called':
      if (waiting?.for === 'call' && waiting.id === event.id && !isReceived(run, event)) receive(run, event)
      break
    case 'timer':
      ring(run, event.id)
      break
    case 'flow':
      if (waiting?.for === 'flow') change(run, event.flow)
      break
    case 'person':
      explain(run, 'Uma pessoa assumiu a conversa.', { cause: 'person' })
      finish(run, 'person')
  }
}

// Received events are evaluated in order, as soon as the session waits for them.
function receive(run: Run, event: AnswerEvent | CalledEvent): void {
  update(run, { inbox: [...run.session.inbox, event] })
  if (run.session.inbox.length > MOST_UNHEARD)
    giveUp(run, `O cliente escreveu mais de ${MOST_UNHEARD} mensagens enquanto o fluxo esperava.`)
}

const isReceived = ({ session }: Run, { id }: CalledEvent): boolean =>
  session.inbox.some((event) => event.type === 'called' && event.id === id)

/** Runs until the session ends or waits for an event that has not arrived. */
function work(run: Run): void {
  while (run.session.end === null) {
    if (run.session.waiting === null) {
      if (run.session.nodeId === null) return
      advance(run)
    } else if (!takeNext(run)) return
  }
}

// The answer of a call is handled before messages that arrived during the call.
function takeNext(run: Run): boolean {
  const { waiting, inbox } = run.session
  const next = inbox.find(({ type }) =>
    waiting?.for === 'call' ? type === 'called' : waiting?.for === 'answer' && type === 'answer',
  )
  if (!next) return false
  update(run, { inbox: inbox.filter((event) => event !== next) })
  if (next.type === 'called') takeCalled(run, next)
  else takeAnswer(run, next)
  return true
}

function start(run: Run) {
  const { configurations, firstNode } = run.flow
  const { isFirstTicket, isOpen, absence } = run.facts
  if (configurations.firstInteraction && isFirstTicket)
    return direct(run, configurations.firstInteraction, { why: 'É o primeiro atendimento do contato.' })
  if (configurations.outOpenHours && !isOpen)
    return direct(run, configurations.outOpenHours, { why: 'A conversa chegou fora do horário.' })
  if (!isOpen && absence !== '') sendText(run, absence)
  enter(run, firstNode, 'O fluxo começou.')
}

function enter(run: Run, nodeId: string | null, why: string, branch?: Branch) {
  const { spent } = run.session
  if (nodeId === null || !run.flow.nodes.has(nodeId)) return giveUp(run, 'O fluxo leva a uma etapa que não existe.')
  if (spent.nodes >= MOST_STEPS) return giveUp(run, `O fluxo passou por mais de ${MOST_STEPS} etapas sem esperar.`)
  update(run, { nodeId, position: 0, waiting: null, exit: null, spent: { ...spent, nodes: spent.nodes + 1 } })
  effect(run, { type: 'step', nodeId, why, isEntry: true, ...(branch && { branch }) })
}

/** Performs the node's next interaction, or what follows the last one. */
function advance(run: Run) {
  const node = nodeOf(run)
  if (!node) return giveUp(run, 'O fluxo leva a uma etapa que não existe.')
  const interaction = node.interactions[run.session.position]
  if (interaction) {
    update(run, { position: run.session.position + 1 })
    return perform(run, interaction)
  }
  if (run.session.exit) return leave(run, node, run.session.exit)
  if (node.conditions.length === 0)
    return direct(run, UNDIRECTED, { why: 'O fluxo chegou ao fim sem direcionar a conversa.', end: 'done' })
  if (node.wait) return awaitAnswer(run)
  const found = firstHolding(node, null, knownTo(run))
  if (found) return act(run, node, found, '')
  giveUp(run, 'Nenhuma condição da etapa foi satisfeita.')
}

/** Continues by the result of the node's assistant. In a node that waits, only conditions on the assistant are evaluated. */
function leave(run: Run, node: FlowNode, exit: AssistantExit) {
  const asking = node.conditions.filter(({ test }) => !node.wait || test.of === 'assistant')
  const found = firstHolding({ ...node, conditions: asking }, null, knownTo(run))
  update(run, { exit: null })
  if (found) return act(run, node, found, '')
  if (exit === 'answered' && node.wait && asking.length < node.conditions.length) return awaitAnswer(run)
  const last = node.interactions.findLast(({ does }) => does === 'assistant')
  if (last) takeLeave(run, last, exit)
}

// Rendered with the current variables: a pressed option may contain one.
const optionsIn = (run: Run): readonly string[] => {
  const node = nodeOf(run)
  return node ? optionsOf(node).map((option) => rendered(run, option)) : []
}

const knownTo = (run: Run): Known => ({
  options: optionsIn(run),
  isOpen: run.facts.isOpen,
  channelType: run.facts.channel.type,
  tagIds: factsAfter(run.facts, run.effects).tagIds,
  variables: valuesOf(run),
  exit: run.session.exit === 'ended' ? 'answered' : (run.session.exit ?? null),
})

function takeAnswer(run: Run, { text, at }: AnswerEvent) {
  const node = nodeOf(run)
  const { waiting } = run.session
  update(run, { waiting: null, timers: [], spent: NOTHING_SPENT })
  if (!node) return giveUp(run, 'O fluxo leva a uma etapa que não existe.')
  if (compares(text, 'equals', run.flow.configurations.closingAnswers))
    return direct(run, { to: 'close', text: '' }, { why: 'O cliente encerrou o atendimento.', cause: 'closed' })
  const talking = waiting?.for === 'answer' && waiting.talks ? doneLast(run) : undefined
  if (talking) return takeSpoken(run, talking, text)
  const captured = captureOf(node, text)
  const found = captured === null ? undefined : firstHolding(node, { text }, withCaptured(run, captured))
  if (captured === null || !found) return unmatched(run, node, at)
  const variables =
    captured.name === '' ? run.session.variables : remember(run.session.variables, captured.name, captured.value)
  update(run, { retries: 0, unmatchedAt: null, variables })
  act(run, node, found, text)
}

type Captured = { readonly name: string; readonly value: string }

/** Returns the captured value of an answer; null if it must be a number and is none. */
function captureOf({ capture }: FlowNode, text: string): Captured | null {
  if (!capture) return { name: '', value: '' }
  const value = capture.isNumber ? numberIn(text) : text.trim()
  return value === null ? null : { name: capture.key, value }
}

const withCaptured = (run: Run, { name, value }: Captured): Known => {
  const known = knownTo(run)
  return name === '' ? known : { ...known, variables: { ...known.variables, [name]: value } }
}

function unmatched(run: Run, node: FlowNode, at: number) {
  const { retries, unmatchedAt } = run.session
  const { tries, feedback } = run.flow.configurations
  update(run, { unmatchedAt: at })
  if (unmatchedAt !== null && at - unmatchedAt <= SAME_TRY_MS) {
    explain(run, 'Veio logo depois de uma resposta não entendida: é a mesma tentativa.')
    return awaitAnswer(run)
  }
  if (retries >= tries.most - 1)
    return direct(run, tries.direction, { why: 'O limite de tentativas foi atingido.', isLimit: true })
  update(run, { retries: retries + 1 })
  explain(run, `A resposta não foi entendida (tentativa ${retries + 1} de ${tries.most}).`)
  if (!sendText(run, feedback.text)) return
  if (feedback.returnsToStart) return enter(run, run.flow.firstNode, 'O fluxo voltou ao início.')
  repeat(run, node)
  if (run.session.end === null) awaitAnswer(run)
}

function act(run: Run, node: FlowNode, found: FlowNode['conditions'][number], answer: string): void {
  const { action, test, index } = found
  const next = action.to === 'node' ? run.flow.nodes.get(action.nodeId)?.name : undefined
  const where = next ? ` Segue em “${next}”.` : ''
  follow(run, action, { why: `${reasonOf(run, node, test, answer)}${where}`, branch: { nodeId: node.id, index } })
}

/** Returns the reason text of a condition that held. */
function reasonOf(run: Run, node: FlowNode, test: Condition['test'], answer: string): string {
  switch (test.of) {
    case 'any':
      return `Qualquer resposta em “${node.name}”.`
    case 'answer': {
      const texts = meanings(answer, optionsIn(run))
      const value = test.values.find((one) => texts.some((text) => compares(text, test.comparison, [one])))
      return `A resposta corresponde a “${value ?? ''}” em “${node.name}”.`
    }
    case 'variable':
      return `A variável “${test.name}” satisfaz uma condição de “${node.name}”.`
    case 'hours':
      return test.isOpen ? `É horário de atendimento, em “${node.name}”.` : `É fora do horário, em “${node.name}”.`
    case 'channel':
      return `O canal satisfaz uma condição de “${node.name}”.`
    case 'tags':
      return `A conversa tem uma etiqueta de “${node.name}”.`
    case 'assistant':
      return `Pelo fim do assistente, em “${node.name}”.`
  }
}

function follow(run: Run, action: Action, how: { readonly why: string; readonly branch: Branch }): void {
  if (action.to === 'node') enter(run, action.nodeId, how.why, how.branch)
  else direct(run, action, how)
}

function ring(run: Run, id: string) {
  const { timers, waiting } = run.session
  const timer = timers.find((one) => one.id === id)
  // The timer belongs to a step that is over.
  if (!timer) return
  update(run, { timers: timers.filter((one) => one !== timer) })
  if (timer.purpose === 'delay') {
    if (waiting?.for === 'delay' && waiting.id === id) update(run, { waiting: null })
    return
  }
  const { silence } = run.flow.configurations
  if (!silence || waiting?.for !== 'answer') return
  update(run, { spent: NOTHING_SPENT })
  if (timer.purpose === 'warning') {
    explain(run, 'O cliente não respondeu: foi avisado.')
    sendText(run, silence.warning)
    return
  }
  sendText(run, silence.text)
  direct(run, silence.direction, { why: 'O cliente não respondeu.', cause: 'silence' })
}

/** Returns the interaction that the session performed last. */
const doneLast = (run: Run) => nodeOf(run)?.interactions[run.session.position - 1]

function takeCalled(run: Run, event: CalledEvent): void {
  const { waiting, variables } = run.session
  if (waiting?.for !== 'call') return
  const asking = doneLast(run)
  if (asking && takeAsked(run, asking, event)) return
  const { status, body } = event
  update(run, {
    waiting: null,
    variables: rememberCall(variables, waiting.saveAs, { status, body }, run.flow.variables),
  })
  explain(run, status === 0 ? 'O sistema externo não respondeu.' : `O sistema externo respondeu ${status}.`)
}

function change(run: Run, to: { readonly chatFlowId: number; readonly version: number } | null) {
  if (!to) return giveUp(run, 'O fluxo quis iniciar outro fluxo que não existe.')
  update(run, { ...to, waiting: null, retries: 0, unmatchedAt: null })
  enter(run, run.flow.firstNode, 'Outro fluxo começou.')
}

/** Repeats a node's messages after an answer that was not understood, without its other interactions. */
function repeat(run: Run, node: FlowNode): void {
  for (const interaction of node.interactions) {
    if (run.session.end !== null) return
    if (isRepeated(interaction)) perform(run, interaction)
  }
}
