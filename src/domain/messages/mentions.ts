const isWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}]/u.test(char)

/** Which of the names is mentioned at a place of a text: the longest that follows an `@` there and is not part of a word. */
export function mentionAt(text: string, at: number, names: readonly string[]): string | undefined {
  if (text[at] !== '@' || isWord(text[at - 1])) return undefined
  return names
    .filter((name) => text.startsWith(name, at + 1) && !isWord(text[at + 1 + name.length]))
    .sort((a, b) => b.length - a.length)[0]
}

/** Whether a text mentions a name. */
export const mentions = (text: string, name: string): boolean =>
  name !== '' && [...text.matchAll(/@/g)].some(({ index }) => mentionAt(text, index, [name]) !== undefined)

/** Which of the names a text mentions, each once; of names that begin alike the longest is meant. */
export const mentionedIn = (text: string, names: readonly string[]): string[] => [
  ...new Set([...text.matchAll(/@/g)].flatMap(({ index }) => mentionAt(text, index, names) || [])),
]
