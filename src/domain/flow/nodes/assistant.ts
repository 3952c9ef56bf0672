import { type AssistantExit, type Direction, UNDIRECTED } from '../flow.ts'
import { foldText } from '../fold.ts'
import { idOf, isObject, type JsonObject, numberOf, textOf } from '../json.ts'
import { awaitAnswer, direct, effect, explain, giveUp, type Run, rendered, update } from '../run.ts'
import { parsed, remember } from '../variables.ts'
import { readDirected } from './fields.ts'
import type { FormField, NodeKind } from './kind.ts'

/**
 * Mode: `talk` until it ends or the customer asks for a person; `once`: one answer; `silent`: one answer that only the flow
 * reads.
 */
type Mode = 'talk' | 'once' | 'silent'

declare module '../flow.ts' {
  interface Interactions {
    assistant: {
      /** Provider whose default account answers if `accountId` is null; null: an account must be chosen. */
      readonly provider: string | null
      readonly accountId: number | null
      /** Replaces the account's prompt; empty: the account's prompt is used. */
      readonly prompt: string
      readonly offWord: string
      readonly mode: Mode
      /** Variable that stores the last answer; empty: none. */
      readonly saveAs: string
      /** Destination of a customer who asked for a person, if no condition matches. */
      readonly offTo: Direction | null
    }
  }
}

declare module '../session.ts' {
  interface Effects {
    /** Asks an assistant with the customer's messages; the answer arrives like that of an HTTP call (`assistantAnswer`). */
    assistant: {
      readonly provider: string | null
      readonly accountId: number | null
      readonly prompt: string
      /** Whether the assistant has no history of this conversation yet. */
      readonly isFirst: boolean
      /** Whether the answer is not sent. */
      readonly isSilent: boolean
    }
  }
}

const PROVIDERS: Readonly<Record<string, string | null>> = {
  AssistantField: null,
  ChatGPTField: 'chatgpt',
  TypebotField: 'typebot',
  N8nField: 'n8n',
}

const OFF_KEYS: Readonly<Record<string, string>> = { ChatGPTField: 'chatgptOff', TypebotField: 'typebotOff' }

const formOf = (provider: string | null, offWord: string, promptKey: string | null): readonly FormField[] => [
  { key: 'assistantAccount', kind: 'assistant', provider, label: 'Conta' },
  {
    key: 'assistantMode',
    kind: 'choice',
    label: 'O que ele faz',
    usual: 'talk',
    options: [
      ['talk', 'Conversa até terminar'],
      ['once', 'Responde uma vez'],
      ['silent', 'Responde só ao fluxo'],
    ],
  },
  ...(promptKey === null
    ? []
    : [
        {
          key: promptKey,
          kind: 'template',
          isPlain: true,
          label: 'Instruções',
        } as const satisfies FormField,
      ]),
  {
    key: offWord,
    kind: 'text',
    label: 'Palavra para falar com uma pessoa',
    hint: 'Vazia: a da conta.',
    when: ({ assistantMode }) => assistantMode !== 'once' && assistantMode !== 'silent',
  },
  {
    key: 'saveAs',
    kind: 'text',
    label: 'Guardar a resposta como',
    hint: 'Use depois como {{nome}}, em textos e em condições.',
  },
]

/** Calls an assistant; the step continues by its result. */
export const assistant: NodeKind<'assistant'> = {
  types: {
    AssistantField: { label: 'Assistente de IA', form: formOf(null, 'offWord', 'prompt') },
    ChatGPTField: { label: 'ChatGPT', form: formOf('chatgpt', 'chatgptOff', 'chatgptPrompt') },
    TypebotField: { label: 'Typebot', form: formOf('typebot', 'typebotOff', null) },
    N8nField: { label: 'N8N', form: formOf('n8n', 'offWord', null) },
  },
  read: (fields, type) => {
    const mode = fields['assistantMode']
    return {
      provider: PROVIDERS[type] ?? null,
      accountId: idOf(fields['assistantAccount']),
      prompt: textOf(fields[type === 'ChatGPTField' ? 'chatgptPrompt' : 'prompt']),
      offWord: textOf(fields[OFF_KEYS[type] ?? 'offWord']).trim(),
      mode: mode === 'once' || mode === 'silent' ? mode : 'talk',
      saveAs: textOf(fields['saveAs']).trim(),
      offTo: (numberOf(fields['routeAction']) ?? 0) > 0 ? readDirected(numberOf(fields['routeAction']), fields) : null,
    }
  },
  texts: ({ prompt }) => [prompt],
  captures: ({ saveAs }) => (saveAs === '' ? [] : [saveAs]),
  check: ({ provider, accountId }, { assistants }) => {
    if (accountId !== null)
      return assistants.has(accountId) ? [] : [['deletedAssistant', 'usa uma conta de assistente que não existe.']]
    if (provider === null) return [['deletedAssistant', 'não diz qual assistente responde.']]
    return [...assistants.values()].includes(provider)
      ? []
      : [['unavailable', 'usa um assistente sem conta ligada: o atendimento vai para uma pessoa.']]
  },
  perform: (run, one) => ask(run, one, true),
  called(run, one, { status, body }) {
    const { exit, answer, read } = readAssistantAnswer(status, body)
    const { variables, inbox } = run.session
    update(run, {
      waiting: null,
      // Messages that the assistant has read already are not passed again.
      inbox: inbox.slice(read),
      ...(one.saveAs !== '' && answer !== '' && { variables: remember(variables, one.saveAs, answer) }),
    })
    explain(run, answer === '' ? ENDED[exit] : `${ENDED[exit]} “${shortened(answer)}”`)
    if (one.mode === 'talk' && exit === 'answered') awaitAnswer(run, { talks: true })
    else update(run, { exit })
  },
  spoken(run, one, text) {
    if (one.offWord === '' || foldText(text) !== foldText(one.offWord)) return ask(run, one, false)
    explain(run, ENDED.off)
    update(run, { exit: 'off' })
  },
  left(run, one, exit) {
    if (exit === 'failed') giveUp(run, 'O assistente do fluxo não respondeu.')
    else if (exit === 'off' && one.offTo) direct(run, one.offTo, { why: 'O cliente pediu uma pessoa.' })
    else direct(run, UNDIRECTED, { why: ENDED[exit] })
  },
}

const ENDED: Readonly<Record<AssistantExit, string>> = {
  answered: 'O assistente respondeu.',
  ended: 'O assistente terminou.',
  off: 'O cliente pediu uma pessoa.',
  failed: 'O assistente não respondeu.',
}

const shortened = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…` : text)

function ask(
  run: Run,
  { provider, accountId, prompt, mode }: Parameters<typeof assistant.perform>[1],
  isFirst: boolean,
): void {
  const wanted = { provider, accountId, prompt: rendered(run, prompt), isFirst, isSilent: mode === 'silent' }
  const id = effect(run, { type: 'assistant', ...wanted })
  update(run, { waiting: { for: 'call', id, saveAs: '' } })
}

/** Result of an assistant's part; `read` is the number of queued messages that it has processed. */
export type AssistantAnswer = { readonly exit: AssistantExit; readonly answer: string; readonly read: number }

/** Parses an assistant's answer; plain text, as typed in the simulator, is an answer. */
export function readAssistantAnswer(status: number, body: string): AssistantAnswer {
  if (status < 200 || status >= 400) return { exit: 'failed', answer: '', read: 0 }
  const given = parsed(body)
  if (!isObject(given) || !isExit(given['exit'])) return { exit: 'answered', answer: body.trim(), read: 0 }
  return { exit: given['exit'], answer: textOf(given['answer']), read: Math.max(0, numberOf(given['read']) ?? 0) }
}

const isExit = (value: JsonObject[string]): value is AssistantExit =>
  typeof value === 'string' && Object.hasOwn(ENDED, value)
