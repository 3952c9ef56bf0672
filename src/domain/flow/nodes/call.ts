import { namesIn, type TemplateValues } from '../../messages/template.ts'
import { callTexts } from '../calls.ts'
import type { OutsideCall } from '../flow.ts'
import { type JsonObject, numberOf, objectsIn, textOf } from '../json.ts'
import type { Existing } from '../problems.ts'
import { effect, update, valuesOf } from '../run.ts'
import { originOf, secretParts } from '../secrets.ts'
import type { CallReference } from '../session.ts'
import { within } from './fields.ts'
import type { FormField, NodeKind } from './kind.ts'

declare module '../flow.ts' {
  interface Interactions {
    call: { readonly call: OutsideCall }
  }
}

declare module '../session.ts' {
  interface Effects {
    /** HTTP call: its reference (`callAt`) and the values to fill in (`filledIn`). */
    call: { readonly call: CallReference; readonly values: TemplateValues }
  }
}

const saveAs: FormField = {
  key: 'saveAs',
  kind: 'text',
  label: 'Guardar a resposta como',
  hint: 'Use depois como {{nome.campo}} e {{nome.status}}. Em branco, ninguém espera pela resposta.',
}

/** Calls an outside system. */
export const call: NodeKind<'call'> = {
  types: {
    WebhookField: {
      label: 'Webhook (GET)',
      form: [{ key: 'webhook', kind: 'text', label: 'Endereço' }, saveAs],
    },
    WebhookAllField: {
      label: 'Webhook',
      form: [
        { key: 'webhookUrl', also: ['webhook'], kind: 'text', label: 'Endereço' },
        {
          key: 'httpMethod',
          kind: 'choice',
          label: 'Método',
          usual: 'GET',
          options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((one) => [one, one] as const),
        },
        { key: 'headers', kind: 'headers', label: 'Cabeçalhos', hint: 'Um por linha, como “Nome: valor”.' },
        {
          key: 'bodyType',
          kind: 'choice',
          label: 'Corpo',
          usual: 'none',
          options: [
            ['none', 'Nenhum'],
            ['json', 'JSON'],
            ['form', 'Formulário'],
          ],
        },
        {
          key: 'bodyContent',
          kind: 'template',
          isPlain: true,
          label: 'Conteúdo do corpo',
          when: ({ bodyType }) => bodyType === 'json' || bodyType === 'form',
        },
        { key: 'timeout', kind: 'number', label: 'Tempo limite (ms)', min: 1000, max: 60_000, usual: 10_000 },
        { key: 'retryAttempts', kind: 'number', label: 'Novas tentativas', min: 0, max: 5, usual: 0 },
        { key: 'retryDelay', kind: 'number', label: 'Espera entre elas (ms)', min: 1000, max: 30_000, usual: 5000 },
        saveAs,
      ],
    },
  },
  read: (fields, type) => ({
    call: readCall(type === 'WebhookField' ? { webhookUrl: fields['webhook'], saveAs: fields['saveAs'] } : fields),
  }),
  texts: (one) => callTexts(one.call),
  captures: (one) => (one.call.saveAs === '' ? [] : [`${one.call.saveAs}.`]),
  check: (one, { secretOrigins }) =>
    hasSecrets(one.call, secretOrigins)
      ? []
      : [['missingSecret', 'tem um segredo que precisa ser digitado de novo para este endereço.']],
  perform(run, one) {
    const { chatFlowId, version, nodeId, position } = run.session
    const all = valuesOf(run)
    const names = callTexts(one.call)
      .flatMap(namesIn)
      .filter((name) => Object.hasOwn(all, name))
    const id = effect(run, {
      type: 'call',
      call: { chatFlowId, version, nodeId: nodeId ?? '', index: position - 1 },
      values: Object.fromEntries(names.map((name) => [name, all[name] ?? ''])),
    })
    if (one.call.saveAs !== '') update(run, { waiting: { for: 'call', id, saveAs: one.call.saveAs } })
  },
}

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

/** Whether all secrets of a call are there, and may go where it goes. */
function hasSecrets(call: OutsideCall, origins: Existing['secretOrigins']): boolean {
  const texts = callTexts(call)
  const ids = texts.flatMap(secretParts).flatMap(({ secretId }) => secretId ?? [])
  const origin = originOf(call.url)
  return (
    ids.every((id) => origin !== '' && ['', origin].includes(origins.get(id) ?? 'nowhere')) &&
    // A mask refers to a secret that is not stored here.
    !texts.some((text) => text.includes('••••'))
  )
}
