/** Returns the storage key of an API key's message: with the program's own key, or with a unique one. */
export const messageKeyOf = (apiId: string, externalKey: string | null, unique: string): string =>
  externalKey === null ? `api:${apiId}:n:${unique}` : `${prefixOf(apiId)}k:${externalKey}`

/** Returns the prefix of all message keys of an API key. */
export const prefixOf = (apiId: string): string => `api:${apiId}:`

/** Returns the program's own key of a message; null without one, undefined if the message is not of this API key. */
export function externalKeyOf(apiId: string, idFront: string): string | null | undefined {
  const prefix = prefixOf(apiId)
  if (!idFront.startsWith(prefix)) return undefined
  return idFront.startsWith(`${prefix}k:`) ? idFront.slice(prefix.length + 2) : null
}
