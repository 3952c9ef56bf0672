import { type FlowDocument, nodesIn } from './document.ts'
import { isObject, type JsonObject, objectsIn, textOf } from './json.ts'

// Types of interactions that may have a file.
const FILES: readonly unknown[] = ['MediaField', 'ScheduleField']

/** Returns the fields of every file that a document sends. */
export const mediaIn = (document: FlowDocument): readonly JsonObject[] =>
  nodesIn(document).flatMap((node) => {
    const { data } = node
    const interactions = [node, data].flatMap((one) => (isObject(one) ? objectsIn(one['interactions']) : []))
    return interactions.flatMap((one) => (FILES.includes(one['type']) ? [fieldsOf(one)] : []))
  })

const fieldsOf = (interaction: JsonObject): JsonObject => {
  const { data } = interaction
  return isObject(data) ? data : interaction
}

const DATA_URL = /^data:[\w.+-]+\/[\w.+-]+(?:;[\w.+-]+=[^;,]*)*;base64,/

/** Returns the content of a file embedded in a document; null if there is none. */
export function embeddedContent(fields: JsonObject): string | null {
  const text = textOf(fields['media'])
  const [start] = DATA_URL.exec(text) ?? []
  return start === undefined ? null : text.slice(start.length)
}

/** Returns the document with the fields of its files replaced by `change`; null keeps them. */
export function mapMedia(document: FlowDocument, change: (fields: JsonObject) => JsonObject | null): FlowDocument {
  const changed = new Map(mediaIn(document).flatMap((fields) => [[fields, change(fields)] as const]))
  const within = (value: unknown, depth: number): unknown => {
    const found = isObject(value) ? changed.get(value) : undefined
    if (found) return found
    if (depth === 0) return value
    if (Array.isArray(value)) return value.map((one) => within(one, depth - 1))
    if (!isObject(value)) return value
    return membersOf(value, depth - 1)
  }
  const membersOf = (value: JsonObject, depth: number): JsonObject =>
    Object.fromEntries(Object.entries(value).map(([name, part]) => [name, within(part, depth)]))
  return [...changed.values()].every((one) => one === null) ? document : membersOf(document, 6)
}
