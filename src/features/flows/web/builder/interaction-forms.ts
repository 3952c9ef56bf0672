import type { Interaction } from '#domain/flow/flow.ts'
import type { JsonObject } from '#domain/flow/json.ts'
import { INTERACTIONS, interactionKind } from '#domain/flow/nodes/index.ts'
import { t } from '#web/t.ts'

/** Interactions that can be added to a step: those that are available. */
export const OFFERED: readonly { readonly type: string; readonly label: string }[] = Object.entries(INTERACTIONS)
  .filter(([, { isAvailable }]) => isAvailable)
  .map(([type, { label }]) => ({ type, label }))

/** Interactions offered as shortcuts for a new step. */
export const QUICK: readonly { readonly type: string; readonly label: string; readonly does: Interaction['does'] }[] = [
  { type: 'MessageField', label: t('Etapa com mensagem'), does: 'message' },
  { type: 'MessageOptionsField', label: t('Etapa com opções'), does: 'options' },
  { type: 'MediaField', label: t('Etapa com arquivo'), does: 'media' },
  { type: 'DelayField', label: t('Etapa com atraso'), does: 'delay' },
  { type: 'TagField', label: t('Etapa com etiqueta'), does: 'tag' },
  { type: 'WebhookAllField', label: t('Etapa com webhook'), does: 'call' },
]

/** Creates an interaction of a type with its default values. */
export function newInteraction(type: string, id: string): JsonObject {
  const usual = (interactionKind(type)?.form ?? []).flatMap((field): [string, unknown][] => {
    if (field.kind === 'number' || field.kind === 'choice' || field.kind === 'switch') return [[field.key, field.usual]]
    if (field.kind === 'lines' || field.kind === 'headers') return [[field.key, []]]
    const isText = field.kind === 'template' || field.kind === 'text' || field.kind === 'textMessage'
    return [[field.key, isText ? '' : null]]
  })
  return { id, type, data: Object.fromEntries(usual) }
}
