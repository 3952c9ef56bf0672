import { isObject, type JsonObject, objectsIn } from './json.ts'

/** Flow as stored, imported and exported: JSON in the product family's format, unknown fields included. */
export type FlowDocument = JsonObject

/** Returns the entries of the node list, including invalid ones; an empty list if there is none. */
export const nodeListOf = ({ nodeList }: FlowDocument): readonly unknown[] => (Array.isArray(nodeList) ? nodeList : [])

/** Maximum number of nodes of a flow. */
export const MOST_NODES = 1000
/** Maximum size of a flow as JSON in bytes, embedded files included. */
export const MOST_BYTES = 2 * 1024 * 1024

/** Initial document of a new flow. */
export const NEW_FLOW: FlowDocument = {
  nodeList: [
    { id: 'start', name: 'Início', type: 'start', left: '60px', top: '60px', interactions: [], conditions: [] },
    {
      id: 'configurations',
      name: 'Configurações',
      type: 'configurations',
      left: '60px',
      top: '260px',
      configurations: {},
    },
    { id: 'welcome', name: 'Boas vindas!', type: 'node', left: '360px', top: '60px', interactions: [], conditions: [] },
  ],
  lineList: [{ from: 'start', to: 'welcome' }],
}

/**
 * Returns the flow of an import, unchanged; it may be nested under `flow`, also as text. Returns a Portuguese sentence
 * if it is none, or too large.
 */
export function documentOf(imported: unknown): FlowDocument | string {
  const value = typeof imported === 'string' ? parsed(imported) : imported
  if (!isObject(value)) return 'Isto não é um fluxo: falta a lista de etapas.'
  if (!Array.isArray(value['nodeList']))
    return 'flow' in value ? documentOf(value['flow']) : 'Isto não é um fluxo: falta a lista de etapas.'
  if (value['nodeList'].length > MOST_NODES) return 'O fluxo tem etapas demais: são permitidas 1.000.'
  if (bytesOf(JSON.stringify(value)) > MOST_BYTES) return 'O fluxo é grande demais: são permitidos 2 MB.'
  return value
}

/** Returns the nodes of a flow, unknown types included. */
export const nodesIn = (document: FlowDocument): readonly JsonObject[] => objectsIn(document['nodeList'])

/** Returns the drawn edges of a flow. */
export const edgesIn = (document: FlowDocument): readonly JsonObject[] => objectsIn(document['lineList'])

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns the length of a text in UTF-8 bytes. */
function bytesOf(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    // Each half of a surrogate pair counts as two of its four bytes.
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1
  }
  return bytes
}
