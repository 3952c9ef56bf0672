/** Maximum number of messages of one answer. */
export const MOST_BUBBLES = 3
/** Length in characters above which a message is split, since it is hard to read on a phone. */
const COMFORTABLE = 900

/** Converts a model's Markdown to messenger formatting: `*negrito*`, `_itálico_`, lists with bullet points. */
export const asMessage = (markdown: string): string =>
  markdown
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map(rowOf)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

function rowOf(row: string): string {
  const heading = /^#{1,6}[ \t]/.test(row) ? row.slice(row.indexOf(' ') + 1).trim() : null
  if (heading !== null) return heading === '' ? '' : `*${heading.replaceAll('*', '')}*`
  const item = /^[ \t]{0,12}[-*+][ \t]/.exec(row)
  const text = item ? `${row.slice(0, item[0].length - 2)}• ${row.slice(item[0].length)}` : row
  return text
    .replace(/\*\*([^*\n]{1,1000})\*\*/g, '*$1*')
    .replace(/__([^_\n]{1,1000})__/g, '*$1*')
    .replace(/~~([^~\n]{1,1000})~~/g, '~$1~')
    .replace(/\[([^\][\n]{1,300})\]\((https?:\/\/[^\s()]{1,1000})\)/g, (_, name: string, url: string) =>
      name === url ? url : `${name} (${url})`,
    )
}

/** Splits an answer into at most three messages at paragraph breaks; none is longer than `most` characters. */
export function toBubbles(text: string, most: number): string[] {
  const limit = Math.max(1, most)
  const bubbles: string[] = []
  for (const paragraph of text.split(/\n{2,}/).filter((one) => one.trim() !== '')) {
    const last = bubbles.at(-1)
    const joined = last === undefined ? paragraph : `${last}\n\n${paragraph}`
    const isFull = bubbles.length === MOST_BUBBLES || joined.length <= Math.min(COMFORTABLE, limit)
    if (last !== undefined && isFull) bubbles[bubbles.length - 1] = joined
    else bubbles.push(paragraph)
  }
  return bubbles.map((one) => (one.length > limit ? `${one.slice(0, limit - 1)}…` : one))
}
