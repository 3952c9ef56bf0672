import { type DistributionMode, receiverOf } from '../distribution/distribute.ts'
import { renderTemplate, type TemplateValues } from '../messages/template.ts'
import { random } from '../random.ts'
import { type Direction, type Flow, type FlowNode, UNDIRECTED } from './flow.ts'
import type { Branch, Doing, FlowEffect, FlowEnd, FlowFacts, FlowSession, StepCause } from './session.ts'

/** State of one engine step in progress: its session changes, effects are appended. */
export type Run = {
  readonly flow: Flow
  readonly facts: FlowFacts
  readonly at: number
  session: FlowSession
  readonly effects: FlowEffect[]
}

/** Maximum number of nodes entered per customer message. */
export const MOST_STEPS = 100
/** Maximum number of messages sent per customer message. */
export const MOST_MESSAGES = 20

/** Merges changes into the session. */
export function update(run: Run, changes: Partial<FlowSession>): void {
  run.session = { ...run.session, ...changes }
}

/** Adds an effect and answers its id. */
export function effect(run: Run, doing: Doing): string {
  const effects = run.session.effects + 1
  const id = `${run.session.id}:${effects}`
  run.effects.push({ ...doing, id })
  update(run, { effects })
  return id
}

/** Records why the session is at its node, and the condition or cause that makes it leave. */
export const explain = (
  run: Run,
  why: string,
  { branch, cause }: { branch?: Branch | undefined; cause?: StepCause | undefined } = {},
): void => {
  effect(run, { type: 'step', nodeId: run.session.nodeId, why, ...(branch && { branch }), ...(cause && { cause }) })
}

/** Returns the current node of the session. */
export const nodeOf = ({ flow, session }: Run): FlowNode | undefined =>
  session.nodeId === null ? undefined : flow.nodes.get(session.nodeId)

/** Renders a text with its variables: captured ones first, then standard ones, then the company's own. */
export const rendered = (run: Run, text: string): string =>
  text.includes('{{') ? renderTemplate(text, valuesOf(run)) : text

/** Returns the values of all variables. */
export const valuesOf = ({ session, facts }: Run): TemplateValues => ({
  ...facts.own,
  ...facts.values,
  ...session.variables,
})

/** Whether one more message may go; where not, the session ends with people. */
export function countMessage(run: Run): boolean {
  const { spent } = run.session
  if (spent.messages >= MOST_MESSAGES) {
    giveUp(run, `O fluxo quis enviar mais de ${MOST_MESSAGES} mensagens por uma resposta.`)
    return false
  }
  update(run, { spent: { ...spent, messages: spent.messages + 1 } })
  return true
}

/** Sends a message if the channel supports it; returns whether the session continues. */
export function send(run: Run, doing: Extract<Doing, { type: 'send' | 'media' }>): boolean {
  if (doing.type === 'send' && doing.body.trim() === '') return true
  if (!run.facts.channel.isWritable) {
    explain(run, 'A mensagem não foi enviada: a janela de 24 horas do canal está fechada.')
    return true
  }
  if (!countMessage(run)) return false
  effect(run, doing)
  return true
}

/** Renders and sends a text; returns whether the session continues. */
export const sendText = (run: Run, text: string): boolean =>
  send(run, { type: 'send', body: rendered(run, text), buttons: [] })

// A flow's last message never prevents its end.
function sendLast(run: Run, text: string, values: TemplateValues): void {
  const body = renderTemplate(text, values)
  const { messages } = run.session.spent
  if (messages < MOST_MESSAGES) send(run, { type: 'send', body, buttons: [] })
}

const ENDS = { queue: 'queue', user: 'user', close: 'closed', channel: 'channel' } as const

/** Ends the flow: transfers the conversation to people, closes the ticket, or continues elsewhere. */
export function direct(
  run: Run,
  direction: Direction,
  how: {
    readonly why: string
    readonly end?: FlowEnd
    readonly isLimit?: boolean
    readonly reason?: string
    readonly branch?: Branch
    readonly cause?: StepCause
  },
): void {
  const { welcome, farewell, distribution } = run.flow.configurations
  explain(run, how.why, { branch: how.branch, cause: how.cause ?? causeOf(how) })
  const queueId = direction.to === 'queue' ? direction.queueId : null
  // If the flow names no queue, the connection's queue is used with its own distribution.
  const given = queueId !== null && distribution !== 'N' ? chosen(run, distribution, queueId) : null
  const userId = direction.to === 'user' ? direction.userId : (given?.id ?? null)
  const receiver = run.facts.people.find(({ id }) => id === userId)
  if (direction.to === 'close') sendLast(run, direction.text.trim() === '' ? farewell : direction.text, valuesOf(run))
  if ((direction.to === 'queue' || direction.to === 'user') && !run.facts.isResolved)
    sendLast(run, welcome, {
      ...valuesOf(run),
      ...(receiver ? { user: receiver.name, userEmail: receiver.email } : {}),
    })
  effect(run, { type: 'direct', direction, userId, log: logOf(direction, how.isLimit), reason: how.reason ?? '' })
  finish(run, how.end ?? ENDS[direction.to])
}

const causeOf = ({ reason, isLimit, end }: Pick<Parameters<typeof direct>[2], 'reason' | 'isLimit' | 'end'>) => {
  if (reason) return 'error'
  if (isLimit) return 'tries'
  return end === 'done' ? 'done' : undefined
}

function logOf({ to }: Direction, isLimit = false) {
  if (to === 'close') return 'autoClose'
  if (to === 'channel') return 'channel'
  if (to === 'user') return isLimit ? 'retriesLimitUserDefine' : 'userDefine'
  return isLimit ? 'retriesLimitQueue' : 'queue'
}

function chosen(run: Run, mode: Exclude<DistributionMode, 'N'>, queueId: number) {
  const { value, seed } = random(run.session.seed)
  update(run, { seed })
  return receiverOf(mode, run.facts.people, queueId, value)
}

/** Ends the flow after an error: people get the conversation with the reason. */
export const giveUp = (run: Run, reason: string): void => direct(run, UNDIRECTED, { why: reason, reason, end: 'queue' })

/** Waits for the customer's answer; with `talks` it goes to the step's assistant. */
export function awaitAnswer(run: Run, how: { readonly talks?: true } = {}): void {
  const { silence } = run.flow.configurations
  update(run, { waiting: { for: 'answer', ...how }, timers: [] })
  // Messages that were received already are the answer.
  if (!silence || run.session.inbox.length > 0) return
  if (silence.warning.trim() !== '') setTimer(run, 'warning', run.at + Math.round(silence.afterMs / 2))
  setTimer(run, 'silence', run.at + silence.afterMs)
}

/** Ends the session: no further events are handled. */
export function finish(run: Run, end: FlowEnd): void {
  update(run, { end, waiting: null, timers: [], inbox: [] })
}

/** Sets a timer and returns its id. */
export function setTimer(run: Run, purpose: 'delay' | 'warning' | 'silence', at: number): string {
  const id = effect(run, { type: 'timer', at, purpose })
  update(run, { timers: [...run.session.timers, { id, at, purpose }] })
  return id
}
