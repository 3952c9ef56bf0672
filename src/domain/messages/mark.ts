/** Text with its selected range. */
export type Selection = { readonly text: string; readonly start: number; readonly end: number }

/**
 * Adds a mark (`*` bold, `_` italic) around the selection or removes it; the selection is kept. Marks are put at word
 * edges, so outer spaces stay outside; of several lines each is marked.
 */
export function toggleMark({ text, start, end }: Selection, mark: '*' | '_'): Selection {
  const chosen = text.slice(start, end)
  const rows = chosen.split('\n')
  const isMarked = rows.every((row) => isBlank(row) || isWithin(row.trim(), mark))
  if (chosen.trim() !== '' && isMarked) return replaced(rows.map((row) => edged(row, (core) => core.slice(1, -1))))
  // A selection between its marks loses them.
  if (chosen !== '' && text[start - 1] === mark && text[end] === mark)
    return { text: text.slice(0, start - 1) + chosen + text.slice(end + 1), start: start - 1, end: end - 1 }
  if (chosen.trim() === '')
    return { text: text.slice(0, start) + mark + mark + text.slice(end), start: start + 1, end: start + 1 }
  return replaced(rows.map((row) => (isBlank(row) ? row : edged(row, (core) => mark + core + mark))))

  function replaced(next: readonly string[]): Selection {
    const written = next.join('\n')
    return { text: text.slice(0, start) + written + text.slice(end), start, end: start + written.length }
  }
}

const isBlank = (row: string): boolean => row.trim() === ''
const isWithin = (core: string, mark: string): boolean =>
  core.length > 2 && core.startsWith(mark) && core.endsWith(mark)

function edged(row: string, change: (core: string) => string): string {
  const core = row.trim()
  if (core === '') return row
  const at = row.indexOf(core)
  return row.slice(0, at) + change(core) + row.slice(at + core.length)
}
