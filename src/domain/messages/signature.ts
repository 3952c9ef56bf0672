/** The text with the agent's signature before it: `*Name*:`, or `*Name · Sales*:`, and a new line. */
export const signed = (body: string, name: string, role = ''): string =>
  body ? `*${name}${role ? ` · ${role}` : ''}*:\n${body}` : body

/** The text as it is shown where the bubble names its author already: on our own screen and in the webchat. */
export function unsigned(body: string, name: string | null): string {
  const start = `*${name ?? ''}`
  if (!name || !body.startsWith(start)) return body
  const end = /^(?: · [^*\n]{1,60})?\*:\n/.exec(body.slice(start.length))
  return end ? body.slice(start.length + end[0].length) : body
}

/** The text of a message for its bubble, name, preview, quote and copy: never with the signature that the customer gets. */
export const shownText = (message: { fromMe: boolean; body: string; userName: string | null }): string =>
  message.fromMe ? unsigned(message.body, message.userName) : message.body

/** Whether a text begins with a signature. */
export const isSigned = (body: string): boolean => /^\*[^*\n]+\*:\n/.test(body)
