/** The text with the agent's signature before it, as product and channels write it: `*Name*:` and a new line. */
export const signed = (body: string, name: string): string => (body ? `*${name}*:\n${body}` : body)

/** The text as it is shown where the bubble names its author already: on our own screen and in the webchat. */
export const unsigned = (body: string, name: string | null): string => {
  const head = `*${name ?? ''}*:\n`
  return name && body.startsWith(head) ? body.slice(head.length) : body
}

/** Whether a text begins with a signature. */
export const isSigned = (body: string): boolean => /^\*[^*\n]+\*:\n/.test(body)
