import {
  type BinaryNode,
  getBinaryNodeChild,
  getBinaryNodeChildBuffer,
  getBinaryNodeChildren,
  type UserFacingSocketConfig,
} from 'baileys'

export type { BinaryNode } from 'baileys'

/** Address of the server itself. */
export const SERVER = 's.whatsapp.net'

/** Creates a node, without undefined attributes. */
export function node(
  tag: string,
  attributes: Readonly<Record<string, string | number | undefined>> = {},
  content?: BinaryNode['content'],
): BinaryNode {
  const attrs: Record<string, string> = {}
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) attrs[name] = String(value)
  return content === undefined ? { tag, attrs } : { tag, attrs, content }
}

/** Returns the first child with a tag. */
export const child = (of: BinaryNode | undefined, tag: string): BinaryNode | undefined => getBinaryNodeChild(of, tag)

/** Returns all children with a tag. */
export const children = (of: BinaryNode | undefined, tag: string): BinaryNode[] => getBinaryNodeChildren(of, tag)

/** Returns the content of a child; throws if it does not exist. */
export function bytesOf(of: BinaryNode | undefined, tag: string): Buffer {
  const found = getBinaryNodeChildBuffer(of, tag)
  if (!found) throw new Error(`${of?.tag} without ${tag}`)
  return Buffer.from(found)
}

/** Returns the content of a node as bytes; empty if it has none. */
export const bytesIn = (of: BinaryNode | undefined): Buffer =>
  of?.content instanceof Uint8Array
    ? Buffer.from(of.content.buffer, of.content.byteOffset, of.content.byteLength)
    : Buffer.alloc(0)

/** Returns the child nodes of a node, whatever their tags. */
export const nodesIn = (of: BinaryNode | undefined): readonly BinaryNode[] =>
  Array.isArray(of?.content) ? of.content : []

/** Returns the text of a node, whether stored as text or bytes. */
export const textOf = (of: BinaryNode | undefined): string =>
  typeof of?.content === 'string' ? of.content : bytesIn(of).toString('utf8')

/** Returns the current time in seconds, in the protocol's form. */
export const seconds = (): string => String(Math.floor(Date.now() / 1000))

const none = () => {}

/** Logger that writes nothing. */
export const silent: NonNullable<UserFacingSocketConfig['logger']> = {
  level: 'silent',
  child: () => silent,
  trace: none,
  debug: none,
  info: none,
  warn: none,
  error: none,
}
