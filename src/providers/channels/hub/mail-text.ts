const ENTITIES: Readonly<Record<string, string>> = {
  ...{ nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" },
}

/** A mail's formatted text in words; what it looked like stays with the hub. */
export const plain = (html = ''): string =>
  withoutScripts(html)
    .replace(/<br\s*\/?>|<\/(p|div|li|tr|h\d)>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(nbsp|amp|lt|gt|quot|#39);/g, (_, called: string) => ENTITIES[called] ?? '')
    .trim()

/** Without its scripts and styles; one that does not end goes on to the end, as in a browser. */
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
