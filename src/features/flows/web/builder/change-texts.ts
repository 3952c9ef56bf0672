import type { FlowChange, ItemChange, StepChange } from '#domain/flow/compare.ts'
import type { FlowDocument } from '#domain/flow/document.ts'
import { stepsIn } from '#domain/flow/edit.ts'
import { textOf } from '#domain/flow/json.ts'
import { partsOf } from '#domain/flow/parts.ts'
import { readCondition, readInteraction } from '#domain/flow/read.ts'
import { present } from '#domain/present.ts'
import { t } from '#web/t.ts'
import { conditionText, detailText, endOf, labelOf } from './labels.tsx'
import type { Mark, Marks } from './marks.ts'
import type { Names } from './names.ts'

/** Text of one difference; `nodeId` is the step concerned. */
export type ChangeText = { readonly nodeId: string | null; readonly mark: Mark; readonly text: string }

const settings: Record<string, string> = {
  welcomeMessage: t('Mensagem de saudação'),
  farewellMessage: t('Mensagem de encerramento'),
  notOptionsSelectMessage: t('Mensagem de feedback'),
  notResponseMessage: t('Ausência de resposta'),
  maxRetryBotMessage: t('Máximo de tentativas do chatbot'),
  firstInteraction: t('Na primeira interação do contato'),
  outOpenHours: t('Fora do horário'),
  keyword: t('Palavra chave para iniciar o fluxo'),
  startsOn: t('Também começa'),
  autoDistributeTickets: t('Auto distribuir o atendimento'),
  answerCloseTicket: t('Palavras que encerram o atendimento'),
}

/** Describes the differences between a flow and an earlier document of it; `after` is the new document. */
export function changeTexts(change: FlowChange, names: Names, after: FlowDocument): readonly ChangeText[] {
  const titles = new Map(stepsIn(after).map((step) => [textOf(step['id']), partsOf(step).name]))
  const titleOf = (id: string) => titles.get(id) ?? t('(nenhuma etapa)')
  const start = change.start && {
    ...{ nodeId: change.start.after || null, mark: 'changed' as const },
    text: t('O fluxo começa em “{name}”', { name: titleOf(change.start.after) }),
  }
  return [
    ...(start ? [start] : []),
    ...change.steps.flatMap((step) => stepTexts(step, names, titleOf)),
    ...change.settings.map((key) => ({
      ...{ nodeId: null, mark: 'changed' as const },
      text: t('Configurações: {name} mudou', { name: settings[key] ?? key }),
    })),
  ]
}

/** Returns the marks of the differences: steps, and new or changed edges. */
export function changeMarks({ steps }: FlowChange): Marks {
  return new Map(
    steps.flatMap(({ id, before, after, items }): [string, Mark][] => [
      [id, before ? (after ? 'changed' : 'removed') : 'added'],
      ...items.flatMap(({ list, after: item }): [string, Mark][] =>
        list === 'conditions' && item ? [[`${id}>${item.index}`, 'added']] : [],
      ),
    ]),
  )
}

function stepTexts(
  { id, before, after, items, reordered, fields }: StepChange,
  names: Names,
  titleOf: (id: string) => string,
): ChangeText[] {
  const of = (mark: Mark, text: string): ChangeText => ({ nodeId: id, mark, text })
  if (!before || !after) {
    const name = partsOf((after ?? before)!).name
    return [
      after ? of('added', t('Etapa nova: “{name}”', { name })) : of('removed', t('Etapa excluída: “{name}”', { name })),
    ]
  }
  const { name, wait, capture } = partsOf(after)
  const was = partsOf(before)
  const has = (key: string) => fields.includes(key)
  const known = ['name', 'wait', 'variableKey', 'variableType']
  return [
    ...(has('name') ? [of('changed', t('“{before}” agora se chama “{name}”', { before: was.name, name }))] : []),
    ...items.map((one) => itemText(one, name, of, names, titleOf)),
    ...(reordered.includes('interactions')
      ? [of('changed', t('“{name}”: as interações mudaram de ordem', { name }))]
      : []),
    ...(reordered.includes('conditions')
      ? [of('changed', t('“{name}”: as condições mudaram de ordem', { name }))]
      : []),
    ...(has('wait')
      ? [
          of(
            'changed',
            wait
              ? t('“{name}” passou a esperar a resposta', { name })
              : t('“{name}” já não espera a resposta', { name }),
          ),
        ]
      : []),
    ...(has('variableKey') || has('variableType')
      ? [
          of(
            'changed',
            capture
              ? t('“{name}” guarda a resposta em “{key}”', { name, key: capture.key })
              : t('“{name}” já não guarda a resposta', { name }),
          ),
        ]
      : []),
    ...(fields.some((key) => !known.includes(key))
      ? [of('changed', t('“{name}”: outros dados mudaram', { name }))]
      : []),
  ]
}

function itemText(
  { list, before, after }: ItemChange,
  name: string,
  of: (mark: Mark, text: string) => ChangeText,
  names: Names,
  titleOf: (id: string) => string,
): ChangeText {
  const textOfItem = (value: NonNullable<typeof before>['value']): string => {
    if (list === 'conditions') {
      const one = readCondition(value)
      const to = one.action.to === 'node' ? titleOf(one.action.nodeId) : endOf(one.action, names).title
      return `${conditionText(one, names)} → ${to}`
    }
    const one = readInteraction(value)
    const detail = detailText(one, names)
    return detail === '' ? labelOf(one) : `${labelOf(one)}: ${detail}`
  }
  if (!before) return of('added', t('“{name}”, novo: {text}', { name, text: textOfItem(present(after).value) }))
  if (!after) return of('removed', t('“{name}”, excluído: {text}', { name, text: textOfItem(before.value) }))
  const [was, is] = [textOfItem(before.value), textOfItem(after.value)]
  if (was === is) return of('changed', t('“{name}”, alterado: {text}', { name, text: is }))
  // Omits the kind where the text already names it.
  const label = list === 'interactions' ? `${labelOf(readInteraction(after.value))}: ` : ''
  const now = was.startsWith(label) && is.startsWith(label) ? is.slice(label.length) : is
  return of('changed', t('“{name}”: {was} ⇒ {is}', { name, was, is: now }))
}
