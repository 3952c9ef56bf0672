/** Under what a message of a key is stored: its program's own key for it, or one that nobody else has. */
export const messageKeyOf = (apiId: string, externalKey: string | null, unique: string): string =>
  externalKey === null ? `api:${apiId}:n:${unique}` : `${prefixOf(apiId)}k:${externalKey}`

/** With what everything begins that a key has sent. */
export const prefixOf = (apiId: string): string => `api:${apiId}:`

/** What a program called a message itself; null where it gave it no key, undefined where it is not this key's. */
export function externalKeyOf(apiId: string, idFront: string): string | null | undefined {
  const prefix = prefixOf(apiId)
  if (!idFront.startsWith(prefix)) return undefined
  return idFront.startsWith(`${prefix}k:`) ? idFront.slice(prefix.length + 2) : null
}
