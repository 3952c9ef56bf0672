const ENTITIES: Readonly<Record<string, string>> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** Converts the HTML of a mail into plain text. */
export const plain = (html = ''): string =>
  withoutScripts(html)
    .replace(/<br\s*\/?>|<\/(p|div|li|tr|h\d)>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(nbsp|amp|lt|gt|quot|#39);/g, (_, called: string) => ENTITIES[called] ?? '')
    .trim()

/** Removes scripts and styles; an unclosed one extends to the end, as in a browser. */
function withoutScripts(html: string): string {
  let shown = ''
  let from = 0
  let hidden = ''
  for (const { 0: tag, 1: slash, 2: name = '', index } of html.matchAll(/<(\/?)(script|style)\b[^<>]*>?/gi)) {
    if (hidden === '' && !slash) {
      shown += html.slice(from, index)
      hidden = name.toLowerCase()
    } else if (slash && hidden === name.toLowerCase()) {
      hidden = ''
      from = index + tag.length
    }
  }
  return hidden === '' ? shown + html.slice(from) : shown
}
