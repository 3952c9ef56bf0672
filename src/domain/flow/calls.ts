import { renderTemplate, type TemplateValues } from '../messages/template.ts'
import type { Flow, OutsideCall } from './flow.ts'
import { secretParts } from './secrets.ts'
import type { CallReference } from './session.ts'

/** Returns the call that a node's interaction makes; null if the flow has none at that position. */
export function callAt(
  { nodes }: Flow,
  { nodeId, index }: Pick<CallReference, 'nodeId' | 'index'>,
): OutsideCall | null {
  const interaction = nodes.get(nodeId)?.interactions[index]
  return interaction?.does === 'call' ? interaction.call : null
}

/** Returns the texts of a call that may contain variables and secrets. */
export const callTexts = ({ url, body, headers }: OutsideCall): readonly string[] => [
  url,
  body,
  ...headers.map(({ value }) => value),
]

/**
 * Fills variables and secrets into a call. Customer text is escaped: it cannot change the request's structure, and never
 * resolves to a secret.
 */
export function filledIn(call: OutsideCall, values: TemplateValues, secretOf: (id: string) => string): OutsideCall {
  const entries = Object.entries(values)
  const within = (text: string, written: (value: string) => string): string => {
    const escaped = Object.fromEntries(entries.map(([name, value]) => [name, written(value)]))
    return secretParts(text)
      .map((part) => (part.secretId === null ? renderTemplate(part.text, escaped) : secretOf(part.secretId)))
      .join('')
  }
  const inBody = call.bodyType === 'json' ? (value: string) => JSON.stringify(value).slice(1, -1) : encodeURIComponent
  return {
    ...call,
    url: within(call.url, (value) => encodeURIComponent(value.toWellFormed())),
    headers: call.headers.map(({ key, value }) => ({
      key,
      value: within(value, (text) => text.replace(/[^\x20-\x7e]/g, ' ')),
    })),
    body: call.bodyType === 'none' ? '' : within(call.body, (value) => inBody(value.toWellFormed())),
  }
}
