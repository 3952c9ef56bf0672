/** User's step that shows where the next keys are meant to go. */
export type Step =
  /** The focus went into a field. */
  | 'field'
  /** The pointer went down on the page or a row of a list, Tab or Esc led out of a field, another screen was opened. */
  | 'page'
  /** A letter was typed, or a key that was no command. */
  | 'letter'

/** Target of the next keys, and time of the last letter (ms). */
export type Meant = { readonly aim: 'page' | 'field'; readonly wroteAt: number }

/** Time after a letter during which the next key is text, wherever the focus is (ms). */
export const TEXT_MS = 1000

/** Returns the target of keys after a step. */
export const meantAfter = (before: Meant, step: Step, now: number): Meant =>
  step === 'letter' ? { ...before, wroteAt: now } : { ...before, aim: step }

/** Whether a key without Ctrl is a command: the person put the focus on the page, and is not in the middle of writing. */
export const isCommand = ({ aim, wroteAt }: Meant, now: number): boolean => aim === 'page' && now - wroteAt >= TEXT_MS
