import { bare, type MaskName, patternOf, shape } from './mask.ts'

/** State of a field after a key, a paste or a cut, before the mask is applied again. */
export type Edit = {
  readonly before: string
  readonly text: string
  readonly caret: number
  /** Direction in which a single character was deleted; absent for all else. */
  readonly deleted?: 'back' | 'forward' | undefined
}

/** Text with a caret position. */
export type CaretText = { readonly text: string; readonly caret: number }

/**
 * Formats an edited text again and returns its caret position: after the characters that preceded it. Deleting a separator
 * deletes the character beyond it. `room` is the maximum number of characters: beyond it, typed characters overwrite the
 * following ones.
 */
export function dress(edit: Edit, format: (chars: string) => string, room = Number.POSITIVE_INFINITY): CaretText {
  const wasSeparator = bare(edit.text) === bare(edit.before) && edit.text.length < edit.before.length
  let lead = bare(edit.text.slice(0, edit.caret))
  let tail = bare(edit.text.slice(edit.caret))
  if (wasSeparator && edit.deleted === 'back') lead = lead.slice(0, -1)
  if (wasSeparator && edit.deleted === 'forward') tail = tail.slice(1)
  const start = format(lead)
  const shown = bare(start)
  const excess = shown.length + tail.length - room
  if (excess > 0) tail = tail.slice(excess)
  return { text: format(shown + tail), caret: start.length }
}

/** Applies an edit with a named mask. */
export function editMasked(mask: MaskName, edit: Edit): CaretText {
  const pattern = patternOf(mask)
  return dress(edit, (chars) => shape(pattern, chars), bare(pattern.replaceAll('#', '0')).length)
}

/** Returns the direction in which a single character was deleted, from the browser's `inputType`. */
export function deletion(inputType: unknown): Edit['deleted'] {
  if (inputType === 'deleteContentBackward') return 'back'
  return inputType === 'deleteContentForward' ? 'forward' : undefined
}
