import type { ListRow } from '../messages/data.ts'
import { FRAME_LIMITS, type ListLimits } from '../messages/interactive.ts'
import { cutText } from '../text.ts'
import { foldText } from './fold.ts'
import type { Asked, FlowFacts } from './session.ts'

const OPEN = 'Ver opções'

/**
 * Returns options in the best form the channel supports without truncation: buttons, else a list (long labels continue
 * below the row's title), else numbers.
 */
export function askedBy(
  { buttons, list }: Pick<FlowFacts['channel'], 'buttons' | 'list'>,
  body: string,
  labels: readonly string[],
): Asked {
  const isPlain = body.trim() === '' || body.length > FRAME_LIMITS.body || labels.length === 0 || !areUnlike(labels)
  const areShort = buttons !== null && labels.every((label) => label.length <= buttons.chars)
  if (!isPlain && areShort && labels.length <= buttons.max) return { body, buttons: labels }
  const rows = isPlain || list === null ? null : rowsOf(labels, list)
  if (rows) return { body, buttons: [], list: { button: OPEN, sections: [{ rows }] } }
  const numbered = labels.map((label, index) => `${index + 1} - ${label}`)
  return { body: [body, ...numbered].filter((row) => row !== '').join('\n'), buttons: [] }
}

function rowsOf(labels: readonly string[], { rows: most, title, description, button }: ListLimits): ListRow[] | null {
  const fits = labels.length <= most && OPEN.length <= button && labels.every((one) => one.trim() !== '')
  if (!fits || labels.some((label) => label.length > Math.max(title, description))) return null
  const rows = labels.map((label, index) => {
    const id = String(index + 1)
    return label.length <= title ? { id, title: label } : { id, title: cut(label, title), description: label }
  })
  return areUnlike(rows.map((row) => row.title)) ? rows : null
}

const areUnlike = (texts: readonly string[]): boolean => new Set(texts.map(foldText)).size === texts.length

const cut = (text: string, most: number): string => `${cutText(text, most - 1).trimEnd()}…`
