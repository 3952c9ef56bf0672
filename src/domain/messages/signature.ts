/** Prefixes a text with the agent's signature: `*Name*:` or `*Name · Sales*:`, and a new line. */
export const signed = (body: string, name: string, role = ''): string =>
  body ? `*${name}${role ? ` · ${role}` : ''}*:\n${body}` : body

/** Removes the signature from a text, for bubbles that show the author already: on our screen and in the webchat. */
export function unsigned(body: string, name: string | null): string {
  const start = `*${name ?? ''}`
  if (!name || !body.startsWith(start)) return body
  const end = /^(?: · [^*\n]{1,60})?\*:\n/.exec(body.slice(start.length))
  return end ? body.slice(start.length + end[0].length) : body
}

/** Returns a message's text for bubble, name, preview, quote and copy, without the signature that the customer gets. */
export const shownText = (message: { fromMe: boolean; body: string; userName: string | null }): string =>
  message.fromMe ? unsigned(message.body, message.userName) : message.body

/** Whether a text begins with a signature. */
export const isSigned = (body: string): boolean => /^\*[^*\n]+\*:\n/.test(body)
